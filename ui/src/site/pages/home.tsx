// The home page.

import { frameByPlace } from '../../lib/picture'
import companies from '../art/companies.svg'
import portrait from '../art/portrait.svg'
import sport from '../art/sport.svg'
import { routeMeta } from '../meta'
import { type Settings, type SiteData, siteOf } from '../page-data'
import { Benefits } from '../sections/benefits'
import { Booking } from '../sections/booking'
import { Hero } from '../sections/hero'
import { TextLink } from '../sections/links'
import { ImageOrArt } from '../sections/media/image-or-art'
import parts from '../sections/shared.module.css'
import { useContent } from '../use-content'
import styles from './home.module.css'

const drawings = { companies, sport }

type PageProps = { readonly data: SiteData }

export const slice = siteOf

export const meta = (data: SiteData) => routeMeta('home', data)

export function Page({ data }: PageProps) {
  const { settings } = data
  return (
    <>
      <Hero pictures={[settings.heroImageOne, settings.heroImageTwo]} />
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
  const words = useContent('home.intro')
  if (words === null) return null
  return (
    <section class={parts.band}>
      <div class={`${parts.wrap} ${styles.intro}`}>
        <h2 class={`${parts.title} ${styles.question}`}>{words.title}</h2>
        <div class={parts.prose}>
          {words.text.map((paragraph, place) => (
            // Two paragraphs may be equal: the place is the key.
            <p key={place}>{paragraph}</p>
          ))}
          {words.note && <p class={parts.note}>{words.note}</p>}
        </div>
      </div>
    </section>
  )
}

type PractitionerProps = { readonly settings: Settings }

function Practitioner({ settings }: PractitionerProps) {
  const words = useContent('home.practitioner')
  if (words === null) return null
  const ways = [
    { label: words.cta, href: words.ctaLink },
    { label: words.prices, href: words.pricesLink },
  ]
  return (
    <section class={`${parts.band} ${parts.deepPaper}`}>
      <div class={`${parts.wrap} ${styles.meet}`}>
        <div class={`${parts.arch} ${styles.portrait}`}>
          <ImageOrArt
            own={words.portrait}
            otherwise={settings.portraitImage}
            sizes="(width >= 76rem) 30rem, (width >= 48rem) 40vw, (width >= 36rem) 30rem, 92vw"
            frame={frameByPlace.portrait}
            drawing={portrait}
            seed="home-portrait"
            width={800}
            height={1000}
          />
        </div>
        <div class={styles.words}>
          <h2 class={parts.title}>{words.title}</h2>
          {words.text.map((paragraph, place) => (
            // Two paragraphs may be equal: the place is the key.
            <p key={place}>{paragraph}</p>
          ))}
          <p class={styles.ways}>
            {ways.map(({ label, href }) => (
              <TextLink href={href} key={href} hasArrow>
                {label}
              </TextLink>
            ))}
          </p>
        </div>
      </div>
    </section>
  )
}

function Audiences() {
  const words = useContent('home.audiences')
  if (words === null) return null
  return (
    <section class={parts.band}>
      <div class={parts.wrap}>
        <h2 class={parts.title}>{words.title}</h2>
        <div class={styles.audiences}>
          {words.cards.map((card) => (
            <article class={styles.audience} key={card.id}>
              <figure>
                <ImageOrArt
                  own={card.picture}
                  sizes="(width >= 48rem) 45vw, 92vw"
                  frame={frameByPlace.audience}
                  drawing={drawings[card.drawing]}
                  seed={`home-${card.id}`}
                  width={1200}
                  height={900}
                />
              </figure>
              <div class={styles.audienceWords}>
                <h3>{card.title}</h3>
                <p class={parts.soft}>{card.text}</p>
                <TextLink href={card.ctaLink} hasArrow>
                  {card.cta}
                </TextLink>
              </div>
            </article>
          ))}
        </div>
      </div>
    </section>
  )
}

function Quote() {
  const words = useContent('home.quote')
  if (words === null) return null
  return (
    <section class={styles.quote}>
      <div class={parts.wrap}>
        <h2>{words.title}</h2>
        <figure>
          <blockquote>{`«${words.quote}»`}</blockquote>
          <figcaption>{words.author}</figcaption>
        </figure>
        <TextLink href={words.ctaLink} hasArrow>
          {words.cta}
        </TextLink>
      </div>
    </section>
  )
}
