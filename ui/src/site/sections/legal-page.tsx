// A legal page: date, table of contents, text.

import { fill, type Identity } from '../content/fill'
import {
  contentsLabel,
  type LegalBlock,
  type LegalDocument,
  type Plain,
  shown,
} from '../content/legal'
import type { SiteData } from '../data'
import styles from './legal-page.module.css'
import parts from './parts.module.css'

type LegalPageProps = { readonly document: LegalDocument; readonly site: SiteData }

export function LegalPage({ document, site }: LegalPageProps) {
  const headings = document.blocks.flatMap((block) => ('heading' in block ? [block.heading] : []))
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
          <h2 id="contents">{contentsLabel}</h2>
          <ul>
            {headings.map((heading) => (
              <li key={heading}>
                <a href={`#${anchorOf(heading)}`}>{heading}</a>
              </li>
            ))}
          </ul>
        </nav>
        <article class={styles.text}>
          {document.blocks.map((block) => (
            <Block block={block} site={site} key={keyOf(block)} />
          ))}
        </article>
      </div>
    </>
  )
}

type BlockProps = { readonly block: LegalBlock; readonly site: SiteData }

function Block({ block, site }: BlockProps) {
  const identity = site.settings
  if ('heading' in block) return <h2 id={anchorOf(block.heading)}>{block.heading}</h2>
  if ('text' in block) {
    const text = shown(block.text, site.countsVisits)
    return isEmpty(text, identity) ? null : <p>{inlines(text, identity)}</p>
  }
  const items = block.list
    .map((item) => shown(item, site.countsVisits))
    .filter((item) => !isEmpty(item, identity))
  if (items.length === 0) return null
  return (
    <ul>
      {items.map((item) => (
        <li key={JSON.stringify(item)}>{inlines(item, identity)}</li>
      ))}
    </ul>
  )
}

function inlines(parts: readonly Plain[], identity: Identity) {
  return parts.map((part) => {
    if (typeof part === 'string') return fill(part, identity)
    if ('bold' in part) return <strong key={part.bold}>{part.bold}</strong>
    return (
      <a href={part.href} key={part.href}>
        {part.link}
      </a>
    )
  })
}

function isEmpty(parts: readonly Plain[], identity: Identity): boolean {
  return parts.every((part) => typeof part === 'string' && fill(part, identity) === '')
}

function keyOf(block: LegalBlock): string {
  return JSON.stringify(block).slice(0, 160)
}

/** "3. Prenotazioni e pagamenti" is reached at #prenotazioni-e-pagamenti. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/^\d+\.\s*/, '')
    .replace(/[^a-z0-9]+/g, '-')
}
