// Opening of a secondary list: link back, title, one sentence.

import { ArrowLeft } from 'lucide'
import { classNames } from '../../lib/class-names'
import { WordLink } from '../../primitives/buttons'
import { Icon } from '../../primitives/icon'
import styles from './list-header.module.css'
import parts from './shared.module.css'

type ListOpeningProps = {
  readonly title: string
  readonly text: string
  readonly back: { readonly href: string; readonly label: string }
}

export function ListHeader({ title, text, back }: ListOpeningProps) {
  return (
    <section class={styles.opening}>
      <div class={classNames(parts.wrap, styles.hello)}>
        <p>
          <WordLink href={back.href}>
            <Icon of={ArrowLeft} />
            {back.label}
          </WordLink>
        </p>
        <h1>{title}</h1>
        <p class={parts.lead}>{text}</p>
      </div>
    </section>
  )
}
