// Nothing is at this address.

import { notFound } from '../content/not-found'
import { type SiteData, siteOf } from '../data'
import { routeMeta } from '../meta'
import { Missing } from '../sections/missing'

export const slice = siteOf

export function meta(data: SiteData) {
  return routeMeta('not-found', data)
}

export function Page(_: { readonly data: SiteData }) {
  return <Missing words={notFound} />
}
