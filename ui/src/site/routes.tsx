// The route table: path and module of each page. Each module declares what its page reads.

import { choicePath, eventChoicePath, formerChoicePaths } from '../lib/contact-page-urls'
import type { BlockId } from './content/blocks'
import type { PageComponent } from './page-module'
import type { SocialName } from './social-images'

export type Route = {
  /** Name of the file in `pages/`. */
  readonly page: string
  /**
   * `{key}` stands for the id or the slug of an item that the page reads. May end in a query
   * parameter: the page is then published at the path with this query.
   */
  readonly path: string
  /** Loads the component alone: the rest of the module is for the renderer, not for browsers. */
  readonly load: () => Promise<PageComponent>
  /** The page is also shown for an unknown key, with this status. */
  readonly missing?: { readonly status: number }
  /** One page for each entry of a list in a content block; `{key}` is the id of the entry. */
  readonly entries?: { readonly block: BlockId; readonly list: string }
  /** Former paths and the paths that they redirect to permanently. */
  readonly formerPaths?: Readonly<Record<string, string>>
  /**
   * Screens without a path here, with their HTTP status: the server shows them at addresses of its
   * own.
   */
  readonly screens?: Readonly<Record<string, number>>
  /** Link-preview image of the page. */
  readonly social?: SocialName
  /**
   * The page asks the visitor a question: the messaging button and the cookie banner are hidden.
   */
  readonly isQuestion?: boolean
  /** The page is not in the sitemap, for example because it is a legal text. */
  readonly isUnlisted?: boolean
  /** The page opens with a dark picture: the header text over it is white. */
  readonly opensDark?: boolean
}

const notThere = { status: 404 }

export const routes: readonly Route[] = [
  {
    page: 'home',
    path: '/',
    load: () => import('./pages/home').then(({ Page }) => Page),
    social: 'home',
    opensDark: true,
  },
  {
    page: 'chi-sono',
    path: '/chi-sono',
    load: () => import('./pages/chi-sono').then(({ Page }) => Page),
    social: 'about',
  },
  {
    page: 'servizi',
    path: '/servizi',
    load: () => import('./pages/servizi').then(({ Page }) => Page),
    social: 'services',
  },
  {
    page: 'rebirthing',
    path: '/rebirthing',
    load: () => import('./pages/rebirthing').then(({ Page }) => Page),
    social: 'rebirthing',
    opensDark: true,
  },
  {
    page: 'testimonianze',
    path: '/testimonianze',
    formerPaths: { '/testimonials': '/testimonianze' },
    load: () => import('./pages/testimonianze').then(({ Page }) => Page),
    social: 'testimonials',
  },
  {
    page: 'parole',
    path: '/testimonianze/parole',
    load: () => import('./pages/parole').then(({ Page }) => Page),
  },
  {
    page: 'foto',
    path: '/testimonianze/foto',
    load: () => import('./pages/foto').then(({ Page }) => Page),
  },
  {
    page: 'ringraziamenti',
    path: '/testimonianze/ringraziamenti',
    load: () => import('./pages/ringraziamenti').then(({ Page }) => Page),
  },
  {
    page: 'media',
    path: '/testimonianze/media',
    load: () => import('./pages/media').then(({ Page }) => Page),
  },
  {
    page: 'eventi',
    path: '/eventi',
    load: () => import('./pages/eventi').then(({ Page }) => Page),
    social: 'events',
  },
  {
    page: 'eventi-passati',
    path: '/eventi/passati',
    load: () => import('./pages/eventi-passati').then(({ Page }) => Page),
  },
  {
    page: 'evento',
    path: '/evento/{key}',
    load: () => import('./pages/evento').then(({ Page }) => Page),
    missing: notThere,
    opensDark: true,
  },
  {
    page: 'blog',
    path: '/blog',
    load: () => import('./pages/blog').then(({ Page }) => Page),
    social: 'blog',
  },
  {
    page: 'articolo',
    path: '/blog/{key}',
    load: () => import('./pages/articolo').then(({ Page }) => Page),
    missing: notThere,
  },
  {
    page: 'contatti',
    path: '/contatti',
    load: () => import('./pages/contatti').then(({ Page }) => Page),
    social: 'contact',
  },
  {
    page: 'contatti',
    path: choicePath('{key}'),
    load: () => import('./pages/contatti').then(({ Page }) => Page),
    entries: { block: 'contatti.messages', list: 'asks' },
    formerPaths: formerChoicePaths,
    isUnlisted: true,
  },
  {
    page: 'contatti-evento',
    path: eventChoicePath('{key}'),
    load: () => import('./pages/contatti').then(({ Page }) => Page),
    formerPaths: { '/contatti/evento/{key}': eventChoicePath('{key}') },
    isUnlisted: true,
  },
  {
    page: 'privacy',
    path: '/privacy',
    load: () => import('./pages/privacy').then(({ Page }) => Page),
    isUnlisted: true,
  },
  {
    page: 'terms',
    path: '/terms',
    load: () => import('./pages/terms').then(({ Page }) => Page),
    isUnlisted: true,
  },
  {
    page: 'cookies',
    path: '/cookies',
    load: () => import('./pages/cookies').then(({ Page }) => Page),
    isUnlisted: true,
  },
  {
    page: 'newsletter',
    path: '/newsletter/{key}',
    load: () => import('./pages/newsletter').then(({ Page }) => Page),
    isQuestion: true,
    screens: {
      confirm: 200,
      confirmed: 200,
      'already-confirmed': 200,
      unsubscribe: 200,
      unsubscribed: 200,
      'already-unsubscribed': 200,
      expired: 410,
      forged: 404,
      'unsubscribe-forged': 404,
      unavailable: 503,
    },
  },
  {
    page: 'testimonianza',
    path: '/testimonianza/{key}',
    load: () => import('./pages/testimonianza').then(({ Page }) => Page),
    isQuestion: true,
    screens: {
      write: 200,
      thanks: 200,
      withdrawn: 200,
      expired: 410,
      used: 410,
      cancelled: 410,
      broken: 404,
    },
  },
  {
    page: 'not-found',
    path: '/{key}',
    load: () => import('./pages/not-found').then(({ Page }) => Page),
    social: 'default',
    missing: notThere,
  },
]

/**
 * The key in the path of a missing page: not an id, and refused as a slug
 * (`src/content/validation.rs`).
 */
export const missingKey = '404'

/** Whether the page rendered for this path says that nothing exists there. */
export function isMissing(path: string): boolean {
  return path.split('/').at(-1) === missingKey
}
