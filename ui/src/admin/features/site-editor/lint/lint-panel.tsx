// 'Parole da rivedere': never in the way of publishing, and only for what she wrote herself.

import { fill } from '../../../../lib/interpolate'
import { LEFT_KEY, useLeft } from '../../../lint/dismissed-warnings'
import { type Concern, concernsIn, replaced } from '../../../lint/medical-terms'
import list from '../../../lint/terms.json'
import { Button } from '../../../ui/button'
import { toastDone } from '../../../ui/toast-store'
import type { Block } from '../api/content-api'
import { nameOf } from '../api/use-publishing'
import { changeWord } from '../form/block-form'
import { at, equal, leavesOf } from '../model/field-path'
import { draftOf, revert, usePages } from '../model/pages-store'
import { type Known, shownText } from '../model/rich-value'
import styles from './warnings.module.css'

type WordHintsProps = {
  blocks: readonly Block[]
  known: Known
  onChoose: (place: string) => void
  heading?: string
}

export type Hint = {
  readonly block: Block
  readonly place: string
  readonly path: string
  readonly text: string
  readonly concern: Concern
}

export function WordHints({ blocks, known, onChoose, heading }: WordHintsProps) {
  const drafts = usePages((store) => store.drafts)
  const [left, keepLeft] = useLeft(LEFT_KEY)
  const hints = blocks.flatMap((block) => hintsOf(block, draftOf({ drafts }, block).value, known))
  const open = hints.filter(({ place, text }) => left[place] !== text)
  if (open.length === 0) return null
  const leave = (hint: Hint) => {
    keepLeft(hint.place, hint.text)
    toastDone(list.keepDone)
  }
  return (
    <section className={styles.hints} aria-label={list.heading}>
      <h3>{heading ?? list.heading}</h3>
      {open.map((hint) => (
        <details key={`${hint.place}@${hint.concern.index}`} className={styles.hint}>
          <summary>
            <span>
              <span className={styles.word}>{hint.concern.word}</span>
              <small>{nameOf(hint.place)}</small>
            </span>
          </summary>
          <p>
            <b>{hint.concern.title}</b>
          </p>
          <p>{hint.concern.why}</p>
          <p className={styles.instead}>{list.instead}</p>
          <div className={styles.choices}>
            {hint.concern.alternatives.map((other) => (
              <Button
                key={other}
                tone="outline"
                small
                onClick={() => replace(hint, other, onChoose)}
              >
                {other}
              </Button>
            ))}
            <Button tone="quiet" small onClick={() => leave(hint)}>
              {list.keep}
            </Button>
          </div>
        </details>
      ))}
    </section>
  )
}

/** Default texts that nobody changed and legal pages are never marked. */
export function hintsOf(block: Block, value: Block['value'], known: Known): readonly Hint[] {
  if (block.id.startsWith('legal.')) return []
  return leavesOf(block.fields, value).flatMap(({ path, field, word }) => {
    const isText = ['line', 'paragraphs', 'richText'].includes(field.type)
    if (!isText || equal(word, at(block.default, path))) return []
    const text = typeof word === 'string' ? word : shownText(word, known)
    const place = `${block.id}:${path}`
    return concernsIn(text).map((concern) => ({ block, place, path, text, concern }))
  })
}

function replace(hint: Hint, other: string, onChoose: (place: string) => void): void {
  const word = at(draftOf(usePages.getState(), hint.block).value, hint.path)
  onChoose(hint.place)
  // A text with chips in it is hers to change: its letters do not stand where they are shown.
  if (typeof word !== 'string') return
  const step = changeWord(hint.block, hint.path, replaced(word, hint.concern, other), null)
  toastDone(fill(list.replaced, { word: hint.concern.word, other }), () => revert(step))
}
