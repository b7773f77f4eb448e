// 'Parole da rivedere': medical terms in texts of the admin. Never blocks publishing.

import { fill } from '../../../../lib/interpolate'
import { DISMISSED_KEY, useDismissedWarnings } from '../../../lint/dismissed-warnings'
import { findMedicalTerms, type LintMatch, replaceMatch } from '../../../lint/medical-terms'
import list from '../../../lint/terms.json'
import { Button } from '../../../ui/button'
import { toastDone } from '../../../ui/toast-store'
import type { Block } from '../api/content-api'
import { nameOf } from '../api/use-publishing'
import { changeField } from '../form/block-form'
import { equal, flatten, getIn } from '../model/field-path'
import { draftOf, revert, usePages } from '../model/pages-store'
import { type ChipContext, shownText } from '../model/rich-value'
import styles from './warnings.module.css'

type WordHintsProps = {
  blocks: readonly Block[]
  known: ChipContext
  onChoose: (place: string) => void
  heading?: string
}

export type LintWarning = {
  readonly block: Block
  readonly place: string
  readonly path: string
  readonly text: string
  readonly concern: LintMatch
}

export function LintPanel({ blocks, known, onChoose, heading }: WordHintsProps) {
  const drafts = usePages((store) => store.drafts)
  const [left, keepLeft] = useDismissedWarnings(DISMISSED_KEY)
  const hints = blocks.flatMap((block) =>
    lintWarningsOf(block, draftOf({ drafts }, block).value, known),
  )
  const open = hints.filter(({ place, text }) => left[place] !== text)
  if (open.length === 0) return null
  const leave = (hint: LintWarning) => {
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

/** Unchanged default texts and legal pages have no warnings. */
export function lintWarningsOf(
  block: Block,
  value: Block['value'],
  known: ChipContext,
): readonly LintWarning[] {
  if (block.id.startsWith('legal.')) return []
  return flatten(block.fields, value).flatMap(({ path, field, word }) => {
    const isText = ['line', 'paragraphs', 'richText'].includes(field.type)
    if (!isText || equal(word, getIn(block.default, path))) return []
    const text = typeof word === 'string' ? word : shownText(word, known)
    const place = `${block.id}:${path}`
    return findMedicalTerms(text).map((concern) => ({ block, place, path, text, concern }))
  })
}

function replace(hint: LintWarning, other: string, onChoose: (place: string) => void): void {
  const word = getIn(draftOf(usePages.getState(), hint.block).value, hint.path)
  onChoose(hint.place)
  // In a text with chips the offsets of the shown text do not match: the admin has to edit it.
  if (typeof word !== 'string') return
  const step = changeField(hint.block, hint.path, replaceMatch(word, hint.concern, other), null)
  toastDone(fill(list.replaced, { word: hint.concern.word, other }), () => revert(step))
}
