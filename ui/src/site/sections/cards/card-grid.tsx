// A list of cards with the layout of `card-layout.ts`.

import type { ComponentChildren } from 'preact'
import { classNames } from '../../../lib/class-names'
import styles from './card-grid.module.css'
import { cardLayout, type Place } from './card-layout'

type CardGridProps<Item> = {
  /** Null: a placeholder for an item that is loading. */
  readonly items: readonly Item[]
  readonly card: (item: Item, place: Place, index: number) => ComponentChildren
  /** The first card has a row of its own. */
  readonly hasLead?: boolean
  readonly isBusy?: boolean
}

export function CardGrid<Item extends { readonly id: string } | null>(props: CardGridProps<Item>) {
  const { items, card, hasLead = false, isBusy = false } = props
  const places = cardLayout(items.length, hasLead)
  return (
    <ul class={styles.grid} aria-busy={isBusy}>
      {places.map((place, index) => {
        const item = items[index] as Item
        return (
          <li
            key={item?.id ?? index}
            class={classNames(styles[place.share], place.isAlone && styles.alone)}
          >
            {card(item, place, index)}
          </li>
        )
      })}
    </ul>
  )
}
