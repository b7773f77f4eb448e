// The frequent questions: one open at a time, without a script.

import { Plus } from 'lucide'
import { Icon } from '../../primitives/icon'
import { useContent } from '../use-content'
import styles from './faq.module.css'
import parts from './shared.module.css'

export function Faq() {
  const faq = useContent('contatti.faq')
  if (faq === null) return null
  return (
    <section class={parts.band} aria-labelledby="faq">
      <div class={`${parts.wrap} ${styles.layout}`}>
        <header>
          <h2 class={parts.title} id="faq">
            {faq.title}
          </h2>
          <p class={parts.soft}>{faq.intro}</p>
        </header>
        <div class={styles.list}>
          {faq.items.map((item) => (
            <details name="faq" key={item.id}>
              <summary>
                <h3>{item.question}</h3>
                <Icon of={Plus} />
              </summary>
              <p>{item.answer}</p>
            </details>
          ))}
        </div>
      </div>
    </section>
  )
}
