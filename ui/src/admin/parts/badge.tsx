// A state in one word, with a dot that is full when it is good.
import { classNames } from '../../lib/class-names'
import styles from './badge.module.css'

type BadgeProps = {
  children: string
  tone?: 'quiet' | 'good' | 'bad'
  /** Without the dot, where nothing is on or off. */
  isPlain?: boolean
}

export function Badge({ children, tone = 'quiet', isPlain = false }: BadgeProps) {
  return (
    <span className={classNames(styles.badge, styles[tone], isPlain && styles.plain)}>
      {children}
    </span>
  )
}
