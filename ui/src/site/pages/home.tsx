// The home page.

import { ArrowRight } from 'lucide'
import { WordLink } from '../../primitives/actions'
import { Icon } from '../../primitives/icon'
import { PictureImage } from '../../primitives/picture'
import companies from '../art/companies.svg'
import portrait from '../art/portrait.svg'
import sport from '../art/sport.svg'
import { fill } from '../content/fill'
import { home } from '../content/home'
import { type Settings, type SiteData, siteOf } from '../data'
import { routeMeta } from '../meta'
import { Benefits } from '../sections/benefits'
import { Booking } from '../sections/booking'
import { Hero } from '../sections/hero'
import parts from '../sections/parts.module.css'
import styles from './home.module.css'

const artByAudience = { business: companies, sport }

type PageProps = { readonly data: SiteData }

export const slice = siteOf

export const meta = (data: SiteData) => routeMeta('home', data)

export function Page({ data }: PageProps) {
  const { settings } = data
  return (
    <>
      <Hero settings={settings} pictures={[settings.heroImageOne, settings.heroImageTwo]} />
      <Intro />
      <Practitioner settings={settings} />
      <Benefits />
      <Audiences />
      <Quote />
      <Booking />
    </>
  )
}

function Intro() {
  return (
    <section class={parts.band}>
      <div class={`${parts.wrap} ${styles.intro}`}>
        <h2 class={`${parts.title} ${styles.question}`}>{home.intro.title}</h2>
        <div class={parts.prose}>
          {home.intro.paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          <p class={parts.note}>{home.intro.note}</p>
        </div>
      </div>
    </section>
  )
}

type PractitionerProps = { readonly settings: Settings }

function Practitioner({ settings }: PractitionerProps) {
  const words = home.practitioner
  const picture = settings.portraitImage
  return (
    <section class={`${parts.band} ${parts.deepPaper}`}>
      <div class={`${parts.wrap} ${styles.meet}`}>
        <div class={`${parts.arch} ${styles.portrait}`}>
          {picture ? (
            <PictureImage
              picture={picture}
              sizes="(width >= 76rem) 30rem, (width >= 48rem) 40vw, (width >= 36rem) 30rem, 92vw"
              frame={4 / 5}
            />
          ) : (
            <img src={portrait} alt="" width={800} height={1000} loading="lazy" />
          )}
        </div>
        <div class={styles.words}>
          <h2 class={parts.title}>{words.title}</h2>
          {words.paragraphs.map((paragraph) => (
            <p key={paragraph}>{fill(paragraph, settings)}</p>
          ))}
          <p class={styles.ways}>
            {[words.cta, words.prices].map(({ label, href }) => (
              <WordLink href={href} key={href}>
                {label}
                <Icon of={ArrowRight} />
              </WordLink>
            ))}
          </p>
        </div>
      </div>
    </section>
  )
}

function Audiences() {
  return (
    <section class={parts.band}>
      <div class={parts.wrap}>
        <h2 class={parts.title}>{home.audiences.title}</h2>
        <div class={styles.audiences}>
          {home.audiences.cards.map((card) => (
            <article class={styles.audience} key={card.id}>
              <figure>
                <img src={artByAudience[card.id]} alt="" width={1200} height={900} loading="lazy" />
              </figure>
              <div class={styles.audienceWords}>
                <h3>{card.title}</h3>
                <p class={parts.soft}>{card.text}</p>
                <WordLink href={card.cta.href}>
                  {card.cta.label}
                  <Icon of={ArrowRight} />
                </WordLink>
              </div>
            </article>
          ))}
        </div>
      </div>
    </section>
  )
}

function Quote() {
  const words = home.testimonial
  return (
    <section class={styles.quote}>
      <div class={parts.wrap}>
        <h2>{words.title}</h2>
        <figure>
          <blockquote>{`«${words.quote}»`}</blockquote>
          <figcaption>{words.author}</figcaption>
        </figure>
        <WordLink href={words.cta.href}>
          {words.cta.label}
          <Icon of={ArrowRight} />
        </WordLink>
      </div>
    </section>
  )
}
