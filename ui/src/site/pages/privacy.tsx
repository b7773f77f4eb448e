// The privacy policy.

import { privacy } from '../content/legal-privacy'
import { type SiteData, siteOf } from '../data'
import { routeMeta } from '../meta'
import { LegalPage } from '../sections/legal-page'

type PageProps = { readonly data: SiteData }

export const slice = siteOf

export const meta = (data: SiteData) => routeMeta('privacy', data)

export function Page({ data }: PageProps) {
  return <LegalPage document={privacy} site={data} />
}
