// Derives the slug of an article from its title.

export const SLUG_CHARACTERS_MAX = 80

/** Returns lower-case letters, digits and single hyphens, without accents; may be empty. */
export function slugOf(title: string): string {
  const words = title
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  if (words.length <= SLUG_CHARACTERS_MAX) return words
  const cut = words.slice(0, SLUG_CHARACTERS_MAX + 1)
  const end = cut.lastIndexOf('-')
  return end > 0 ? cut.slice(0, end) : words.slice(0, SLUG_CHARACTERS_MAX)
}
