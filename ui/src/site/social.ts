// The pictures that messengers show for the pages of the site: the program draws them when asked.

type SocialPicture = {
  readonly path: string
  /** The words on it, beside the site's name. */
  readonly title: string
}

export const socialPictures = {
  default: { path: '/social/default.jpg', title: '' },
  home: { path: '/social/home.jpg', title: 'Respirare bene per vivere meglio' },
  about: { path: '/social/about.jpg', title: 'Chi Sono' },
  services: { path: '/social/services.jpg', title: 'I Nostri Servizi' },
  rebirthing: { path: '/social/rebirthing.jpg', title: "Cos'è il Rebirthing" },
  testimonials: { path: '/social/testimonials.jpg', title: 'Testimonianze' },
  events: { path: '/social/events.jpg', title: 'Eventi' },
  blog: { path: '/social/blog.jpg', title: 'Blog' },
  contact: { path: '/social/contact.jpg', title: 'Contatti' },
} as const satisfies Record<string, SocialPicture>

export type SocialName = keyof typeof socialPictures
