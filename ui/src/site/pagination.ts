// Pagination of long lists: path, metadata and neighbours of each page.

import { pager } from './fixed-messages/pager'
import type { PageMeta } from './meta'
import type { Found, Input, Kind } from './page-data'

/** One page of a list. */
export type Part = {
  /** Page number, from 1. */
  readonly number: number
  readonly hasMore: boolean
}

/** Paths of the pages of a list. `first` is the path of the list itself, `rest` contains `{n}`. */
export type Addresses = { readonly first: string; readonly rest: string }

/** Cards per page. */
export const partSize = 24

export function partOf<K extends Kind>({ number }: Input, { more }: Found<K>): Part {
  return { number, hasMore: more }
}

export function addressOf({ first, rest }: Addresses, number: number): string {
  return number === 1 ? first : rest.replace('{n}', `${number}`)
}

/** Metadata of one page of a list: its own title, canonical path and neighbours. */
export function partMeta(
  meta: PageMeta,
  addresses: Addresses,
  { number, hasMore }: Part,
): PageMeta {
  const next = hasMore ? addressOf(addresses, number + 1) : null
  if (number === 1) return { ...meta, canonical: addresses.first, next }
  const path = addressOf(addresses, number)
  const name = pager.current.replace('{n}', `${number}`)
  return {
    ...meta,
    title: `${meta.title}, ${name.toLowerCase()}`,
    description: `${meta.description} ${name}.`,
    canonical: path,
    previous: addressOf(addresses, number - 1),
    next,
    breadcrumbs: [...(meta.breadcrumbs ?? []), { name, path }],
  }
}
