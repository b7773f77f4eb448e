// The list of articles, newest first.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { classNames } from '../../lib/class-names'
import { pillClass } from '../../primitives/buttons'
import hidden from '../../primitives/hidden.module.css'
import { Icon } from '../../primitives/icon'
import {
  appendPosts,
  fetchPageAfter,
  listed,
  listedFields,
  type PostPage,
  pagePosts,
} from '../article-list'
import { labels } from '../fixed-messages/control-labels'
import { errors } from '../fixed-messages/errors'
import { routeMeta } from '../meta'
import { found, type Input, type Read, type SiteData, siteOf } from '../page-data'
import { type Addresses, addressOf, type Part, partMeta, partOf, partSize } from '../pagination'
import { CardGrid } from '../sections/cards/card-grid'
import { PostCard, PostPlaceholder } from '../sections/cards/post-card'
import { Newsletter } from '../sections/forms/newsletter-form'
import { HeroImage } from '../sections/media/hero-image'
import { Pager } from '../sections/pager'
import parts from '../sections/shared.module.css'
import { setting } from '../settings'
import { useContent } from '../use-content'
import { useHistoryState } from '../use-history-state'
import styles from './blog.module.css'

type Data = SiteData & PostPage & { readonly part: Part; readonly isStatic?: true }

const addresses: Addresses = { first: '/blog', rest: '/blog/pagina/{n}' }

export const reads: readonly Read[] = [
  {
    name: 'posts',
    of: 'blog',
    how: 'parts',
    first: pagePosts,
    size: partSize,
    rest: addresses.rest,
    fields: listedFields,
  },
]

/** A static host accepts no newsletter subscriptions. */
export const isOtherInFiles = true

export function slice(input: Input): Data {
  const posts = found(input, 'posts', 'blog')
  const part = partOf(input, posts)
  return {
    ...siteOf(input),
    posts: posts.items.map(listed),
    hasMore: posts.more,
    part,
    ...(input.isStatic && { isStatic: input.isStatic }),
  }
}

export function meta(data: Data) {
  return partMeta(routeMeta('blog', data), addresses, data.part)
}

type PageProps = { readonly data: Data }

export function Page({ data }: PageProps) {
  const words = useContent('blog.hero')
  return (
    <>
      <section class={styles.opening}>
        {words.picture.picture === null && (
          <svg viewBox="0 0 1600 420" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
            <path d="M0 330C180 270 330 270 520 318S900 390 1110 330 1440 250 1600 290" />
            <path d="M0 362C200 312 350 306 540 350S930 416 1130 362 1450 290 1600 326" />
            <path d="M0 394C220 350 380 344 560 382S950 436 1150 396 1460 330 1600 360" />
          </svg>
        )}
        <div class={classNames(parts.wrap, styles.hello)}>
          <h1>{words.title}</h1>
          <p>{words.subtitle}</p>
          {words.picture.picture && <HeroImage picture={words.picture.picture} shape="band" />}
        </div>
      </section>
      <section class={classNames(parts.wrap, styles.articles)} aria-label={words.title}>
        {data.posts.length === 0 ? <Empty /> : <Articles data={data} />}
      </section>
      <Categories />
      <Newsletter brand={setting('brand', data.settings)} isElsewhere={data.isStatic} />
    </>
  )
}

function Articles({ data }: PageProps) {
  const words = useContent('blog.labels')
  const { posts, hasMore } = data
  const [shown, setShown] = useHistoryState<PostPage>('blog', { posts, hasMore }, appendPosts)
  const [state, setState] = useState<'ready' | 'loading' | 'failed'>('ready')
  const isFirst = data.part.number === 1
  const { grid, focusFrom } = useFocusOnNew(shown)
  const loadMore = async (pressed: HTMLElement) => {
    setState('loading')
    try {
      const next = await fetchPageAfter(shown.posts)
      focusFrom(shown.posts.length, pressed)
      setShown({ posts: [...shown.posts, ...next.posts], hasMore: next.hasMore })
      setState('ready')
    } catch {
      setState('failed')
    }
  }
  const awaited = Array<null>(state === 'loading' ? pagePosts : 0).fill(null)
  return (
    <>
      <div class={styles.grid} ref={grid}>
        <CardGrid
          items={[...shown.posts, ...awaited]}
          hasLead={isFirst}
          isBusy={state === 'loading'}
          card={(post, place, index) =>
            post ? (
              <PostCard
                post={post}
                settings={data.settings}
                place={place}
                isLead={isFirst && index === 0}
              />
            ) : (
              <PostPlaceholder />
            )
          }
        />
      </div>
      <p class={hidden.hidden} role="status">
        {state === 'loading' ? labels.loading : ''}
      </p>
      {state === 'failed' && (
        <div class={styles.failure} role="alert">
          <h2>{errors.blogLoad.title}</h2>
          <p data-literal="">{errors.blogLoad.text}</p>
        </div>
      )}
      {isFirst && shown.hasMore && (
        <p class={styles.more}>
          <a
            class={pillClass('outline', state === 'loading')}
            href={addressOf(addresses, 2)}
            onClick={(event) => {
              // A static host has the next page, but no API to ask for more articles.
              if (data.isStatic) return
              event.preventDefault()
              if (state !== 'loading') void loadMore(event.currentTarget)
            }}
          >
            {words.more}
          </a>
        </p>
      )}
      {!isFirst && <Pager addresses={addresses} part={data.part} />}
    </>
  )
}

/** Moves the focus to the first new article: the pressed link disappears with the last batch. */
function useFocusOnNew(shown: PostPage) {
  const grid = useRef<HTMLDivElement>(null)
  const from = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (from.current === null) return
    const card = grid.current?.querySelectorAll('article')[from.current]
    card?.querySelector('a')?.focus({ preventScroll: true })
    from.current = null
  }, [shown])
  const focusFrom = (index: number, pressed: HTMLElement) => {
    // The focus stays where the visitor moved it while the articles loaded.
    const { activeElement, body } = document
    if (activeElement === pressed || activeElement === body) from.current = index
  }
  return { grid, focusFrom }
}

function Empty() {
  const words = useContent('blog.empty')
  return (
    <div class={styles.empty}>
      <h2>{words.title}</h2>
      <p>{words.text}</p>
    </div>
  )
}

function Categories() {
  const words = useContent('blog.categories')
  if (words === null) return null
  return (
    <section class={classNames(parts.band, parts.deepPaper)}>
      <div class={parts.wrap}>
        <h2 class={parts.title}>{words.title}</h2>
        <ul class={styles.categories}>
          {words.items.map((category) => (
            <li key={category.id}>
              <span class={classNames(parts.archIcon, styles.arch)}>
                <Icon of={category.icon} />
              </span>
              <h3>{category.name}</h3>
              <p>{category.text}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
