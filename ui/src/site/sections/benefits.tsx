// Two cards of benefits, physical and mental, each with a dialog that lists them.

import { ArrowRight, X } from 'lucide'
import { useRef } from 'preact/hooks'
import hidden from '../../primitives/hidden.module.css'
import { Icon } from '../../primitives/icon'
import { closeOnBackdrop } from '../../primitives/use-modal'
import type { Words } from '../content/blocks'
import { labels } from '../fixed-messages/control-labels'
import { useContent } from '../use-content'
import styles from './benefits.module.css'
import parts from './shared.module.css'

type Card = NonNullable<Words['benefits.physical']>

export function Benefits() {
  const words = useContent('benefits.section')
  const physical = useContent('benefits.physical')
  const mental = useContent('benefits.mental')
  if (words === null) return null
  return (
    <section class={`${parts.band} ${parts.lake}`} aria-labelledby="benefits">
      <div class={parts.wrap}>
        <h2 class={`${parts.title} ${styles.title}`} id="benefits">
          {words.title}
        </h2>
        <p class={`${parts.soft} ${styles.text}`}>{words.text}</p>
        <div class={styles.cards}>
          {physical && <BenefitCard id="physical" card={physical} note={words.note} />}
          {mental && <BenefitCard id="mental" card={mental} note={words.note} />}
        </div>
      </div>
    </section>
  )
}

type BenefitCardProps = { readonly id: string; readonly card: Card; readonly note: string }

function BenefitCard({ id, card, note }: BenefitCardProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = `benefits-${id}`
  return (
    <article class={styles.card}>
      <span class={styles.count} aria-hidden="true">
        {card.items.length}
      </span>
      <div>
        <h3>{card.title}</h3>
        <p class={parts.soft}>{card.subtitle}</p>
      </div>
      <button
        type="button"
        class={styles.open}
        onClick={({ currentTarget }) => {
          // Safari focuses no pressed button, and the closed dialog would give the focus to the page.
          currentTarget.focus({ preventScroll: true })
          dialog.current?.showModal()
        }}
      >
        {card.openLabel}
        <span class={hidden.hidden}>{` ${card.title}`}</span>
        <Icon of={ArrowRight} />
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself */}
      <dialog
        class={styles.dialog}
        ref={dialog}
        aria-labelledby={titleId}
        closedby="any"
        onClick={closeOnBackdrop}
      >
        <div class={styles.sheet}>
          <header>
            <div>
              <p class={styles.kind}>{card.title}</p>
              <h2 id={titleId}>{card.listTitle}</h2>
            </div>
            <button
              type="button"
              class={styles.close}
              aria-label={labels.close}
              onClick={() => dialog.current?.close()}
            >
              <Icon of={X} />
            </button>
          </header>
          <p>{card.listIntro}</p>
          <ol class={styles.list}>
            {card.items.map((item) => (
              <li key={item.id}>{item.text}</li>
            ))}
          </ol>
          <p class={styles.fine}>{note}</p>
        </div>
      </dialog>
    </article>
  )
}
