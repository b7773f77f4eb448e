// The way to write a message, within reach on every page.

import { MessageCircle } from 'lucide'
import { Icon } from '../../primitives/icon'
import { whatsappHref } from '../content/fill'
import { global } from '../content/global'
import type { Settings } from '../data'
import styles from './floating.module.css'

type MessagingButtonProps = { readonly settings: Settings }

export function MessagingButton({ settings }: MessagingButtonProps) {
  const href = whatsappHref(settings)
  if (!href) return null
  return (
    <aside aria-label={global.messaging.label}>
      <a
        class={styles.messaging}
        href={href}
        target="_blank"
        rel="noopener"
        aria-label={global.messaging.accessibleLabel}
      >
        <Icon of={MessageCircle} />
      </a>
    </aside>
  )
}
