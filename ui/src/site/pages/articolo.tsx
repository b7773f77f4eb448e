// An article, or the "not found" screen.

import { ArrowLeft, ArrowRight } from 'lucide'
import { classNames } from '../../lib/class-names'
import { oneLine, shorten } from '../../lib/escape-html'
import { frameByPlace, widestPxByPlace } from '../../lib/picture'
import { readingMinutes, readingTime } from '../../lib/reading-time'
import { italianDate } from '../../lib/site-date-format'
import { typesetHtml } from '../../lib/typography'
import { Icon } from '../../primitives/icon'
import { PictureImage } from '../../primitives/picture'
import { type ListedPost, listed, listedFields } from '../article-list'
import { blogLabels } from '../fixed-messages/control-labels'
import { errors } from '../fixed-messages/errors'
import { drawnImage, type PageMeta, pictureImage, routeMeta } from '../meta'
import { organizationId } from '../organization-schema'
import { found, type Input, type Item, type Read, type SiteData, siteOf } from '../page-data'
import { CardGrid } from '../sections/cards/card-grid'
import { authorOf, PostCard } from '../sections/cards/post-card'
import { CtaSection } from '../sections/cta-section'
import { MessageScreen } from '../sections/message-screen'
import { ShareButton } from '../sections/share-button'
import parts from '../sections/shared.module.css'
import { whatsappHref } from '../settings'
import { useContent } from '../use-content'
import styles from './articolo.module.css'

type Post = ListedPost & Pick<Item<'blog'>, 'contentHtml' | 'contentSections' | 'contentWords'>
type Beside = Pick<ListedPost, 'slug' | 'title' | 'createdAt'>
type Data = SiteData & {
  readonly post: Post | null
  readonly related: readonly ListedPost[]
  readonly older: Beside | null
  readonly newer: Beside | null
}

const relatedMax = 3
/** Minimum number of sections for a table of contents. */
const sectionsMin = 3
/**
 * The address of a button that opens a message; `markdown/figure_html.rs` leaves its replacement to
 * the page.
 */
const messageLink = 'href="#messaggio"'

export const reads: readonly Read[] = [
  { name: 'post', of: 'blog', how: 'each' },
  {
    name: 'related',
    of: 'blog',
    how: 'near',
    count: relatedMax,
    by: 'category',
    fields: listedFields,
  },
  { name: 'beside', of: 'blog', how: 'beside', fields: ['slug', 'title', 'createdAt'] },
]

export function slice(input: Input): Data {
  const [post] = found(input, 'post', 'blog').items
  return {
    ...siteOf(input),
    post: post === undefined ? null : whole(post, input),
    related: found(input, 'related', 'blog').items.map(listed),
    ...besideOf(found(input, 'beside', 'blog').items, post),
  }
}

/** The list is newest first: the item before an article is the newer one. */
function besideOf(items: readonly Beside[], post: Pick<Beside, 'createdAt'> | undefined) {
  const [first, second] = items.map(({ slug, title, createdAt }) => ({ slug, title, createdAt }))
  const isNewer = second !== undefined || (first && post && first.createdAt > post.createdAt)
  const [newer = null, older = null] = isNewer ? [first, second] : [null, first]
  return { older, newer }
}

function whole(post: Item<'blog'>, input: Input): Post {
  const message = whatsappHref(siteOf(input).settings) || '/contatti'
  const { contentHtml, contentSections, contentWords } = post
  const html = contentHtml?.replaceAll(messageLink, () => `href="${message}"`)
  return {
    ...listed(post),
    contentHtml: html === undefined ? null : typesetHtml(html),
    contentSections,
    contentWords,
  }
}

export function meta(data: Data): PageMeta {
  const { post } = data
  const fallback = routeMeta('blog', data)
  if (post === null) {
    const { title, text } = errors.articleNotFound
    return {
      ...fallback,
      title,
      description: text,
      canonical: null,
      noindex: true,
      breadcrumbs: [],
    }
  }
  const fixed = data.words['seo.articolo']
  const path = `/blog/${post.slug}`
  return {
    ...fallback,
    type: 'article',
    title: post.title,
    description: shorten(post.excerpt || fixed.description, descriptionMax),
    keywords: [fixed.keywords, post.category ?? ''].filter((keyword) => keyword !== ''),
    ogImage: post.image ? pictureImage(post.image, post.title) : drawnImage(path, post.title),
    canonical: path,
    breadcrumbs: [
      { name: fallback.title, path: '/blog' },
      { name: post.title, path },
    ],
    structured: [articleObject(post, data)],
  }
}

function articleObject(post: Post, site: SiteData): object {
  const { practitioner } = site.settings
  const cover = post.image === null ? [] : [post.image.social]
  const pictures = [...cover, ...picturesIn(post.contentHtml ?? '')].slice(0, picturesToldMax)
  const publisher = { '@id': organizationId(site) }
  return {
    '@context': 'https://schema.org',
    '@type': 'Article',
    headline: post.title,
    description: post.excerpt ? oneLine(post.excerpt) : undefined,
    articleSection: post.category ?? undefined,
    inLanguage: 'it',
    wordCount: post.contentWords,
    timeRequired: `PT${readingMinutes(post.contentWords)}M`,
    datePublished: post.createdAt,
    dateModified: post.updatedAt,
    mainEntityOfPage: `${site.publicUrl}/blog/${post.slug}`,
    image: pictures.length > 0 ? pictures.map((path) => `${site.publicUrl}${path}`) : undefined,
    author: practitioner ? { '@type': 'Person', name: practitioner } : publisher,
    publisher,
  }
}

/** Maximum number of pictures in the structured data: a long gallery would outweigh the text. */
const picturesToldMax = 12

/**
 * Returns the paths of the pictures in a text, each once, as `markdown/figure_html.rs` writes them.
 */
function picturesIn(html: string): readonly string[] {
  const found = html.matchAll(/ src="(\/objects\/uploads\/[^"]+)"/g)
  return [...new Set([...found].map(([, path]) => path ?? ''))]
}

/** Length of a description that search engines show. */
const descriptionMax = 155

type PageProps = { readonly data: Data }

export function Page({ data }: PageProps) {
  const { post } = data
  if (post === null) return <MessageScreen words={errors.articleNotFound} />
  return <Told post={post} data={data} />
}

type ToldProps = { readonly post: Post; readonly data: Data }

function Told({ post, data }: ToldProps) {
  const words = useContent('articolo.labels')
  const closing = useContent('articolo.closing')
  return (
    <>
      <article>
        <Opening post={post} data={data} />
        <div class={styles.body}>
          <Contents sections={post.contentSections} />
          <div
            class={`${styles.text} ${parts.points}`}
            dangerouslySetInnerHTML={{ __html: post.contentHtml ?? '' }}
          />
          <p class={classNames(parts.note, styles.note)}>{words.note}</p>
          <ShareButton title={post.title} url={`${data.publicUrl}/blog/${post.slug}`} />
        </div>
      </article>
      {data.related.length > 0 && (
        <section class={classNames(parts.band, parts.deepPaper)}>
          <div class={parts.wrap}>
            <h2 class={parts.title}>{words.related}</h2>
            <div class={styles.related}>
              <CardGrid
                items={data.related}
                card={(other, place) => (
                  <PostCard post={other} settings={data.settings} place={place} seed={post.id} />
                )}
              />
            </div>
          </div>
        </section>
      )}
      <Around older={data.older} newer={data.newer} />
      <CtaSection words={closing} isDeep />
    </>
  )
}

function Around({ older, newer }: Pick<Data, 'older' | 'newer'>) {
  if (older === null && newer === null) return null
  const words = useContent('articolo.labels')
  return (
    <nav class={classNames(parts.wrap, styles.around)} aria-label={words.related}>
      {older && (
        <a href={`/blog/${older.slug}`} rel="prev">
          <span>
            <Icon of={ArrowLeft} /> {words.older}
          </span>
          {older.title}
        </a>
      )}
      {newer && (
        <a href={`/blog/${newer.slug}`} rel="next" class={styles.newer}>
          <span>
            {words.newer} <Icon of={ArrowRight} />
          </span>
          {newer.title}
        </a>
      )}
    </nav>
  )
}

function Contents({ sections }: { readonly sections: Post['contentSections'] }) {
  const words = useContent('articolo.labels')
  if (sections.length < sectionsMin) return null
  return (
    <nav class={styles.contents} aria-labelledby="contents">
      <p id="contents">{words.contents}</p>
      <ol>
        {sections.map(({ id, text }) => (
          <li key={id}>
            <a href={`#${id}`}>{text}</a>
          </li>
        ))}
      </ol>
    </nav>
  )
}

type OpeningProps = { readonly post: Post; readonly data: Data }

function Opening({ post, data }: OpeningProps) {
  const words = useContent('articolo.labels')
  const { by } = useContent('blog.labels')
  return (
    <header class={styles.opening}>
      <div class={styles.hello}>
        <a class={styles.back} href="/blog">
          <Icon of={ArrowLeft} />
          {words.back}
        </a>
        {post.category && <p class={styles.category}>{post.category}</p>}
        <h1>{post.title}</h1>
        {post.excerpt && <p class={classNames(parts.lines, styles.excerpt)}>{post.excerpt}</p>}
        <p class={styles.by}>
          <span>{`${by} ${authorOf(data.settings)}`}</span>
          <time dateTime={post.createdAt}>
            {`${words.published} ${italianDate(post.createdAt)}`}
          </time>
          {isUpdated(post) && (
            <time dateTime={post.updatedAt}>
              {`${words.updated} ${italianDate(post.updatedAt)}`}
            </time>
          )}
          {post.contentWords > 0 && <span>{readingTime(post.contentWords)}</span>}
        </p>
      </div>
      {post.image && (
        <figure class={styles.picture}>
          <PictureImage
            picture={post.image}
            sizes="(width >= 64rem) 60rem, 92vw"
            frame={frameByPlace.articleHead}
            widestPx={widestPxByPlace.articleHead}
            alt={blogLabels.imageAlt.replace('{title}', () => post.title)}
            priority="high"
          />
        </figure>
      )}
    </header>
  )
}

/** Whether the article was updated on a later day than it was published. */
function isUpdated({ createdAt, updatedAt }: Post): boolean {
  return updatedAt > createdAt && italianDate(updatedAt) !== italianDate(createdAt)
}
