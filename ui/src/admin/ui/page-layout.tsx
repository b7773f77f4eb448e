// The frame of an area: heading, what it is for, and what to say while its data is not there.
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
  /** As wide as the panel: lists of pictures. */
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

/** Shows `children` once the data is there, or that it cannot be had now. */
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
