// A legal page: date, table of contents, text.

import { Fragment } from 'preact'
import type { Words } from '../content/blocks'
import type { SiteData } from '../page-data'
import { useContent } from '../use-content'
import styles from './legal-page.module.css'
import { RichText } from './rich-text'
import parts from './shared.module.css'

type LegalPageProps = {
  readonly words: keyof Words & `legal.${string}`
  readonly data: SiteData
}

export function LegalPage({ words, data }: LegalPageProps) {
  const document = useContent(words)
  const isTrue = {
    always: true,
    counted: data.countsVisits,
    uncounted: !data.countsVisits,
    copied: data.copiesElsewhere,
    logged: data.requestLog === 'shortened',
    loggedFull: data.requestLog === 'full',
  }
  const sections = document.sections.filter(({ when }) => isTrue[when])
  const titled = sections.filter(({ title }) => title !== '')
  return (
    <>
      <header class={styles.opening}>
        <div class={parts.wrap}>
          <h1>{document.title}</h1>
          <p class={parts.soft}>{document.modified}</p>
        </div>
        <svg viewBox="0 0 1600 60" preserveAspectRatio="none" aria-hidden="true">
          <path d="M0 40C130 40 150 12 260 12S420 52 540 52 700 22 820 22 980 46 1100 46 1270 8 1390 8 1530 34 1600 34" />
        </svg>
      </header>
      <div class={`${parts.wrap} ${styles.layout}`}>
        <nav class={styles.contents} aria-labelledby="contents">
          <h2 id="contents">{document.contents}</h2>
          <ul>
            {titled.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${anchorOf(title)}`}>{title}</a>
              </li>
            ))}
          </ul>
        </nav>
        <article class={`${styles.text} ${parts.points}`}>
          {sections.map(({ id, title, text }) => (
            <Fragment key={id}>
              {title && <h2 id={anchorOf(title)}>{title}</h2>}
              <RichText blocks={text} />
            </Fragment>
          ))}
        </article>
      </div>
    </>
  )
}

/** The anchor of "3. Prenotazioni e pagamenti" is `prenotazioni-e-pagamenti`. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/^\d+\.\s*/, '')
    .replace(/[^a-z0-9]+/g, '-')
}
