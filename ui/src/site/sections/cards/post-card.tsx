// List card of an article; in a row of its own, picture and text are side by side.

import { classNames } from '../../../lib/class-names'
import { shortenLines } from '../../../lib/escape-html'
import { frameByPlace } from '../../../lib/picture'
import { italianDate } from '../../../lib/site-date-format'
import { PictureImage } from '../../../primitives/picture'
import notes from '../../art/article-notes.svg?no-inline'
import type { ListedPost } from '../../article-list'
import { blogLabels as labels } from '../../fixed-messages/control-labels'
import type { Settings } from '../../page-data'
import { setting } from '../../settings'
import { useContent } from '../../use-content'
import { useIsArtMuted } from '../../use-muted-art'
import { PlaceholderArt } from '../media/placeholder-art'
import parts from '../shared.module.css'
import card from './card.module.css'
import { cardSizes, type Place } from './card-layout'
import styles from './post-card.module.css'

type PostCardProps = {
  readonly post: ListedPost
  readonly settings: Settings
  readonly place: Place
  readonly isLead?: boolean
  /** Seed of the drawing for the place of the card. */
  readonly seed?: string
}

/** Returns the only author of the blog: the practitioner, or the site until her name is set. */
export function authorOf(settings: Settings): string {
  return setting('practitioner', settings) || setting('brand', settings)
}

export function PostCard(props: PostCardProps) {
  const { post, settings, place, isLead = false, seed = '' } = props
  const isQuiet = useIsArtMuted()
  const words = useContent('blog.labels')
  return (
    <article class={card.card}>
      <div class={classNames(card.picture, styles.picture)}>
        {post.image ? (
          <PictureImage
            picture={post.image}
            sizes={cardSizes(place)}
            frame={frameByPlace.card}
            alt={labels.imageAlt.replace('{title}', () => post.title)}
            priority={isLead ? 'high' : undefined}
          />
        ) : isLead && !isQuiet ? (
          <img src={notes} alt="" width={1200} height={900} loading="lazy" />
        ) : (
          <PlaceholderArt seed={`${seed}${post.id}`} isQuiet={isQuiet} />
        )}
      </div>
      <div class={classNames(card.words, styles.words)}>
        {post.category && <p class={styles.category}>{post.category}</p>}
        <h2>
          <a class={classNames(card.link, styles.title)} href={`/blog/${post.slug}`}>
            {post.title}
          </a>
        </h2>
        {post.excerpt && <p class={parts.lines}>{shortenLines(post.excerpt)}</p>}
        <p class={styles.by}>
          <span>{`${words.by} ${authorOf(settings)}`}</span>
          <time dateTime={post.createdAt}>{italianDate(post.createdAt)}</time>
        </p>
      </div>
    </article>
  )
}

/** Placeholder for an article that is loading. */
export function PostPlaceholder() {
  return (
    <div class={classNames(card.card, styles.placeholder)} aria-hidden="true">
      <div class={classNames(card.picture, styles.picture)} />
      <div class={classNames(card.words, styles.words)}>
        <span />
        <span />
        <span />
      </div>
    </div>
  )
}
