// A state in one word, with a dot that is full when it is good.
import type { IconNode } from 'lucide'
import { classNames } from '../../lib/class-names'
import { Icon } from '../../primitives/icon'
import styles from './badge.module.css'

type BadgeProps = {
  children: string
  /** 'look': somebody should see to it, and nothing is wrong. */
  tone?: 'quiet' | 'good' | 'bad' | 'look'
  /** Without the dot, where nothing is on or off. */
  isPlain?: boolean
  /** In the place of the dot. */
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
