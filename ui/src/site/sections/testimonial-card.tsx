// The words of somebody who took part, with name and rating.

import { Star } from 'lucide'
import { Icon } from '../../primitives/icon'
import { testimonianze } from '../content/testimonianze'
import type { Item } from '../data'
import styles from './testimonial-card.module.css'

export type Testimonial = Pick<
  Item<'course-testimonials'>,
  'id' | 'name' | 'testimonial' | 'profession' | 'rating' | 'updatedAt'
>

const ratingMax = 5
const words = testimonianze.sections.courseTestimonials
const stars = Array.from({ length: ratingMax }, (_, index) => index + 1)

type TestimonialCardProps = { readonly item: Testimonial }

export function TestimonialCard({ item }: TestimonialCardProps) {
  return (
    <figure class={styles.card}>
      <blockquote>{item.testimonial}</blockquote>
      <figcaption>
        <span class={styles.name}>{item.name}</span>
        <span class={styles.profession}>{item.profession || words.fallbackProfession}</span>
        <span
          class={styles.rating}
          role="img"
          aria-label={words.ratingLabel.replace('{n}', `${item.rating}`)}
        >
          {stars.map((star) => (
            <Icon key={star} of={Star} class={star <= item.rating ? styles.on : styles.off} />
          ))}
        </span>
      </figcaption>
    </figure>
  )
}
