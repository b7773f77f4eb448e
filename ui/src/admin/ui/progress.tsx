// Progress bar of an upload.
import styles from './progress.module.css'

export function Progress({ percent, label }: { percent: number; label: string }) {
  return <progress className={styles.progress} value={percent} max={100} aria-label={label} />
}
