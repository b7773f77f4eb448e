// Nothing is at this address.

import { notFound } from '../content/not-found'
import type { SiteData, Snapshot } from '../data'
import { siteOf } from '../data'
import { routeMeta } from '../meta'
import { Missing } from '../sections/missing'

export function slice(snapshot: Snapshot): SiteData {
  return siteOf(snapshot)
}

export function meta(data: SiteData) {
  return routeMeta('notFound', data)
}

export function Page(_: { readonly data: SiteData }) {
  return <Missing words={notFound} />
}
