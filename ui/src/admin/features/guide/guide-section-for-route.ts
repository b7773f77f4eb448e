// The section of the guide about a screen.
import type { Kind } from '../../api/schema'
import type { Route } from '../../app/routes'

const BY_KIND: Readonly<Record<Kind, string>> = {
  'course-testimonials': 'testimonianze',
  'photo-gallery': 'foto-ringraziamenti-e-parlano-di-noi',
  'special-thanks': 'foto-ringraziamenti-e-parlano-di-noi',
  'media-features': 'foto-ringraziamenti-e-parlano-di-noi',
  events: 'eventi',
  blog: 'blog',
  newsletters: 'newsletter',
}

/** Returns the id of the section. */
export function sectionOf({ area, kind }: Pick<Route, 'area' | 'kind'>): string {
  switch (area) {
    case 'contenuti':
      return BY_KIND[kind]
    case 'account':
    case 'avvisi':
      return 'account-e-secondo-passaggio'
    case 'guida':
      return 'casa'
    default:
      return area
  }
}
