// The "not found" screen for unknown paths.

import { notFound } from '../fixed-messages/not-found'
import { routeMeta } from '../meta'
import { type SiteData, siteOf } from '../page-data'
import { MessageScreen } from '../sections/message-screen'

export const slice = siteOf

export function meta(data: SiteData) {
  return routeMeta('not-found', data)
}

export function Page(_: { readonly data: SiteData }) {
  return <MessageScreen words={notFound} />
}
