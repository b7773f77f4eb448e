// The schema.org object of the practice. Unknown facts are left out.

import type { SiteData } from './page-data'
import { setting, type TextSetting } from './settings'

/** Returns the `@id` by which other objects refer to the organization. */
export function organizationId({ publicUrl }: SiteData): string {
  return `${publicUrl}/#organization`
}

export function organizationSchema(site: SiteData): object {
  const words = site.words['seo.organization']
  const known = (name: TextSetting) => setting(name, site.settings) || undefined
  const countries = [...new Set(words.countries.map(({ country }) => country))]
  const areaServed = countries.length > 0 ? countries : undefined
  const founder = known('practitioner')
  const profiles = site.profiles?.map(({ href }) => href) ?? []
  const sameAs = [...new Set([known('socialUrl'), ...profiles])].filter((url) => url !== undefined)
  return {
    '@context': 'https://schema.org',
    '@type': 'Organization',
    '@id': organizationId(site),
    name: known('brand'),
    url: `${site.publicUrl}/`,
    description: words.description,
    ...(founder && { founder: { '@type': 'Person', name: founder, jobTitle: words.jobTitle } }),
    address: known('address'),
    vatID: known('vatNumber'),
    taxID: known('taxCode'),
    contactPoint: {
      '@type': 'ContactPoint',
      contactType: words.contactType,
      telephone: known('phone'),
      email: known('email'),
      url: `${site.publicUrl}/contatti`,
      availableLanguage: ['it'],
      areaServed,
    },
    areaServed,
    makesOffer: words.services.map(({ text: name }) => ({
      '@type': 'Offer',
      itemOffered: { '@type': 'Service', name, serviceType: name },
    })),
    ...(sameAs.length > 0 && { sameAs }),
  }
}
