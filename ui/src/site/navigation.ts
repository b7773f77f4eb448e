// Finds the entry of the main navigation that stands for the current page.

/** The page of an event belongs to the entry `/eventi`; the home page matches itself only. */
export function isCurrent(href: string, path: string): boolean {
  if (href === '/eventi' && path.startsWith('/evento/')) return true
  return path === href || (href !== '/' && path.startsWith(`${href}/`))
}
