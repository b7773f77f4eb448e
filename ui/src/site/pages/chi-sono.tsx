// The page about the practitioner: biography, milestones, book, experience.

import { Award, GraduationCap, Hospital, Wind } from 'lucide'
import { PillLink } from '../../primitives/actions'
import { Icon } from '../../primitives/icon'
import { PictureImage } from '../../primitives/picture'
import bookArt from '../art/book.svg'
import portraitArt from '../art/portrait.svg'
import { chiSono } from '../content/chi-sono'
import { fill, webHref } from '../content/fill'
import { type Settings, type SiteData, siteOf } from '../data'
import { routeMeta } from '../meta'
import { Booking } from '../sections/booking'
import { NewTab } from '../sections/links'
import parts from '../sections/parts.module.css'
import { Timeline } from '../sections/timeline'
import styles from './chi-sono.module.css'

const experienceIcons = { GraduationCap, Award, Hospital, Wind }

type PageProps = { readonly data: SiteData }

export const slice = siteOf

export const meta = (data: SiteData) => routeMeta('about', data)

export function Page({ data }: PageProps) {
  const { settings } = data
  return (
    <>
      <Opening settings={settings} />
      <Biography settings={settings} />
      <Timeline />
      <Book settings={settings} />
      <Experience settings={settings} />
      <Booking />
    </>
  )
}

type PartProps = { readonly settings: Settings }

function Opening({ settings }: PartProps) {
  const picture = settings.portraitImage
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
          <h1>{chiSono.hero.title}</h1>
          <p class={parts.lead}>{chiSono.hero.subtitle}</p>
        </div>
        <div class={`${parts.arch} ${styles.portrait}`}>
          {picture ? (
            <PictureImage
              picture={picture}
              sizes="(width < 48rem) 80vw, 27rem"
              frame={4 / 5}
              priority="high"
            />
          ) : (
            <img src={portraitArt} alt="" width={800} height={1000} />
          )}
        </div>
      </div>
    </section>
  )
}

function Biography({ settings }: PartProps) {
  const words = chiSono.biography
  return (
    <section class={parts.band}>
      <div class={`${parts.wrap} ${styles.biography}`}>
        <div class={styles.aside}>
          <h2 class={parts.title}>{words.title}</h2>
          <p class={styles.pullQuote}>{words.pullQuote}</p>
        </div>
        <div class={parts.prose}>
          {words.paragraphs.map((paragraph) => (
            <p key={paragraph}>{fill(paragraph, settings)}</p>
          ))}
        </div>
      </div>
    </section>
  )
}

function Book({ settings }: PartProps) {
  const words = chiSono.book
  const bookTitle = fill(words.bookTitle, settings)
  const picture = settings.bookImage
  const shops = [
    { ...words.links[0], href: webHref('bookstoreUrl', settings) },
    { ...words.links[1], href: webHref('publisherUrl', settings) },
  ].filter((shop) => shop.href !== '')
  return (
    <section class={`${parts.band} ${parts.lake}`}>
      <div class={`${parts.wrap} ${styles.book}`}>
        <div class={styles.cover}>
          {picture ? (
            <div class={styles.photograph}>
              <PictureImage picture={picture} sizes="(width < 48rem) 64vw, 20rem" isWhole />
            </div>
          ) : (
            <img src={bookArt} alt="" width={600} height={800} loading="lazy" />
          )}
        </div>
        <div class={styles.blurb}>
          <h2 class={parts.title}>{words.title}</h2>
          {bookTitle && <p class={styles.bookTitle}>{bookTitle}</p>}
          {words.paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          <p class={styles.edition}>{fill(words.editionNote, settings)}</p>
          {shops.length > 0 && (
            <p class={styles.shops}>
              {shops.map((shop, index) => (
                <PillLink
                  href={shop.href}
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

function Experience({ settings }: PartProps) {
  return (
    <section class={parts.band}>
      <div class={parts.wrap}>
        <h2 class={parts.title}>{chiSono.experience.title}</h2>
        <ul class={styles.experience}>
          {chiSono.experience.cards.map((card) => (
            <li key={card.id}>
              <span class={parts.archIcon}>
                <Icon of={experienceIcons[card.icon]} />
              </span>
              <div>
                <h3>{card.title}</h3>
                <p class={parts.soft}>{fill(card.text, settings)}</p>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
