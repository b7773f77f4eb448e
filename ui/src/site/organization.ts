// The facts about the practice, as schema.org knows them. Unknown ones are left out.

import type { SiteData } from './data'
import { setting, type TextSetting } from './settings'

const countries = ['IT', 'CH']

/** The identifier by which other objects name the organization. */
export function organizationId({ publicUrl }: SiteData): string {
  return `${publicUrl}/#organization`
}

export function organization(site: SiteData): object {
  const words = site.words['seo.organization']
  const known = (name: TextSetting) => setting(name, site.settings) || undefined
  const founder = known('practitioner')
  const social = known('socialUrl')
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
    contactPoint: {
      '@type': 'ContactPoint',
      contactType: words.contactType,
      telephone: known('phone'),
      email: known('email'),
      url: `${site.publicUrl}/contatti`,
      availableLanguage: ['it'],
      areaServed: countries,
    },
    areaServed: countries,
    makesOffer: words.services.map(({ text: name }) => ({
      '@type': 'Offer',
      itemOffered: { '@type': 'Service', name, serviceType: name },
    })),
    ...(social && { sameAs: [social] }),
  }
}
