// The pictures that messengers show for the pages of the site.

import standard from './art/social/default.jpg?url'

export const socialPictures = { default: standard } as const

export type SocialName = keyof typeof socialPictures
