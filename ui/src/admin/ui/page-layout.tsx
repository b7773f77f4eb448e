// Layout of an area: heading, description, loading and error states.
import { CircleAlert, RotateCcw } from 'lucide'
import type { ComponentChildren } from 'preact'
import { Icon } from '../../primitives/icon'
import type { Loaded } from '../api/use-load'
import { Button } from './button'
import { words } from './messages'
import styles from './page-layout.module.css'

type AreaProps = {
  title: string
  text: string
  children: ComponentChildren
  actions?: ComponentChildren
  /** Uses the panel's full width, for lists of images. */
  isWide?: boolean
}

export function PageLayout({ title, text, children, actions, isWide = false }: AreaProps) {
  return (
    <div className={isWide ? `${styles.area} ${styles.wideArea}` : styles.area}>
      <div className={styles.head}>
        <div>
          <h1 tabIndex={-1}>{title}</h1>
          <p>{text}</p>
        </div>
        {actions}
      </div>
      {children}
    </div>
  )
}

/** Renders `children` once the data is loaded, or an error with a retry button. */
export function WhenLoaded<Value>(props: {
  data: Loaded<Value>
  children: (value: Value) => ComponentChildren
}) {
  const { value, error, reload } = props.data
  if (error !== null && value === null) {
    return (
      <div className={styles.failed} role="alert">
        <Icon of={CircleAlert} size={36} />
        <h2>{words.loadError.title}</h2>
        <p>{words.loadError.text}</p>
        <Button tone="outline" icon={RotateCcw} onClick={() => void reload()}>
          {words.retry}
        </Button>
      </div>
    )
  }
  if (value === null) {
    return (
      <p className={styles.quiet} role="status">
        {words.loading}
      </p>
    )
  }
  return <>{props.children(value)}</>
}

export function Card({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section className={styles.card}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}
