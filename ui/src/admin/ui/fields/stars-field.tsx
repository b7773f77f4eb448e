// Rating of one to five stars, implemented as radio buttons.

import { Star } from 'lucide'
import { useState } from 'preact/hooks'
import { Icon } from '../../../primitives/icon'
import { starsLabel } from '../messages'
import styles from './stars-field.module.css'

type StarsFieldProps = {
  id: string
  label: string
  value: number
  min: number
  max: number
  onChange: (value: number) => void
}

export function StarsField({ id, label, value, min, max, onChange }: StarsFieldProps) {
  const [over, setOver] = useState<number | null>(null)
  const shown = over ?? value
  const counts = Array.from({ length: max - min + 1 }, (_, index) => min + index)
  return (
    <fieldset className={styles.set}>
      <legend className={styles.legend}>{label}</legend>
      <div className={styles.row}>
        {counts.map((count) => (
          <label
            key={count}
            className={styles.star}
            onMouseEnter={() => setOver(count)}
            onMouseLeave={() => setOver(null)}
          >
            <input
              type="radio"
              name={id}
              value={count}
              checked={count === value}
              aria-label={starsLabel(count)}
              onChange={() => onChange(count)}
            />
            <Icon of={Star} size={26} class={count <= shown ? styles.on : styles.off} isFilled />
          </label>
        ))}
        <span className={styles.count} aria-hidden="true">
          {value} su {max}
        </span>
      </div>
    </fieldset>
  )
}

/** Read-only rating. */
export function Stars({ value }: { value: number }) {
  return (
    <span className={styles.rating} role="img" aria-label={starsLabel(value)}>
      {[1, 2, 3, 4, 5].map((count) => (
        <Icon
          key={count}
          of={Star}
          size={15}
          isFilled
          class={count <= value ? styles.on : styles.off}
        />
      ))}
    </span>
  )
}
