// The section that closes three pages: three ways to begin and where to ask.

import { Presentation, User, Users } from 'lucide'
import { PillLink } from '../../primitives/actions'
import hidden from '../../primitives/hidden.module.css'
import { Icon } from '../../primitives/icon'
import { booking } from '../content/booking'
import styles from './booking.module.css'
import parts from './parts.module.css'

const icons = { User, Users, Presentation }

export function Booking() {
  return (
    <section class={`${parts.band} ${parts.deepPaper}`} aria-labelledby="booking">
      <div class={parts.wrap}>
        <header class={styles.header}>
          <h2 class={parts.title} id="booking">
            {booking.title}
          </h2>
          <p class={parts.soft}>{booking.intro}</p>
        </header>
        <ul class={styles.cards}>
          {booking.cards.map((card) => (
            <li class={styles.card} key={card.id}>
              <span class={parts.archIcon}>
                <Icon of={icons[card.icon]} />
              </span>
              <div>
                <h3>{card.title}</h3>
                <p class={styles.facts}>
                  <span class={hidden.hidden}>{`${booking.durationLabel}: `}</span>
                  {`${card.duration} · ${card.format}`}
                </p>
              </div>
              <p class={styles.price}>
                <span class={hidden.hidden}>{`${booking.prices.label}: `}</span>
                {`${card.price} `}
                <a
                  href={booking.prices.href}
                  aria-label={booking.prices.seeLabel.replace('{title}', card.title)}
                >
                  {booking.prices.see}
                </a>
              </p>
              <p class={parts.soft}>{card.text}</p>
              {card.topics.length > 0 && (
                <ul class={styles.topics} aria-label={booking.topicsLabel}>
                  {card.topics.map((topic) => (
                    <li key={topic}>{topic}</li>
                  ))}
                </ul>
              )}
            </li>
          ))}
        </ul>
        <p class={styles.action}>
          <PillLink href={booking.cta.href}>{booking.cta.label}</PillLink>
        </p>
      </div>
    </section>
  )
}
