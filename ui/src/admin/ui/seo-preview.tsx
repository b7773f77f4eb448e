// Previews how search engines and messengers show a page, from the current input.
import { useMemo } from 'preact/hooks'
import { classNames } from '../../lib/class-names'
import { fill } from '../../lib/interpolate'
import { Meter } from './meter'
import { cutAt, type Measure, measureIn, type Part, RESULT, verdictOn } from './seo-length'
import own from './seo-messages.json'
import styles from './seo-preview.module.css'

export type Measures = Readonly<Record<Part, Measure>>

export function useMeasures(): Measures {
  return useMemo(
    () => ({
      title: measureIn(RESULT.title.font),
      description: measureIn(RESULT.description.font),
    }),
    [],
  )
}

type MeterProps = { part: Part; text: string; measures: Measures }

/** Length of a title or description, as a bar and as text. */
export function LengthMeter({ part, text, measures }: MeterProps) {
  const { kind, share, cut } = verdictOn(text, part, measures[part])
  const isLong = kind === 'long'
  return (
    <>
      <Meter share={share} isOver={isLong} />
      <p className={classNames(styles.verdict, isLong && styles.long)} role="status">
        {fill(own.length[kind], { cut })}
        <span>{[...text].length}</span>
      </p>
    </>
  )
}

type ResultProps = {
  brand: string
  /** Path after the host: `servizi`. */
  path: string
  title: string
  description: string
  measures: Measures
}

export function GoogleResult({ brand, path, title, description, measures }: ResultProps) {
  return (
    <div className={styles.google} role="img" aria-label={own.preview}>
      <small>
        {brand} · {location.host} › {path}
      </small>
      <b>{shortened(title, 'title', measures)}</b>
      <p>{shortened(description, 'description', measures)}</p>
    </div>
  )
}

function shortened(text: string, part: Part, measures: Measures): string {
  const cut = cutAt(text, RESULT[part].pixels, measures[part])
  return cut === text ? text : `${cut} ...`
}

type BubbleProps = { picture: string; title: string; description: string }

/** Uses the image that messengers fetch; without one it shows text alone. */
export function ChatBubble({ picture, title, description }: BubbleProps) {
  return (
    <div className={styles.chat} role="img" aria-label={own.chatPreview}>
      <img
        key={picture}
        src={picture}
        alt=""
        onError={(event) => {
          event.currentTarget.hidden = true
        }}
      />
      <div>
        <b>{title}</b>
        <p>{description}</p>
        <small>{location.host}</small>
      </div>
    </div>
  )
}
