// Which release of the UI drew a page: what one draws or keeps is not for another.

export function releaseOf(page: Document): string | null {
  return page.querySelector('script[type="module"][src]')?.getAttribute('src') ?? null
}
