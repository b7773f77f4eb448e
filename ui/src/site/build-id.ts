// Which release drew a page: what one draws or keeps is not for another.

/** The program that takes a page over carries the hash of all it is made of (`src/site/template.rs`). */
export function buildIdOf(page: Document): string | null {
  const later = page.querySelector('script#later')?.textContent
  return later ? (JSON.parse(later) as { readonly start: string }).start : null
}
