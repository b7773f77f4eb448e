// The words of the main navigation, in the order the specification gives.

import { global } from './content/global'

type Entry = { readonly key: string; readonly label: string; readonly href: string }

const entries: readonly Entry[] = global.header.items.filter((item) => item.key !== 'logo')

/** The links left and right of the brand. */
export const leftEntries = entries.slice(0, 3)
export const rightEntries = entries.slice(3)
export const allEntries = entries

/** An event belongs to the events; the home page is itself only. */
export function isCurrent(href: string, path: string): boolean {
  if (href === '/eventi' && path.startsWith('/evento/')) return true
  return path === href || (href !== '/' && path.startsWith(`${href}/`))
}
