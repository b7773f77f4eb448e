// Closing section of three pages: three ways to begin, and where to ask.

import { PillLink } from '../../primitives/buttons'
import hidden from '../../primitives/hidden.module.css'
import { Icon } from '../../primitives/icon'
import { bookingLabels as labels } from '../fixed-messages/control-labels'
import { useContent } from '../use-content'
import styles from './booking.module.css'
import parts from './shared.module.css'

export function Booking() {
  const words = useContent('booking.section')
  const { cards } = useContent('booking.cards')
  if (words === null) return null
  return (
    <section class={`${parts.band} ${parts.deepPaper}`} aria-labelledby="booking">
      <div class={parts.wrap}>
        <header class={styles.header}>
          <h2 class={parts.title} id="booking">
            {words.title}
          </h2>
          <p class={parts.soft}>{words.intro}</p>
        </header>
        <ul class={styles.cards}>
          {cards.map((card) => (
            <li class={styles.card} key={card.id}>
              <span class={parts.archIcon}>
                <Icon of={card.icon} />
              </span>
              <div>
                <h3>{card.title}</h3>
                <p class={styles.facts}>
                  <span class={hidden.hidden}>{`${labels.duration}: `}</span>
                  {`${card.duration} · ${card.format}`}
                </p>
              </div>
              <p class={styles.price}>
                {card.price !== '' && (
                  <>
                    <span class={hidden.hidden}>{`${labels.price}: `}</span>
                    {`${card.price} `}
                  </>
                )}
                <a href={words.seeLink} aria-label={`${words.see}: ${card.title}`}>
                  {words.see}
                </a>
              </p>
              <p class={parts.soft}>{card.text}</p>
              {card.topics.length > 0 && (
                <ul class={styles.topics} aria-label={labels.topics}>
                  {card.topics.map((topic) => (
                    <li key={topic.id}>{topic.text}</li>
                  ))}
                </ul>
              )}
            </li>
          ))}
        </ul>
        <p class={styles.action}>
          <PillLink href={words.ctaLink}>{words.cta}</PillLink>
        </p>
      </div>
    </section>
  )
}
