// The page about Rebirthing: the method, stress, companies, sport.

import { Check } from 'lucide'
import { frameByPlace } from '../../lib/picture'
import { PillLink } from '../../primitives/buttons'
import { Icon } from '../../primitives/icon'
import deskArt from '../art/desk.svg'
import rowingArt from '../art/rowing.svg'
import type { Words } from '../content/blocks'
import { routeMeta } from '../meta'
import { type SiteData, siteOf } from '../page-data'
import { Booking } from '../sections/booking'
import { FlipCard } from '../sections/cards/flip-card'
import { TextLink } from '../sections/links'
import { HeroImage } from '../sections/media/hero-image'
import { ImageOrArt } from '../sections/media/image-or-art'
import { MotionToggle } from '../sections/motion-toggle'
import parts from '../sections/shared.module.css'
import { useContent } from '../use-content'
import styles from './rebirthing.module.css'

type Audience = Words['flip-cards.business']

const ringRadii = [118, 190, 270, 358, 454, 558]

export const slice = siteOf

export const meta = (data: SiteData) => routeMeta('rebirthing', data)

export function Page() {
  const business = useContent('flip-cards.business')
  const sport = useContent('flip-cards.sport')
  return (
    <>
      <Opening />
      <Method />
      <Stress />
      <AudienceSection anchor="aziende" audience={business} art={deskArt} />
      <AudienceSection anchor="sport" audience={sport} art={rowingArt} isDeep />
      <Booking />
    </>
  )
}

function Opening() {
  const words = useContent('rebirthing.hero')
  return (
    <section class={styles.opening}>
      {words.picture.picture === null && (
        <svg class={styles.rings} viewBox="0 0 1200 1200" aria-hidden="true">
          {ringRadii.map((radius) => (
            <circle cx="600" cy="600" r={radius} key={radius} />
          ))}
          <circle class={styles.sun} cx="600" cy="600" r="64" />
        </svg>
      )}
      <div class={`${parts.wrap} ${styles.hello}`}>
        <h1>{words.title}</h1>
        <p class={parts.lead}>{words.subtitle}</p>
        {words.picture.picture && <HeroImage picture={words.picture.picture} shape="band" />}
      </div>
      {words.picture.picture === null && (
        <div class={styles.motion}>
          <MotionToggle />
        </div>
      )}
    </section>
  )
}

function Method() {
  const words = useContent('rebirthing.method')
  const steps = useContent('rebirthing.steps')
  const boundaries = useContent('rebirthing.boundaries')
  return (
    <section class={parts.band}>
      <div class={parts.wrap}>
        <div class={styles.method}>
          <h2 class={parts.title}>{words.title}</h2>
          <div class={parts.prose}>
            {words.text.map((paragraph, place) => (
              // Two paragraphs may be equal: the place is the key.
              <p key={place}>{paragraph}</p>
            ))}
          </div>
        </div>
        {steps && (
          <>
            <h3 class={styles.subtitle}>{steps.title}</h3>
            <ol class={styles.steps}>
              {steps.items.map((step) => (
                <li key={step.id}>
                  <h4>{step.title}</h4>
                  <p class={parts.soft}>{step.text}</p>
                </li>
              ))}
            </ol>
            <p class={styles.prices}>
              <TextLink href={steps.pricesLink} hasArrow>
                {steps.prices}
              </TextLink>
            </p>
          </>
        )}
        <aside class={styles.boundaries}>
          <h3>{boundaries.title}</h3>
          <p>{boundaries.text}</p>
          <TextLink href={boundaries.ctaLink} hasArrow>
            {boundaries.cta}
          </TextLink>
        </aside>
      </div>
    </section>
  )
}

function Stress() {
  const words = useContent('rebirthing.stress')
  if (words === null) return null
  return (
    <section class={`${parts.band} ${parts.deepPaper}`}>
      <div class={`${parts.wrap} ${styles.stress}`}>
        <div class={styles.stressWords}>
          <h2 class={parts.title}>{words.title}</h2>
          {words.text.map((paragraph, place) => (
            // Two paragraphs may be equal: the place is the key.
            <p key={place}>{paragraph}</p>
          ))}
          {words.note && <p class={parts.note}>{words.note}</p>}
        </div>
        <div class={styles.lists}>
          <div class={styles.signs}>
            <h3>{words.signsTitle}</h3>
            <ul>
              {words.signs.map((item) => (
                <li key={item.id}>{item.text}</li>
              ))}
            </ul>
          </div>
          <div class={styles.learnings}>
            <h3>{words.learningsTitle}</h3>
            <ul class={parts.checks}>
              {words.learnings.map((item) => (
                <li key={item.id}>
                  <Icon of={Check} />
                  {item.text}
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
  readonly anchor: string
  readonly audience: Audience
  readonly art: string
  readonly isDeep?: boolean
}

function AudienceSection({ anchor, audience, art, isDeep = false }: AudienceSectionProps) {
  if (audience === null) return null
  return (
    <section
      class={`${parts.band} ${styles.audience} ${isDeep ? `${parts.lake} ${styles.mirrored}` : ''}`}
      id={anchor}
    >
      <div class={parts.wrap}>
        <div class={styles.presentation}>
          <figure class={parts.picture}>
            <ImageOrArt
              own={audience.picture}
              sizes="(width >= 60rem) 45vw, 92vw"
              frame={frameByPlace.scene}
              drawing={art}
              seed={`rebirthing-${anchor}`}
              width={1200}
              height={900}
            />
          </figure>
          <div class={styles.audienceWords}>
            <h2 class={parts.title}>{audience.title}</h2>
            {audience.text.map((paragraph, place) => (
              // Two paragraphs may be equal: the place is the key.
              <p key={place}>{paragraph}</p>
            ))}
          </div>
        </div>
        <div class={styles.flipCards}>
          {audience.cards.map((card) => (
            <FlipCard card={card} key={card.id} />
          ))}
        </div>
        <div class={styles.closing}>
          {audience.note && <p class={parts.note}>{audience.note}</p>}
          <PillLink href={audience.ctaLink} tone={isDeep ? 'light' : 'primary'}>
            {audience.cta}
          </PillLink>
        </div>
      </div>
    </section>
  )
}
