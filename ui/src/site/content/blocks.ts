// All content blocks of the site. The server reads the same list (`vite.config.ts` generates it).

import { benefits } from './benefits'
import { blog } from './blog'
import { booking } from './booking'
import { chiSono } from './chi-sono'
import { contatti } from './contatti'
import { choices } from './contatti-prefill'
import { eventi } from './eventi'
import { home } from './home'
import { legalCookies } from './legal-cookies'
import { legalPrivacy } from './legal-privacy'
import { legalTerms } from './legal-terms'
import { newsletter } from './newsletter'
import { rebirthing } from './rebirthing'
import type { ViewOf } from './schema'
import { seo } from './seo'
import { servizi } from './servizi'
import { shell } from './shell'
import { testimonianze } from './testimonianze'

export const blocks = [
  ...home,
  ...benefits,
  ...booking,
  ...chiSono,
  ...rebirthing,
  ...servizi,
  ...testimonianze,
  ...eventi,
  ...blog,
  ...contatti,
  ...choices,
  ...newsletter,
  ...shell,
  ...legalPrivacy,
  ...legalTerms,
  ...legalCookies,
  ...seo,
] as const

type Blocks = (typeof blocks)[number]
export type BlockId = Blocks['id']

/** The content blocks as components get them; null when a block is hidden. */
export type Words = {
  readonly [Each in Blocks as Each['id']]:
    | ViewOf<Each['fields']>
    | (Each['hideable'] extends true ? null : never)
}
