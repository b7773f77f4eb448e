// A testimonial with name and rating. Long ones open in a dialog.

import { useState } from 'preact/hooks'
import { classNames } from '../../../lib/class-names'
import { Dialog } from '../../../primitives/dialog'
import { labels, testimonialLabels as words } from '../../fixed-messages/control-labels'
import type { Item } from '../../page-data'
import { useContent } from '../../use-content'
import parts from '../shared.module.css'
import styles from './testimonial-card.module.css'

export type Testimonial = Pick<
  Item<'course-testimonials'>,
  'id' | 'name' | 'testimonial' | 'profession' | 'rating' | 'updatedAt'
>

/** Anchor on `/testimonianze` of the text about how testimonials are collected. */
export const disclosureId = 'come-le-raccolgo'

const ratingMax = 5
/**
 * A star from its upper tip on, in a 24 by 24 square. One SVG per star took a fifth of the page.
 */
const star = 'l3.09 6.26 6.91 1.01-5 4.87 1.18 6.88-6.18-3.25-6.18 3.25 1.18-6.88-5-4.87 6.91-1.01z'
const starStep = 26
const starsWidth = starStep * (ratingMax - 1) + 24

/** Lines that the style sheet shows, and letters per line of the narrowest card. */
const linesMax = 8
const lineLetters = 36
/** Maximum length of a quote in large type. */
const shortMax = 60

type TestimonialCardProps = { readonly item: Testimonial }

export function TestimonialCard({ item }: TestimonialCardProps) {
  const [isOpen, setOpen] = useState(false)
  const id = `testimonianza-${item.id}`
  const isLong = linesOf(item.testimonial) > linesMax
  const isShort = item.testimonial.length <= shortMax && !item.testimonial.includes('\n')
  return (
    <figure class={styles.card} id={isLong ? id : undefined}>
      <blockquote
        class={classNames(parts.lines, isLong && styles.clamped, isShort && styles.short)}
      >
        {item.testimonial}
      </blockquote>
      {isLong && (
        // Without a script the link expands the card itself (`:target`).
        <a
          class={styles.more}
          href={`#${id}`}
          aria-label={words.moreLabel.replace('{name}', () => item.name)}
          aria-haspopup="dialog"
          onClick={(event) => {
            event.preventDefault()
            setOpen(true)
          }}
        >
          {words.more}
        </a>
      )}
      <Signature item={item} />
      {isOpen && (
        <Dialog
          title={words.dialogTitle.replace('{name}', () => item.name)}
          closeLabel={labels.close}
          isLong
          onClose={() => setOpen(false)}
        >
          <figure class={styles.whole}>
            <blockquote>{item.testimonial}</blockquote>
            <Signature item={item} />
          </figure>
        </Dialog>
      )}
    </figure>
  )
}

function Signature({ item }: TestimonialCardProps) {
  const { fallbackProfession } = useContent('testimonianze.words')
  return (
    <figcaption>
      <span class={styles.name}>{item.name}</span>
      <span class={styles.profession}>{item.profession || fallbackProfession}</span>
      <span
        class={styles.rating}
        role="img"
        aria-label={words.rating.replace('{n}', `${item.rating}`)}
      >
        <svg
          aria-hidden="true"
          width={`${starsWidth / 24}em`}
          viewBox={`0 0 ${starsWidth} 24`}
          fill="none"
          stroke="currentColor"
          stroke-width="1.75"
          stroke-linejoin="round"
        >
          <path class={styles.on} d={stars(0, item.rating)} />
          <path class={styles.off} d={stars(item.rating, ratingMax)} />
        </svg>
      </span>
    </figcaption>
  )
}

function stars(from: number, to: number): string {
  const places = Array.from({ length: to - from }, (_, index) => 12 + (from + index) * starStep)
  return places.map((x) => `M${x} 2${star}`).join('')
}

/** Number of lines of a text in the narrowest card, with the empty ones between paragraphs. */
function linesOf(text: string): number {
  return text
    .split('\n')
    .reduce((lines, line) => lines + Math.max(1, Math.ceil(line.length / lineLetters)), 0)
}
