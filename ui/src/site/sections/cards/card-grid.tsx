// A list of cards, each in its place.

import type { ComponentChildren } from 'preact'
import { classNames } from '../../../lib/class-names'
import styles from './card-grid.module.css'
import { cardLayout, type Place } from './card-layout'

type CardGridProps<Item> = {
  /** Null holds the place of one that is on its way. */
  readonly items: readonly Item[]
  readonly card: (item: Item, place: Place, index: number) => ComponentChildren
  /** The first has a row of its own. */
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
