// Routes of the panel, kept in the URL fragment so that they survive a reload and the Back button.
import { navigate, useHashLocation } from 'wouter/use-hash-location'
import { CONTENT_KINDS } from '../api/kind-labels'
import type { Kind } from '../api/schema'

export type Area =
  | 'casa'
  | 'contenuti'
  | 'pagine'
  | 'blog'
  | 'visite'
  | 'newsletter'
  | 'impostazioni'
  | 'backup'
  | 'account'
  | 'avvisi'
  | 'cestino'
  | 'cronologia'
  | 'guida'

export type Route = {
  readonly area: Area
  readonly kind: Kind
  /** Path segments after the area: a page of the site and a field on it. */
  readonly rest: readonly string[]
}

const AREAS: readonly Area[] = [
  'casa',
  'contenuti',
  'pagine',
  'blog',
  'visite',
  'newsletter',
  'impostazioni',
  'backup',
  'account',
  'avvisi',
  'cestino',
  'cronologia',
  'guida',
]

/** The areas of an account that may do everything: access, other people's data, the whole site. */
export function isOwnerArea(area: Area): boolean {
  return area === 'newsletter' || area === 'impostazioni' || area === 'backup'
}

const FIRST_KIND: Kind = 'course-testimonials'

export function parseRoute(path: string): Route {
  const [name, ...rest] = path.split('/').filter((part) => part !== '')
  const area = AREAS.find((one) => one === name) ?? 'contenuti'
  const kind = CONTENT_KINDS.find((one) => one === rest[0]) ?? FIRST_KIND
  return { area, kind, rest: rest.map(decoded) }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export function areaHref(area: Area): string {
  return `#/${area}`
}

export function kindHref(kind: Kind): string {
  return kind === 'blog' ? areaHref('blog') : `#/contenuti/${kind}`
}

/** Link to the form of an item. */
export function itemHref(kind: Kind, id: string): string {
  return `${kindHref(kind)}/${encodeURIComponent(id)}`
}

/** Stands for the id in a link that opens the form of a new item. */
export const NEW_ITEM = 'nuovo'

export function settingHref(name: string): string {
  return `${areaHref('impostazioni')}/${name}`
}

export function useRoute(): Route {
  const [path] = useHashLocation()
  return parseRoute(path)
}

export function goTo(href: string): void {
  location.hash = href
}

/** Replaces the current history entry. */
export function replaceRoute(href: string): void {
  navigate(href, { replace: true, state: history.state })
}
