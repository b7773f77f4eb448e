// The pictures that messengers show for the pages of the site: the program draws them when asked.

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

/** What the scene of each shows: `media/og_image/scene.rs` draws them. */
export const socialAlts: Readonly<Record<SocialName, string>> = {
  default: '',
  home: 'Un lago all’alba tra le montagne',
  about: 'Una figura seduta in riva al lago',
  services: 'Un sentiero che sale verso la luce',
  rebirthing: 'Onde leggere come un respiro',
  testimonials: 'Foglie sull’acqua',
  events: 'Il sole sopra un crinale',
  blog: 'Un quaderno aperto accanto alla finestra',
  contact: 'Una barca ormeggiata a riva',
}

export function portraitAlt(practitioner: string): string {
  return practitioner === '' ? 'Ritratto' : `Ritratto di ${practitioner}`
}
