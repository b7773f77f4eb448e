// The badge of an event that is sold out or cancelled, the same on the site and in the panel.

import { Ban, Ticket } from 'lucide'
import { classNames } from '../lib/class-names'
import styles from './event-status-badge.module.css'
import { Icon } from './icon'

export type EventStatus = 'soldOut' | 'cancelled'

export function EventStatusBadge({
  kind,
  text,
}: {
  readonly kind: EventStatus
  readonly text: string
}) {
  const isCancelled = kind === 'cancelled'
  return (
    <strong class={classNames(styles.badge, isCancelled && styles.cancelled)}>
      <Icon of={isCancelled ? Ban : Ticket} />
      {text}
    </strong>
  )
}
