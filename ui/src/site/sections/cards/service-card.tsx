// One of the six services: description, contents, price.

import { Check } from 'lucide'
import { PillLink } from '../../../primitives/buttons'
import hidden from '../../../primitives/hidden.module.css'
import { Icon } from '../../../primitives/icon'
import type { Words } from '../../content/blocks'
import { serviceLabels as labels } from '../../fixed-messages/control-labels'
import { Collapsible } from '../collapsible'
import parts from '../shared.module.css'
import styles from './service-card.module.css'

type Service = Words['servizi.offers']['offers'][number]

type ServiceCardProps = { readonly service: Service }

export function ServiceCard({ service }: ServiceCardProps) {
  return (
    <article class={`${styles.card} ${parts[service.color]}`} id={service.id}>
      <header class={styles.header}>
        <span class={`${parts.archIcon} ${styles.icon}`}>
          <Icon of={service.icon} />
        </span>
        <h2>{service.title}</h2>
        <p class={styles.price}>
          <span class={hidden.hidden}>{`${labels.price}: `}</span>
          {`${service.price.text} `}
          {service.priceNote && <small>{service.priceNote}</small>}
        </p>
      </header>
      <Collapsible label={labels.open.replace('{title}', () => service.title)}>
        <p class={styles.text}>{service.description}</p>
        <ul class={`${parts.checks} ${styles.features}`} aria-label={labels.features}>
          {service.features.map((feature) => (
            <li key={feature.id}>
              <Icon of={Check} />
              {feature.text}
            </li>
          ))}
        </ul>
        <p class={styles.action}>
          <PillLink href={service.ctaLink}>{service.cta}</PillLink>
        </p>
      </Collapsible>
    </article>
  )
}
