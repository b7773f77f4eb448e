// What Rebirthing is: the method, stress, companies, sport.

import {
  ArrowRight,
  Building2,
  Check,
  ClipboardCheck,
  type IconNode,
  Medal,
  Trophy,
  UserCheck,
  UsersRound,
} from 'lucide'
import { PillLink, WordLink } from '../../primitives/actions'
import { Icon } from '../../primitives/icon'
import companiesArt from '../art/companies.svg'
import sportArt from '../art/sport.svg'
import { type ChoiceName, choicePath } from '../choice-paths'
import { business, sport } from '../content/flip-cards'
import { rebirthing } from '../content/rebirthing'
import { type SiteData, siteOf } from '../data'
import { routeMeta } from '../meta'
import { Booking } from '../sections/booking'
import { FlipCard } from '../sections/flip-card'
import parts from '../sections/parts.module.css'
import styles from './rebirthing.module.css'

type Audience = typeof business | typeof sport

const cardIcons: Record<Audience['flipCards'][number]['icon'], IconNode> = {
  UserCheck,
  UsersRound,
  Building2,
  Medal,
  Trophy,
  ClipboardCheck,
}
const ringRadii = [118, 190, 270, 358, 454, 558]

export const slice = siteOf

export const meta = (data: SiteData) => routeMeta('rebirthing', data)

export function Page() {
  return (
    <>
      <Opening />
      <Method />
      <Stress />
      <AudienceSection choice="business" audience={business} art={companiesArt} />
      <AudienceSection choice="sport" audience={sport} art={sportArt} isDeep />
      <Booking />
    </>
  )
}

function Opening() {
  return (
    <section class={styles.opening}>
      <svg class={styles.rings} viewBox="0 0 1200 1200" aria-hidden="true">
        {ringRadii.map((radius) => (
          <circle cx="600" cy="600" r={radius} key={radius} />
        ))}
        <circle class={styles.sun} cx="600" cy="600" r="64" />
      </svg>
      <div class={`${parts.wrap} ${styles.hello}`}>
        <h1>{rebirthing.hero.title}</h1>
        <p class={parts.lead}>{rebirthing.hero.subtitle}</p>
      </div>
    </section>
  )
}

function Method() {
  const words = rebirthing.method
  return (
    <section class={parts.band}>
      <div class={parts.wrap}>
        <div class={styles.method}>
          <h2 class={parts.title}>{words.title}</h2>
          <div class={parts.prose}>
            {words.paragraphs.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </div>
        </div>
        <h3 class={styles.subtitle}>{words.steps.title}</h3>
        <ol class={styles.steps}>
          {words.steps.items.map((step) => (
            <li key={step.title}>
              <h4>{step.title}</h4>
              <p class={parts.soft}>{step.text}</p>
            </li>
          ))}
        </ol>
        <p class={styles.prices}>
          <WordLink href={words.prices.href}>
            {words.prices.label}
            <Icon of={ArrowRight} />
          </WordLink>
        </p>
        <aside class={styles.boundaries}>
          <h3>{words.boundaries.title}</h3>
          <p>{words.boundaries.text}</p>
          <WordLink href={words.boundaries.cta.href}>
            {words.boundaries.cta.label}
            <Icon of={ArrowRight} />
          </WordLink>
        </aside>
      </div>
    </section>
  )
}

function Stress() {
  const words = rebirthing.stress
  return (
    <section class={`${parts.band} ${parts.deepPaper}`}>
      <div class={`${parts.wrap} ${styles.stress}`}>
        <div class={styles.stressWords}>
          <h2 class={parts.title}>{words.title}</h2>
          {words.paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          <p class={parts.note}>{words.note}</p>
        </div>
        <div class={styles.lists}>
          <div class={styles.signs}>
            <h3>{words.signs.title}</h3>
            <ul>
              {words.signs.items.map((item) => (
                <li key={item}>{item}</li>
              ))}
            </ul>
          </div>
          <div class={styles.learnings}>
            <h3>{words.learnings.title}</h3>
            <ul class={parts.checks}>
              {words.learnings.items.map((item) => (
                <li key={item}>
                  <Icon of={Check} />
                  {item}
                </li>
              ))}
            </ul>
          </div>
        </div>
      </div>
    </section>
  )
}

type AudienceSectionProps = {
  readonly audience: Audience
  readonly art: string
  readonly choice: ChoiceName
  readonly isDeep?: boolean
}

function AudienceSection({ audience, art, choice, isDeep = false }: AudienceSectionProps) {
  return (
    <section
      class={`${parts.band} ${styles.audience} ${isDeep ? `${parts.lake} ${styles.mirrored}` : ''}`}
      id={audience.anchor}
    >
      <div class={parts.wrap}>
        <div class={styles.presentation}>
          <figure class={parts.picture}>
            <img src={art} alt="" width={1200} height={900} loading="lazy" />
          </figure>
          <div class={styles.audienceWords}>
            <h2 class={parts.title}>{audience.title}</h2>
            {audience.paragraphs.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </div>
        </div>
        <div class={styles.flipCards}>
          {audience.flipCards.map((card) => (
            <FlipCard
              icon={cardIcons[card.icon]}
              front={card.front}
              back={card.back}
              key={card.id}
            />
          ))}
        </div>
        <div class={styles.closing}>
          <p class={parts.note}>{audience.note}</p>
          <PillLink href={choicePath(choice)} tone={isDeep ? 'light' : 'primary'}>
            {audience.cta.label}
          </PillLink>
        </div>
      </div>
    </section>
  )
}
