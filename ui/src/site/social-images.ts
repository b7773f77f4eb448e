// Link-preview images of the site's pages; the server renders them on request.

export const socialPictures = {
  default: '/social/default.jpg',
  home: '/social/home.jpg',
  about: '/social/about.jpg',
  services: '/social/services.jpg',
  rebirthing: '/social/rebirthing.jpg',
  testimonials: '/social/testimonials.jpg',
  events: '/social/events.jpg',
  blog: '/social/blog.jpg',
  contact: '/social/contact.jpg',
} as const

export type SocialName = keyof typeof socialPictures

/** Describes the landscape that `media/og_image` draws behind the title of a page. */
export const landscapeAlt = 'Colline sotto un sole basso'

export function portraitAlt(practitioner: string): string {
  return practitioner === '' ? 'Ritratto' : `Ritratto di ${practitioner}`
}
