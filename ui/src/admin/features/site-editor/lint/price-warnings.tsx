// 'Un conto che non torna': amounts and counts that no longer match. Never blocks publishing.

import { fill } from '../../../../lib/interpolate'
import { counted } from '../../../../lib/plural'
import { useDismissedWarnings } from '../../../lint/dismissed-warnings'
import { Button } from '../../../ui/button'
import { toastDone } from '../../../ui/toast-store'
import type { Block } from '../api/content-api'
import { nameOf } from '../api/use-publishing'
import { changeField } from '../form/block-form'
import { wording } from '../messages'
import { draftOf, revert, usePages } from '../model/pages-store'
import type { PriceProblem } from '../model/price-context'
import { useFormerPrices } from './price-history'
import { findPriceMismatches } from './price-mismatch'
import styles from './warnings.module.css'

type SumHintsProps = {
  /** Blocks whose problems are shown. */
  blocks: readonly Block[]
  onChoose: (place: string) => void
}

const LEFT_KEY = 'respiro-sums-left'
const { check: own } = wording.amount

export function PriceWarnings({ blocks, onChoose }: SumHintsProps) {
  const now = usePages((store) => store.blocks) ?? []
  const drafts = usePages((store) => store.drafts)
  const [left, leave] = useDismissedWarnings(LEFT_KEY)
  const former = useFormerPrices(now)
  const all = findPriceMismatches(now, (block) => draftOf({ drafts }, block).value, former)
  const ids = new Set(blocks.map(({ id }) => id))
  const open = all.filter(
    (problem) => ids.has(problem.block.id) && left[fieldTargetOf(problem)] !== problem.text,
  )
  if (open.length === 0) return null
  const heading = counted(open.length, own.heading, own.headingMany)
  return (
    <section className={styles.hints} aria-label={heading}>
      <h3>{heading}</h3>
      {open.map((problem) => (
        <div key={fieldTargetOf(problem)} className={styles.sum} role="status">
          <p>
            <b>{nameOf(fieldTargetOf(problem))}</b>
          </p>
          <p>{problem.message}</p>
          {problem.reckoning === '' ? null : <p className={styles.instead}>{problem.reckoning}</p>}
          <div className={styles.choices}>
            <Fix problem={problem} onChoose={onChoose} />
            <Button tone="quiet" small onClick={() => leave(fieldTargetOf(problem), problem.text)}>
              {own.keep}
            </Button>
          </div>
        </div>
      ))}
    </section>
  )
}

function fieldTargetOf({ block, path }: PriceProblem): string {
  return `${block.id}:${path}`
}

type FixProps = { problem: PriceProblem; onChoose: (place: string) => void }

function Fix({ problem, onChoose }: FixProps) {
  const { fix, block, path } = problem
  if (fix === null) {
    return (
      <Button tone="outline" small onClick={() => onChoose(fieldTargetOf(problem))}>
        {wording.legal.goTo}
      </Button>
    )
  }
  return (
    <Button
      tone="outline"
      small
      onClick={() => {
        const step = changeField(block, path, fix.text, null)
        const computed = fix.label.replace(/^\S+ /, '')
        toastDone(fill(own.fixed, { computed }), () => revert(step))
      }}
    >
      {fix.label}
    </Button>
  )
}
