// The terms of service.

import { terms } from '../content/legal-terms'
import { type SiteData, siteOf } from '../data'
import { routeMeta } from '../meta'
import { LegalPage } from '../sections/legal-page'

type PageProps = { readonly data: SiteData }

export const slice = siteOf

export const meta = (data: SiteData) => routeMeta('terms', data)

export function Page({ data }: PageProps) {
  return <LegalPage document={terms} site={data} />
}
