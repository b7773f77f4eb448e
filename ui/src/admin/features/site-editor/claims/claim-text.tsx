// The full text of a claim; scrolls in its box, by keyboard too.

import type { Block } from '../api/content-api'
import type { ChipContext } from '../model/rich-value'
import { factName, statementsOf } from './claims-api'
import styles from './claims-review.module.css'

export function ClaimText({ block, known }: { block: Block; known: ChipContext }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
    <blockquote className={styles.passage} tabIndex={0} aria-label={factName(block)}>
      {statementsOf(block, known).map((statement) => (
        <p key={statement}>{statement}</p>
      ))}
    </blockquote>
  )
}
