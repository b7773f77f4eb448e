// The page about the practitioner: biography, milestones, book, experience.

import { frameByPlace } from '../../lib/picture'
import { PillLink } from '../../primitives/buttons'
import { Icon } from '../../primitives/icon'
import { PictureImage } from '../../primitives/picture'
import bookArt from '../art/book.svg'
import { routeMeta } from '../meta'
import { type Settings, type SiteData, siteOf } from '../page-data'
import { Booking } from '../sections/booking'
import { NewTab } from '../sections/links'
import { ImageOrArt, pictureOr } from '../sections/media/image-or-art'
import { PlaceholderArt } from '../sections/media/placeholder-art'
import parts from '../sections/shared.module.css'
import { Timeline } from '../sections/timeline'
import { useContent } from '../use-content'
import { useIsArtMuted } from '../use-muted-art'
import styles from './chi-sono.module.css'

type PageProps = { readonly data: SiteData }

export const slice = siteOf

export const meta = (data: SiteData) => routeMeta('chi-sono', data)

export function Page({ data }: PageProps) {
  const { settings } = data
  return (
    <>
      <Opening settings={settings} />
      <Biography />
      <Timeline />
      <Book settings={settings} />
      <Experience />
      <Booking />
    </>
  )
}

type PartProps = { readonly settings: Settings }

function Opening({ settings }: PartProps) {
  const words = useContent('chi-sono.hero')
  return (
    <section class={styles.opening}>
      <svg
        class={styles.hills}
        viewBox="0 0 1600 240"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path d="M0 90C220 20 420 20 640 84S1060 170 1290 96S1520 40 1600 60V240H0Z" />
        <path d="M0 160C260 96 470 108 720 156S1200 214 1600 128V240H0Z" />
      </svg>
      <div class={`${parts.wrap} ${styles.stage}`}>
        <div class={styles.hello}>
          <h1>{words.title}</h1>
          <p class={parts.lead}>{words.subtitle}</p>
        </div>
        <div class={`${parts.arch} ${styles.portrait}`}>
          <ImageOrArt
            own={words.portrait}
            otherwise={settings.portraitImage}
            sizes="(width < 48rem) 80vw, 27rem"
            frame={frameByPlace.portrait}
            priority="high"
            seed="chi-sono"
            width={800}
            height={1000}
            drawn="plain"
          />
        </div>
      </div>
    </section>
  )
}

function Biography() {
  const words = useContent('chi-sono.biography')
  if (words === null) return null
  return (
    <section class={parts.band}>
      <div class={`${parts.wrap} ${styles.biography}`}>
        <div class={styles.aside}>
          <h2 class={parts.title}>{words.title}</h2>
          {words.pullQuote && <p class={styles.pullQuote}>{words.pullQuote}</p>}
        </div>
        <div class={parts.prose}>
          {words.text.map((paragraph, place) => (
            // Two paragraphs may be equal: the place is the key.
            <p key={place}>{paragraph}</p>
          ))}
        </div>
      </div>
    </section>
  )
}

function Book({ settings }: PartProps) {
  const words = useContent('chi-sono.book')
  const isQuiet = useIsArtMuted()
  if (words === null) return null
  const picture = pictureOr(words.cover, settings.bookImage)
  const shops = words.shops.filter((shop) => shop.labelLink !== '')
  return (
    <section class={`${parts.band} ${parts.lake}`}>
      <div class={`${parts.wrap} ${styles.book}`}>
        <div class={styles.cover}>
          {picture ? (
            <div class={styles.photograph}>
              <PictureImage picture={picture} sizes="(width < 48rem) 64vw, 20rem" isWhole />
            </div>
          ) : isQuiet ? (
            <PlaceholderArt seed="chi-sono-libro" isQuiet />
          ) : (
            <img src={bookArt} alt={words.cover.alt} width={600} height={800} loading="lazy" />
          )}
        </div>
        <div class={styles.blurb}>
          <h2 class={parts.title}>{words.title}</h2>
          {words.bookTitle && <p class={styles.bookTitle}>{words.bookTitle}</p>}
          {words.text.map((paragraph, place) => (
            // Two paragraphs may be equal: the place is the key.
            <p key={place}>{paragraph}</p>
          ))}
          {words.edition && <p class={styles.edition}>{words.edition}</p>}
          {shops.length > 0 && (
            <p class={styles.shops}>
              {shops.map((shop, index) => (
                <PillLink
                  href={shop.labelLink}
                  tone={index === 0 ? 'light' : 'ghost'}
                  isExternal
                  key={shop.id}
                >
                  {shop.label}
                  <NewTab />
                </PillLink>
              ))}
            </p>
          )}
        </div>
      </div>
    </section>
  )
}

function Experience() {
  const words = useContent('chi-sono.experience')
  if (words === null) return null
  return (
    <section class={parts.band}>
      <div class={parts.wrap}>
        <h2 class={parts.title}>{words.title}</h2>
        <ul class={styles.experience}>
          {words.cards.map((card) => (
            <li key={card.id}>
              <span class={parts.archIcon}>
                <Icon of={card.icon} />
              </span>
              <div>
                <h3>{card.title}</h3>
                <p class={parts.soft}>{card.text}</p>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
