// The three packages, the one in the middle standing out.

import { Check } from 'lucide'
import { PillLink } from '../../primitives/actions'
import { Icon } from '../../primitives/icon'
import { choicePath } from '../choice-paths'
import { euro } from '../content/prices'
import { pricing } from '../content/pricing'
import parts from './parts.module.css'
import styles from './pricing.module.css'

type Package = (typeof pricing.packages)[number]

export function Pricing() {
  return (
    <section class={parts.band} aria-labelledby="pricing">
      <div class={parts.wrap}>
        <h2 class={parts.title} id="pricing">
          {pricing.title}
        </h2>
        <p class={`${parts.soft} ${styles.intro}`}>{pricing.intro}</p>
        <div class={styles.packages}>
          {pricing.packages.map((item) => (
            <PackageCard item={item} key={item.id} />
          ))}
        </div>
        <p class={styles.durations}>
          <strong>{pricing.durations.title}</strong> {pricing.durations.text}
        </p>
        <ul class={styles.notes}>
          {pricing.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
        <aside class={`${parts.lake} ${styles.consultation}`}>
          <div>
            <h3>{pricing.consultation.title}</h3>
            <p>{pricing.consultation.text}</p>
          </div>
          <PillLink href={choicePath('freeConsultation')} tone="light">
            {pricing.consultation.cta.label}
          </PillLink>
        </aside>
      </div>
    </section>
  )
}

type PackageCardProps = { readonly item: Package }

function PackageCard({ item }: PackageCardProps) {
  const ground = item.popular ? `${parts.lake} ${styles.popular}` : parts[item.color]
  return (
    <article class={`${styles.package} ${ground}`}>
      {item.popular && <p class={styles.badge}>{item.popularLabel}</p>}
      <h3>{item.title}</h3>
      <p class={styles.price}>{item.price}</p>
      {item.savings && <p class={styles.savings}>{item.savings}</p>}
      {!item.savings && item.listPriceAmount > item.priceAmount && (
        <p class={styles.savings}>
          {pricing.sumLine.replace('{amount}', euro(item.listPriceAmount))}
        </p>
      )}
      <p class={parts.soft}>{item.description}</p>
      <ul class={`${parts.checks} ${styles.features}`}>
        {item.features.map((feature) => (
          <li key={feature}>
            <Icon of={Check} />
            {feature}
          </li>
        ))}
      </ul>
      <p class={styles.action}>
        <PillLink href={choicePath(item.id)} tone={item.popular ? 'light' : 'outline'}>
          {item.buttonText}
        </PillLink>
      </p>
    </article>
  )
}
