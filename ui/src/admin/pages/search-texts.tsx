// What a search engine and a messenger show of the page, as they show it.
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { classNames } from '../../lib/class-names'
import { LinesField } from '../fields/lines-field'
import { TextField } from '../fields/text-field'
import { Button } from '../parts/button'
import { changeWord, fieldId } from './block-form'
import type { Block } from './contract'
import styles from './hints.module.css'
import { draftOf, usePages } from './pages-store'
import { cutAt, measureIn, type Part, RESULT, verdictOn } from './search-length'
import type { SitePage } from './site-pages'
import { type Known, shownText } from './text-parts'
import { fill, wording } from './wording'

type SearchTextsProps = {
  page: SitePage
  block: Block
  known: Known
  onChoose: (place: string) => void
}

const { search: own } = wording

export function SearchTexts({ page, block, known, onChoose }: SearchTextsProps) {
  const draft = usePages((store) => draftOf(store, block))
  const text = (name: string) => shownText(draft.value[name], known)
  const brand = typeof known.settings.brand === 'string' ? known.settings.brand : ''
  const suffix = page.pattern === '/' || brand === '' ? '' : ` | ${brand}`
  const measures = useMemo(
    () => ({
      title: measureIn(RESULT.title.font),
      description: measureIn(RESULT.description.font),
    }),
    [],
  )
  const set = (name: string) => (next: string) => changeWord(block, name, next, next)
  const isTyped = (name: string) => typeof draft.value[name] === 'string'
  return (
    <section aria-label={own.heading}>
      <h3>{own.heading}</h3>
      <div className={styles.field}>
        {isTyped('title') ? (
          <TextField
            id={`search-${fieldId(block.id, 'title')}`}
            label={own.title}
            value={text('title')}
            help={own.hints.title}
            onChange={set('title')}
          />
        ) : null}
        <Meter part="title" text={text('title') + suffix} measure={measures.title} />
      </div>
      <div className={styles.field}>
        {isTyped('description') ? (
          <LinesField
            id={`search-${fieldId(block.id, 'description')}`}
            label={own.description}
            value={text('description')}
            max={200}
            help={own.hints.description}
            onChange={set('description')}
          />
        ) : null}
        <Meter part="description" text={text('description')} measure={measures.description} />
      </div>
      <div className={styles.google} role="img" aria-label={own.preview}>
        <small>
          {brand} · {location.host} › {page.pattern.slice(1)}
        </small>
        <b>{shortened(text('title') + suffix, 'title', measures.title)}</b>
        <p>{shortened(text('description'), 'description', measures.description)}</p>
      </div>
      <h3>{own.chatHeading}</h3>
      <div className={styles.chat} role="img" aria-label={own.chatPreview}>
        <SocialPicture page={page} />
        <div>
          <b>{text('title')}</b>
          <p>{text('description')}</p>
          <small>{location.host}</small>
        </div>
      </div>
      <Button tone="quiet" small onClick={() => onChoose(`${block.id}:`)}>
        {block.label}
      </Button>
    </section>
  )
}

type MeterProps = { part: Part; text: string; measure: (text: string) => number }

function Meter({ part, text, measure }: MeterProps) {
  const bar = useRef<HTMLDivElement>(null)
  const { kind, share, cut } = verdictOn(text, part, measure)
  useLayoutEffect(() => {
    // The content security policy forbids style attributes; the style object is not one.
    bar.current?.style.setProperty('--share', `${Math.round(share * 100)}%`)
  }, [share])
  const isLong = kind === 'long'
  return (
    <>
      <div className={classNames(styles.meter, isLong && styles.over)} ref={bar} aria-hidden="true">
        <span />
      </div>
      <p className={classNames(styles.verdict, isLong && styles.long)} role="status">
        {fill(own.length[kind], { cut })}
        <span>{[...text].length}</span>
      </p>
    </>
  )
}

function shortened(text: string, part: Part, measure: (text: string) => number): string {
  const cut = cutAt(text, RESULT[part].pixels, measure)
  return cut === text ? text : `${cut} ...`
}

/** The very picture that messengers get; without one the bubble has words alone. */
function SocialPicture({ page }: { page: SitePage }) {
  return (
    <img
      src={`/social/${page.social}.jpg`}
      alt=""
      onError={(event) => {
        event.currentTarget.hidden = true
      }}
    />
  )
}
