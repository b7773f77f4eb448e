// The seal of an event that is sold out or cancelled, the same on the site and in the panel.

import { Ban, Ticket } from 'lucide'
import { classNames } from '../lib/class-names'
import { Icon } from './icon'
import styles from './seal.module.css'

export type SealKind = 'soldOut' | 'cancelled'

export function Seal({ kind, text }: { readonly kind: SealKind; readonly text: string }) {
  const isCancelled = kind === 'cancelled'
  return (
    <strong class={classNames(styles.seal, isCancelled && styles.cancelled)}>
      <Icon of={isCancelled ? Ban : Ticket} />
      {text}
    </strong>
  )
}
