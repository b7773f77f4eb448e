// The words of somebody who took part, with name and rating. Long ones are opened by a press.

import { Star } from 'lucide'
import { useState } from 'preact/hooks'
import { classNames } from '../../lib/class-names'
import { Dialog } from '../../primitives/dialog'
import { Icon } from '../../primitives/icon'
import type { Item } from '../data'
import { labels, testimonialLabels as words } from '../labels'
import { useWords } from '../use-words'
import parts from './parts.module.css'
import styles from './testimonial-card.module.css'

export type Testimonial = Pick<
  Item<'course-testimonials'>,
  'id' | 'name' | 'testimonial' | 'profession' | 'rating' | 'updatedAt'
>

/** Where `/testimonianze` says how they are collected. */
export const disclosureId = 'come-le-raccolgo'

const ratingMax = 5
const stars = Array.from({ length: ratingMax }, (_, index) => index + 1)

/** As many lines as the style sheet shows, and the letters that the narrowest card has in one. */
const linesMax = 8
const lineLetters = 36
/** A quote that is set large. */
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
        // Without script the card itself shows the whole text.
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
  const { fallbackProfession } = useWords('testimonianze.words')
  return (
    <figcaption>
      <span class={styles.name}>{item.name}</span>
      <span class={styles.profession}>{item.profession || fallbackProfession}</span>
      <span
        class={styles.rating}
        role="img"
        aria-label={words.rating.replace('{n}', `${item.rating}`)}
      >
        {stars.map((star) => (
          <Icon key={star} of={Star} class={star <= item.rating ? styles.on : styles.off} />
        ))}
      </span>
    </figcaption>
  )
}

/** How many lines a text takes in the narrowest card; an empty one between paragraphs counts. */
function linesOf(text: string): number {
  return text
    .split('\n')
    .reduce((lines, line) => lines + Math.max(1, Math.ceil(line.length / lineLetters)), 0)
}
