// The privacy policy.

import { routeMeta } from '../meta'
import { type SiteData, siteOf } from '../page-data'
import { LegalPage } from '../sections/legal-page'

export const slice = siteOf

/** The text mentions visit statistics, which a static host does not have. */
export const isOtherInFiles = true

export const meta = (data: SiteData) => routeMeta('privacy', data)

export function Page({ data }: { readonly data: SiteData }) {
  return <LegalPage words="legal.privacy" data={data} />
}
