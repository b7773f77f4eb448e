// One of the six services: what it is, what it comprises, what it costs.

import {
  Check,
  GraduationCap,
  HeartHandshake,
  type IconNode,
  Mountain,
  User,
  Users,
  Video,
} from 'lucide'
import { PillLink } from '../../primitives/actions'
import hidden from '../../primitives/hidden.module.css'
import { Icon } from '../../primitives/icon'
import { choicePath } from '../choice-paths'
import { services } from '../content/services'
import parts from './parts.module.css'
import styles from './service-card.module.css'

type Service = (typeof services.services)[number]

export const serviceIcons: Record<Service['icon'], IconNode> = {
  User,
  Users,
  GraduationCap,
  Video,
  Mountain,
  HeartHandshake,
}

type ServiceCardProps = { readonly service: Service }

export function ServiceCard({ service }: ServiceCardProps) {
  return (
    <article class={`${styles.card} ${parts[service.color]}`} id={service.id}>
      <header class={styles.header}>
        <span class={styles.icon}>
          <Icon of={serviceIcons[service.icon]} />
        </span>
        <h2>{service.title}</h2>
        <p class={styles.price}>
          <span class={hidden.hidden}>{`${services.labels.price}: `}</span>
          {`${service.price} `}
          <small>{service.priceNote}</small>
        </p>
      </header>
      <p class={styles.text}>{service.description}</p>
      <ul class={`${parts.checks} ${styles.features}`} aria-label={services.labels.featuresTitle}>
        {service.features.map((feature) => (
          <li key={feature}>
            <Icon of={Check} />
            {feature}
          </li>
        ))}
      </ul>
      <p class={styles.action}>
        <PillLink href={choicePath(service.id)}>{service.buttonText}</PillLink>
      </p>
    </article>
  )
}
