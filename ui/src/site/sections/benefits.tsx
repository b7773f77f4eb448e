// Two cards of benefits, physical and mental, each with a dialog that lists them.

import { ArrowRight, X } from 'lucide'
import { useRef } from 'preact/hooks'
import hidden from '../../primitives/hidden.module.css'
import { Icon } from '../../primitives/icon'
import { benefits } from '../content/benefits'
import styles from './benefits.module.css'
import parts from './parts.module.css'

export function Benefits() {
  return (
    <section class={`${parts.band} ${parts.lake}`} aria-labelledby="benefits">
      <div class={parts.wrap}>
        <h2 class={`${parts.title} ${styles.title}`} id="benefits">
          {benefits.sectionTitle}
        </h2>
        <p class={`${parts.soft} ${styles.text}`}>{benefits.sectionText}</p>
        <div class={styles.cards}>
          {benefits.cards.map((card) => (
            <BenefitCard card={card} key={card.id} />
          ))}
        </div>
      </div>
    </section>
  )
}

type BenefitCardProps = { readonly card: (typeof benefits.cards)[number] }

function BenefitCard({ card }: BenefitCardProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = `benefits-${card.id}`
  return (
    <article class={styles.card}>
      <span class={styles.count} aria-hidden="true">
        {card.items.length}
      </span>
      <div>
        <h3>{card.title}</h3>
        <p class={parts.soft}>{card.subtitle}</p>
      </div>
      <button type="button" class={styles.open} onClick={() => dialog.current?.showModal()}>
        {benefits.openLabel}
        <span class={hidden.hidden}>{` ${card.title}`}</span>
        <Icon of={ArrowRight} />
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys close a dialog by themselves */}
      <dialog
        class={styles.dialog}
        ref={dialog}
        aria-labelledby={titleId}
        onClick={(event) => {
          // The dialog itself is hit only outside its content: on the backdrop.
          if (event.target === event.currentTarget) dialog.current?.close()
        }}
      >
        <div class={styles.sheet}>
          <header>
            <div>
              <p class={styles.kind}>{card.title}</p>
              <h2 id={titleId}>{card.modalTitle}</h2>
            </div>
            <button
              type="button"
              class={styles.close}
              aria-label={benefits.closeLabel}
              onClick={() => dialog.current?.close()}
            >
              <Icon of={X} />
            </button>
          </header>
          <p>{card.modalIntro}</p>
          <ol class={styles.list}>
            {card.items.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ol>
          <p class={styles.fine}>{benefits.modalNote}</p>
        </div>
      </dialog>
    </article>
  )
}
