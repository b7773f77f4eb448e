// Links to the neighbouring pages of a long list: plain links, so that no script is needed.

import { ArrowLeft } from 'lucide'
import { WordLink } from '../../primitives/buttons'
import { Icon } from '../../primitives/icon'
import { pager } from '../fixed-messages/pager'
import { type Addresses, addressOf, type Part } from '../pagination'
import { TextLink } from './links'
import styles from './pager.module.css'

type PagerProps = { readonly addresses: Addresses; readonly part: Part }

export function Pager({ addresses, part: { number, hasMore } }: PagerProps) {
  if (number === 1 && !hasMore) return null
  return (
    <nav class={styles.pager} aria-label={pager.label}>
      <span>
        {number > 1 && (
          <WordLink href={addressOf(addresses, number - 1)}>
            <Icon of={ArrowLeft} />
            {pager.previous}
          </WordLink>
        )}
      </span>
      <span class={styles.current} aria-current="page">
        {pager.current.replace('{n}', `${number}`)}
      </span>
      <span class={styles.next}>
        {hasMore && (
          <TextLink href={addressOf(addresses, number + 1)} hasArrow>
            {pager.next}
          </TextLink>
        )}
      </span>
    </nav>
  )
}
