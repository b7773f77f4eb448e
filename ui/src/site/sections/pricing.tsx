// The three packages, with the middle one highlighted.

import { Check } from 'lucide'
import { PillLink } from '../../primitives/buttons'
import { Icon } from '../../primitives/icon'
import type { Words } from '../content/blocks'
import { serviceLabels as labels } from '../fixed-messages/control-labels'
import { packageSavings } from '../package-savings'
import { useContent } from '../use-content'
import { Collapsible } from './collapsible'
import styles from './pricing.module.css'
import parts from './shared.module.css'

type Pricing = Words['pricing.packages']
type Package = Pricing['packages'][number]

export function Pricing() {
  const words = useContent('pricing.packages')
  const notes = useContent('pricing.notes')
  const consultation = useContent('pricing.consultation')
  return (
    <section class={parts.band} aria-labelledby="pricing">
      <div class={parts.wrap}>
        <h2 class={parts.title} id="pricing">
          {words.title}
        </h2>
        <p class={`${parts.soft} ${styles.intro}`}>{words.intro}</p>
        <div class={styles.packages}>
          {words.packages.map((item) => (
            <PackageCard words={words} item={item} key={item.id} />
          ))}
        </div>
        {notes && (
          <>
            <p class={styles.durations}>
              <strong>{notes.durationsTitle}</strong> {notes.durations}
            </p>
            <ul class={styles.notes}>
              {notes.notes.map((note) => (
                <li key={note.id}>{note.text}</li>
              ))}
            </ul>
          </>
        )}
        {consultation && (
          <aside class={`${parts.lake} ${styles.consultation}`}>
            <div>
              <h3>{consultation.title}</h3>
              <p>{consultation.text}</p>
            </div>
            <PillLink href={consultation.ctaLink} tone="light">
              {consultation.cta}
            </PillLink>
          </aside>
        )}
      </div>
    </section>
  )
}

type PackageCardProps = { readonly words: Pricing; readonly item: Package }

function PackageCard({ words, item }: PackageCardProps) {
  const { offers } = useContent('servizi.offers')
  const comparison = packageSavings(words, item, offers)
  const isPopular = item.badge !== ''
  const ground = isPopular ? `${parts.lake} ${styles.popular}` : parts[item.color]
  return (
    <article class={`${styles.package} ${ground}`}>
      <header class={styles.head}>
        {isPopular && <p class={styles.badge}>{item.badge}</p>}
        <h3>{item.title}</h3>
        <p class={styles.price}>{item.price.text}</p>
        {comparison && <p class={styles.savings}>{comparison}</p>}
      </header>
      <Collapsible label={labels.open.replace('{title}', () => item.title)}>
        <p class={parts.soft}>{item.description}</p>
        <ul class={`${parts.checks} ${styles.features}`}>
          {item.features.map((feature) => (
            <li key={feature.id}>
              <Icon of={Check} />
              {feature.text}
            </li>
          ))}
        </ul>
        <p class={styles.action}>
          <PillLink href={item.ctaLink} tone={isPopular ? 'light' : 'outline'}>
            {item.cta}
          </PillLink>
        </p>
      </Collapsible>
    </article>
  )
}
