// Closing section of a page, with links to other pages.

import { classNames } from '../../lib/class-names'
import type { Words } from '../content/blocks'
import styles from './cta-section.module.css'
import { ButtonLink } from './links'
import parts from './shared.module.css'

type ClosingProps = {
  /** Null when the block is hidden. */
  readonly words: Words['testimonianze.closing']
  /** Dark background, in one row. */
  readonly isDeep?: boolean
}

export function CtaSection({ words, isDeep = false }: ClosingProps) {
  if (words === null) return null
  const [first, ...others] = words.links
  return (
    <section
      class={isDeep ? classNames(parts.lake, styles.deep) : classNames(parts.band, styles.light)}
    >
      <div class={classNames(parts.wrap, styles.inside)}>
        <div>
          <h2 class={parts.title}>{words.title}</h2>
          <p class={parts.subtitle}>{words.text}</p>
        </div>
        <p class={classNames(parts.actions, styles.links)}>
          {first && (
            <ButtonLink href={first.labelLink} tone={isDeep ? 'light' : 'primary'}>
              {first.label}
            </ButtonLink>
          )}
          {others.map(({ id, label, labelLink: href }) => (
            <ButtonLink key={id} href={href} tone={isDeep ? 'ghost' : 'outline'}>
              {label}
            </ButtonLink>
          ))}
        </p>
      </div>
    </section>
  )
}
