// What search engines and messengers are told about a page, as a value and as markup.

import { escapeHtml, scriptJson } from '../lib/escape'
import type { Picture } from '../lib/picture'
import { typeset } from '../lib/typography'
import { fill } from './content/fill'
import { seo } from './content/seo'
import type { SiteData } from './data'
import { organization } from './organization'
import { type SocialName, socialPictures } from './social'

export type PageMeta = {
  /** Without the site's name. */
  readonly title: string
  readonly description: string
  readonly keywords: readonly string[]
  readonly ogImage: SocialImage
  /** The page's one address; null for screens that have none. */
  readonly canonical: string | null
  readonly noindex: boolean
  /** The parts of the same list before and after this one. */
  readonly previous?: string | null
  readonly next?: string | null
  readonly type?: 'website' | 'article'
  /** The way from the home page: name and path, the page itself included. */
  readonly breadcrumbs?: readonly Crumb[]
  /** Further schema.org objects: an article, an event. */
  readonly structured?: readonly object[]
}

export type SocialImage = { readonly url: string; readonly alt: string }
type Crumb = { readonly name: string; readonly path: string }

type RouteName = keyof typeof seo.routes

const socialWidth = 1200
const socialHeight = 630

/** The metadata of a page with an address of its own and fixed words. */
export function routeMeta(name: RouteName, { settings }: SiteData): PageMeta {
  const words = seo.routes[name]
  const hasAddress = !words.path.includes('{') && words.path !== '*'
  return {
    title: words.title,
    description: words.description,
    keywords: words.keywords,
    ogImage: fixedImage(words.ogImage, settings),
    canonical: hasAddress ? words.path : null,
    noindex: words.noindex,
    breadcrumbs: hasAddress && words.path !== '/' ? [{ name: words.title, path: words.path }] : [],
  }
}

/** A picture that was drawn for this page of the site. */
export function fixedImage(name: string, settings: SiteData['settings']): SocialImage {
  const known = isKnown(name) ? name : 'default'
  return { url: socialPictures[known].path, alt: fill(seo.ogImages[known].alt, settings) }
}

function isKnown(name: string): name is SocialName {
  return name in socialPictures
}

/** An uploaded picture as messengers show it. */
export function pictureImage(picture: Picture, alt: string): SocialImage {
  return { url: picture.social, alt: picture.alt || alt }
}

/** The page's part of the `head`. */
export function headMarkup(meta: PageMeta, site: SiteData): string {
  const absolute = (path: string) => `${site.publicUrl}${path}`
  const title = fill(seo.titleSuffixPattern, site.settings).replace('{title}', () => meta.title)
  const canonical = meta.canonical === null ? null : absolute(meta.canonical)
  const robots = meta.noindex ? seo.robots.noindex : seo.robots.index
  const named: readonly (readonly [string, string])[] = [
    ['description', meta.description],
    ['keywords', meta.keywords.join(', ')],
    ['robots', robots],
    ['twitter:card', seo.twitterCard],
    ['twitter:title', title],
    ['twitter:description', meta.description],
    ['twitter:image', absolute(meta.ogImage.url)],
    ['twitter:image:alt', meta.ogImage.alt],
  ]
  const properties: readonly (readonly [string, string])[] = [
    ['og:type', meta.type ?? 'website'],
    ['og:site_name', fill(seo.siteName, site.settings)],
    ['og:locale', seo.locale],
    ['og:title', title],
    ['og:description', meta.description],
    ...(canonical === null ? [] : [['og:url', canonical] as const]),
    ['og:image', absolute(meta.ogImage.url)],
    ['og:image:type', 'image/jpeg'],
    ['og:image:width', `${socialWidth}`],
    ['og:image:height', `${socialHeight}`],
    ['og:image:alt', meta.ogImage.alt],
  ]
  return [
    `<title>${escapeHtml(typeset(title))}</title>`,
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
    .map(
      ([key, content]) => `<meta ${attribute}="${key}" content="${escapeHtml(typeset(content))}">`,
    )
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
    organization(site),
    ...(crumbs.length > 0 ? [breadcrumbs] : []),
    ...(meta.structured ?? []),
  ]
}
