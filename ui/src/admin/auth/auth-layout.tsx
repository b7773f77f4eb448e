// Layout of the screens outside the panel: illustration on one side, a short form on the other.
import { ArrowLeft } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../../primitives/icon'
import { words } from '../ui/messages'
import dawn from './dawn.svg'
import { authMessages } from './messages'
import styles from './sign-in.module.css'

type DoorwayProps = {
  title: string
  text: string
  children: ComponentChildren
  /** Current step and number of steps. */
  steps?: readonly [number, number]
  after?: ComponentChildren
  /** One of several steps: its heading takes the focus, so that screen readers announce it. */
  isStep?: boolean
}

export function AuthLayout(props: DoorwayProps) {
  const { title, text, children, steps, after, isStep = false } = props
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isStep) return
    document.title = `${title} · ${words.title}`
    heading.current?.focus()
  }, [isStep, title])
  return (
    <div className={styles.door}>
      <header className={styles.lake}>
        <img src={dawn} alt="" />
        <a className={styles.brand} href="/">
          Respiro
        </a>
        <p>Un respiro, poi si comincia.</p>
      </header>
      <main className={styles.main}>
        <div className={styles.pane}>
          {steps === undefined ? null : <Steps at={steps[0]} of={steps[1]} />}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          <p className={styles.intro}>{text}</p>
          {children}
          {after ?? (
            <a className={styles.back} href="/">
              <Icon size={20} of={ArrowLeft} />
              {authMessages.back}
            </a>
          )}
        </div>
      </main>
    </div>
  )
}

function Steps({ at, of }: { at: number; of: number }) {
  return (
    <p className={styles.steps}>
      {Array.from({ length: of }, (_, index) => index + 1).map((step) => (
        <span key={step} className={step <= at ? styles.on : ''} aria-hidden="true" />
      ))}
      <b>
        Passo {at} di {of}
      </b>
    </p>
  )
}
