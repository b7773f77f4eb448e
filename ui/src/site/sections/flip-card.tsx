// A card with two sides: what it is about, and a list. One button turns it.

import { Check, type IconNode, RefreshCw } from 'lucide'
import { useId, useState } from 'preact/hooks'
import hidden from '../../primitives/hidden.module.css'
import { Icon } from '../../primitives/icon'
import { rebirthing } from '../content/rebirthing'
import styles from './flip-card.module.css'
import parts from './parts.module.css'

const labels = rebirthing.flipCardLabels

type FlipCardProps = {
  readonly icon: IconNode
  readonly front: { readonly title: string; readonly text: string }
  readonly back: { readonly title: string; readonly items: readonly string[] }
}

export function FlipCard({ icon, front, back }: FlipCardProps) {
  const [isTurned, setTurned] = useState(false)
  const backId = useId()
  const label = isTurned ? labels.showFront : labels.showBack
  return (
    <article class={`${styles.card} ${isTurned ? styles.turned : ''}`}>
      <div class={styles.sides}>
        <div class={`${styles.side} ${styles.front}`}>
          <span class={parts.archIcon}>
            <Icon of={icon} />
          </span>
          <h3>{front.title}</h3>
          <p class={styles.text}>{front.text}</p>
          <Turn label={labels.showBack} />
        </div>
        <div class={`${styles.side} ${styles.back}`} id={backId}>
          <h3>{back.title}</h3>
          <ul class={parts.checks}>
            {back.items.map((item) => (
              <li key={item}>
                <Icon of={Check} />
                {item}
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
        <span class={hidden.hidden}>{`${label}: ${front.title}`}</span>
      </button>
    </article>
  )
}

type TurnProps = { readonly label: string }

/** What the button says, printed on the side that is in view; the button itself lies over both. */
function Turn({ label }: TurnProps) {
  return (
    <span class={styles.turn} aria-hidden="true">
      <Icon of={RefreshCw} />
      {label}
    </span>
  )
}
