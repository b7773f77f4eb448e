// The cookie policy.

import { cookies } from '../content/legal-cookies'
import { type SiteData, siteOf } from '../data'
import { routeMeta } from '../meta'
import { LegalPage } from '../sections/legal-page'

type PageProps = { readonly data: SiteData }

export const slice = siteOf

export const meta = (data: SiteData) => routeMeta('cookies', data)

export function Page({ data }: PageProps) {
  return <LegalPage document={cookies} site={data} />
}
