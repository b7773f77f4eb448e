// State in one word, with a dot that is filled for a good state.
import type { IconNode } from 'lucide'
import { classNames } from '../../lib/class-names'
import { Icon } from '../../primitives/icon'
import styles from './badge.module.css'

type BadgeProps = {
  children: string
  /** 'look' asks for attention without an error. */
  tone?: 'quiet' | 'good' | 'bad' | 'look'
  /** Without the dot. */
  isPlain?: boolean
  /** Replaces the dot. */
  icon?: IconNode
}

export function Badge({ children, tone = 'quiet', isPlain = false, icon }: BadgeProps) {
  return (
    <span className={classNames(styles.badge, styles[tone], (isPlain || icon) && styles.plain)}>
      {icon === undefined ? null : <Icon of={icon} size={14} />}
      {children}
    </span>
  )
}
