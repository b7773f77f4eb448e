// The facts about the practice, as schema.org knows them. Unknown ones are left out.

import { fill } from './content/fill'
import { seo } from './content/seo'
import type { SiteData } from './data'

/** The identifier by which other objects name the organization. */
export function organizationId({ publicUrl }: SiteData): string {
  return `${publicUrl}/#organization`
}

export function organization(site: SiteData): object {
  const facts = seo.organization
  const known = (text: string) => fill(text, site.settings) || undefined
  const founder = known(facts.founder.name)
  const telephone = known(facts.contactPoint.telephone)
  const email = known(facts.contactPoint.email)
  const sameAs = facts.sameAs.map(known).filter((address) => address !== undefined)
  return {
    '@context': 'https://schema.org',
    '@type': facts.schemaType,
    '@id': organizationId(site),
    name: known(facts.name),
    url: `${site.publicUrl}/`,
    description: facts.description,
    ...(founder && {
      founder: { '@type': 'Person', name: founder, jobTitle: facts.founder.jobTitle },
    }),
    address: known(facts.address),
    vatID: known(facts.vatNumber),
    contactPoint: {
      '@type': 'ContactPoint',
      contactType: facts.contactPoint.contactType,
      telephone,
      email,
      url: `${site.publicUrl}/contatti`,
      availableLanguage: facts.contactPoint.availableLanguage,
      areaServed: facts.contactPoint.areaServed,
    },
    areaServed: facts.areaServed,
    makesOffer: facts.serviceTypes.map((name) => ({
      '@type': 'Offer',
      itemOffered: { '@type': 'Service', name, serviceType: name },
    })),
    ...(sameAs.length > 0 && { sameAs }),
  }
}
