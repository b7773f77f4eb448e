// A card with two sides, a description and a list. One button flips it.

import { Check, RefreshCw } from 'lucide'
import { useId, useState } from 'preact/hooks'
import hidden from '../../../primitives/hidden.module.css'
import { Icon } from '../../../primitives/icon'
import type { Words } from '../../content/blocks'
import { flipCardLabels as labels } from '../../fixed-messages/control-labels'
import parts from '../shared.module.css'
import styles from './flip-card.module.css'

type Card = NonNullable<Words['flip-cards.business']>['cards'][number]

type FlipCardProps = { readonly card: Card }

export function FlipCard({ card }: FlipCardProps) {
  const [isTurned, setTurned] = useState(false)
  const backId = useId()
  const label = isTurned ? labels.showFront : labels.showBack
  return (
    <article class={`${styles.card} ${isTurned ? styles.turned : ''}`}>
      <div class={styles.sides}>
        <div class={`${styles.side} ${styles.front}`}>
          <span class={parts.archIcon}>
            <Icon of={card.icon} />
          </span>
          <h3>{card.title}</h3>
          <p class={styles.text}>{card.text}</p>
          <Turn label={labels.showBack} />
        </div>
        <div class={`${styles.side} ${styles.back}`} id={backId}>
          <h3>{card.backTitle}</h3>
          <ul class={parts.checks}>
            {card.items.map((item) => (
              <li key={item.id}>
                <Icon of={Check} />
                {item.text}
              </li>
            ))}
          </ul>
          <Turn label={labels.showFront} />
        </div>
      </div>
      <button
        type="button"
        class={styles.button}
        aria-expanded={isTurned}
        aria-controls={backId}
        onClick={() => setTurned(!isTurned)}
      >
        <span class={hidden.hidden}>{`${label}: ${card.title}`}</span>
      </button>
    </article>
  )
}

type TurnProps = { readonly label: string }

/** The visible label on each side; the button itself covers the whole card. */
function Turn({ label }: TurnProps) {
  return (
    <span class={styles.turn} aria-hidden="true">
      <Icon of={RefreshCw} />
      {label}
    </span>
  )
}
