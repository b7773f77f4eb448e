// The terms of service.

import type { SiteData, Snapshot } from '../data'
import { siteOf } from '../data'
import { routeMeta } from '../meta'

export function slice(snapshot: Snapshot): SiteData {
  return siteOf(snapshot)
}

export function meta(data: SiteData) {
  return routeMeta('terms', data)
}

export function Page(_: { readonly data: SiteData }) {
  return <h1>Termini e Condizioni</h1>
}
