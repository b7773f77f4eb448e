// How much of something has been sent.
import styles from './progress.module.css'

export function Progress({ percent, label }: { percent: number; label: string }) {
  return <progress className={styles.progress} value={percent} max={100} aria-label={label} />
}
