// Text on its way into markup.

const entityByCharacter: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as the content of an element or of a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entityByCharacter[character] ?? character)
}

/** JSON that can stand inside a `script` element: no `<` can end it, no separator can break it. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replace(/</g, '\\u003c')
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029')
}

const ellipsis = '...'

/** At most so many characters, cut between words; the ellipsis counts. */
export function shorten(text: string, charactersMax: number): string {
  const plain = text.replace(/\s+/g, ' ').trim()
  if (plain.length <= charactersMax) return plain
  const cut = plain.slice(0, charactersMax - ellipsis.length)
  const space = cut.lastIndexOf(' ')
  return `${cut.slice(0, space > 0 ? space : undefined).replace(/[\s,;:.]+$/, '')}${ellipsis}`
}
