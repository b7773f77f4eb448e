// Identifies the release that rendered a page: its markup and the state it stored are valid for
// that release only.

/**
 * Returns the path of the entry script; it contains a hash of all code that the script loads
 * (`src/publish/html_template.rs`).
 */
export function buildIdOf(page: Document): string | null {
  const later = page.querySelector('script#later')?.textContent
  return later ? (JSON.parse(later) as { readonly start: string }).start : null
}
