// Metadata of a page for search engines and link previews, as a value and as markup.

import { escapeHtml, scriptJson } from '../lib/escape-html'
import { fallbackImage } from '../lib/image-fallbacks'
import type { Picture } from '../lib/picture'
import { curve } from '../lib/typography'
import type { Words } from './content/blocks'
import type { ShownPicture } from './content/schema'
import { organizationSchema } from './organization-schema'
import type { SiteData } from './page-data'
import { setting } from './settings'
import { landscapeAlt, portraitAlt, type SocialName, socialPictures } from './social-images'

export type PageMeta = {
  /** Without the name of the site. */
  readonly title: string
  readonly description: string
  readonly keywords: readonly string[]
  readonly ogImage: SocialImage
  /** Canonical path; null for screens without an address. */
  readonly canonical: string | null
  readonly noindex: boolean
  /** Paths of the previous and the next page of a paginated list. */
  readonly previous?: string | null
  readonly next?: string | null
  readonly type?: 'website' | 'article'
  /** Breadcrumbs after the home page, including the page itself. */
  readonly breadcrumbs?: readonly Crumb[]
  /** Further schema.org objects, for example an article or an event. */
  readonly structured?: readonly object[]
}

export type SocialImage = {
  readonly url: string
  readonly alt: string
  /** What the server draws into the image, names aside; its address changes with it. */
  readonly shows: readonly unknown[]
}
type Crumb = { readonly name: string; readonly path: string }

type Route = {
  /** Null when the page has no address of its own. */
  readonly path: string | null
  readonly picture: SocialName
  readonly noindex?: boolean
}

/** Pages whose title and description are content blocks. */
const routes = {
  home: { path: '/', picture: 'home' },
  'chi-sono': { path: '/chi-sono', picture: 'about' },
  servizi: { path: '/servizi', picture: 'services' },
  rebirthing: { path: '/rebirthing', picture: 'rebirthing' },
  testimonianze: { path: '/testimonianze', picture: 'testimonials' },
  eventi: { path: '/eventi', picture: 'events' },
  blog: { path: '/blog', picture: 'blog' },
  contatti: { path: '/contatti', picture: 'contact' },
  privacy: { path: '/privacy', picture: 'default', noindex: true },
  terms: { path: '/terms', picture: 'default', noindex: true },
  cookies: { path: '/cookies', picture: 'default', noindex: true },
  'not-found': { path: null, picture: 'default', noindex: true },
  'evento-not-found': { path: null, picture: 'events', noindex: true },
} as const satisfies { readonly [Name in string]: Route }

type RouteName = keyof typeof routes

const locale = 'it_IT'
const robots = { index: 'index, follow', noindex: 'noindex, follow' } as const
const socialWidth = 1200
const socialHeight = 630
const twitterCard = 'summary_large_image'

/** Returns the metadata of a page in `routes`. */
export function routeMeta(name: RouteName, site: SiteData): PageMeta {
  const { path, picture, noindex = false }: Route = routes[name]
  const words = site.words[`seo.${name}`]
  return {
    title: words.title,
    description: words.description,
    keywords: words.keywords === '' ? [] : [words.keywords],
    ogImage: ownImage(name, site) ?? imageOf(picture, site),
    canonical: path,
    noindex,
    breadcrumbs: path !== null && path !== '/' ? [{ name: words.title, path }] : [],
  }
}

type BlockPictures = Readonly<Record<string, ShownPicture | undefined>> | null

/**
 * Returns the uploaded picture that the page opens with, if any: link previews then show the
 * practitioner, her name and her towns.
 */
function ownImage(name: RouteName, site: SiteData): SocialImage | null {
  const words = site.words as unknown as Readonly<Record<string, BlockPictures | undefined>>
  const shared = fallbackImage(
    name,
    (block, field) => words[block]?.[field]?.picture,
    (own) => site.settings[own],
  )
  if (shared === null) return null
  const { place, picture } = shared
  const practitioner = setting('practitioner', site.settings)
  if (place.endsWith(':portrait')) return pictureImage(picture, portraitAlt(practitioner))
  const who = practitioner || setting('brand', site.settings)
  const towns = setting('towns', site.settings)
  return pictureImage(picture, towns === '' ? who : `${who}, ${towns}`)
}

type SharedWords = Readonly<Partial<Record<'title' | 'shareTitle' | 'shareAlt', string | null>>>

/** Link-preview image of a page of the site: its title on a landscape in its own tint. */
function imageOf(picture: SocialName, site: SiteData): SocialImage {
  const own = Object.entries(routes).find(([, route]) => route.picture === picture)?.[0]
  const words = site.words[`seo.${own}` as keyof Words] as SharedWords | undefined
  const alt =
    picture === 'default'
      ? site.words['seo.organization'].shareAlt
      : words?.shareAlt || landscapeAlt
  return { url: socialPictures[picture], alt, shows: [words?.shareTitle, words?.title] }
}

export function defaultImage(site: SiteData): SocialImage {
  return imageOf('default', site)
}

/** Link-preview image of an uploaded picture. */
export function pictureImage(picture: Picture, alt: string): SocialImage {
  return {
    url: picture.social,
    alt: picture.alt || alt,
    shows: [alt, picture.focusX, picture.focusY],
  }
}

/** Link-preview image of an item without a picture: its title on a landscape. */
export function drawnImage(path: string, title: string): SocialImage {
  return { url: `/social${path}.jpg`, alt: title, shows: [title] }
}

/** Services that show previews keep an image by its address, some for weeks. */
function versionedAddress({ url, shows }: SocialImage, { publicUrl, settings }: SiteData): string {
  const names = (['practitioner', 'towns', 'brand'] as const).map((name) => settings[name])
  const drawn = JSON.stringify([...shows, ...names])
  // 32-bit FNV-1a.
  let hash = 0x811c9dc5
  for (const sign of drawn) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193)
  return `${publicUrl}${url}?v=${(hash >>> 0).toString(36)}`
}

/** Returns the markup of the page's part of the `head`. */
export function headMarkup(meta: PageMeta, site: SiteData): string {
  const absolute = (path: string) => `${site.publicUrl}${path}`
  const title = `${meta.title} | ${setting('brand', site.settings)}`
  const canonical = meta.canonical === null ? null : absolute(meta.canonical)
  const image = versionedAddress(meta.ogImage, site)
  const indexing = meta.noindex ? robots.noindex : robots.index
  const named: readonly (readonly [string, string])[] = [
    ['description', meta.description],
    ['keywords', meta.keywords.join(', ')],
    ['robots', indexing],
    ['twitter:card', twitterCard],
    ['twitter:title', title],
    ['twitter:description', meta.description],
    ['twitter:image', image],
    ['twitter:image:alt', meta.ogImage.alt],
  ]
  const properties: readonly (readonly [string, string])[] = [
    ['og:type', meta.type ?? 'website'],
    ['og:site_name', setting('brand', site.settings)],
    ['og:locale', locale],
    ['og:title', title],
    ['og:description', meta.description],
    ...(canonical === null ? [] : [['og:url', canonical] as const]),
    ['og:image', image],
    ['og:image:type', 'image/jpeg'],
    ['og:image:width', `${socialWidth}`],
    ['og:image:height', `${socialHeight}`],
    ['og:image:alt', meta.ogImage.alt],
  ]
  return [
    `<title>${escapeHtml(curve(title))}</title>`,
    ...tags('name', named),
    ...(canonical === null ? [] : [`<link rel="canonical" href="${escapeHtml(canonical)}">`]),
    ...[['prev', meta.previous] as const, ['next', meta.next] as const].flatMap(
      ([relation, path]) =>
        path ? [`<link rel="${relation}" href="${escapeHtml(absolute(path))}">`] : [],
    ),
    ...tags('property', properties),
    ...structuredData(meta, site).map(
      (object) => `<script type="application/ld+json">${scriptJson(object)}</script>`,
    ),
  ].join('')
}

function tags(attribute: string, pairs: readonly (readonly [string, string])[]): string[] {
  return pairs
    .filter(([, content]) => content !== '')
    .map(([key, content]) => `<meta ${attribute}="${key}" content="${escapeHtml(curve(content))}">`)
}

function structuredData(meta: PageMeta, site: SiteData): readonly object[] {
  const crumbs = meta.breadcrumbs ?? []
  const way = [{ name: 'Home', path: '/' }, ...crumbs]
  const breadcrumbs = {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: way.map((crumb, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: crumb.name,
      item: `${site.publicUrl}${crumb.path}`,
    })),
  }
  return [
    organizationSchema(site),
    ...(crumbs.length > 0 ? [breadcrumbs] : []),
    ...(meta.structured ?? []),
  ].map((object) => withSetTexts(object) as object)
}

/** Properties that search engines show to people; their apostrophes are typeset. */
const readProperties = new Set(['name', 'alternateName', 'headline', 'description', 'caption'])

function withSetTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSetTexts)
  if (typeof value !== 'object' || value === null) return value
  const set = Object.entries(value).map(([name, inner]) => [
    name,
    typeof inner === 'string' && readProperties.has(name) ? curve(inner) : withSetTexts(inner),
  ])
  return Object.fromEntries(set)
}
