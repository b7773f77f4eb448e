// Which entry of the main navigation is the page at hand.

/** An event belongs to the events; the home page is itself only. */
export function isCurrent(href: string, path: string): boolean {
  if (href === '/eventi' && path.startsWith('/evento/')) return true
  return path === href || (href !== '/' && path.startsWith(`${href}/`))
}
