// The last words of a page and where to go from there.

import { classNames } from '../../lib/class-names'
import styles from './closing.module.css'
import frame from './frame.module.css'
import { ButtonLink } from './links'

type ClosingProps = {
  readonly words: {
    readonly title: string
    readonly text: string
    readonly links: readonly { readonly label: string; readonly href: string }[]
  }
  /** On the deep lake, in one row. */
  readonly isDeep?: boolean
  readonly note?: string
}

export function Closing({ words, isDeep = false, note }: ClosingProps) {
  const [first, ...others] = words.links
  return (
    <section
      class={isDeep ? classNames(frame.lake, styles.deep) : classNames(frame.band, styles.light)}
    >
      <div class={classNames(frame.wrap, styles.inside)}>
        <div>
          <h2 class={frame.title}>{words.title}</h2>
          <p class={frame.lead}>{words.text}</p>
        </div>
        <p class={classNames(frame.actions, styles.links)}>
          {first && (
            <ButtonLink href={first.href} tone={isDeep ? 'light' : 'primary'}>
              {first.label}
            </ButtonLink>
          )}
          {others.map(({ label, href }) => (
            <ButtonLink key={href} href={href} tone={isDeep ? 'ghost' : 'outline'}>
              {label}
            </ButtonLink>
          ))}
        </p>
        {note && <p class={styles.note}>{note}</p>}
      </div>
    </section>
  )
}
