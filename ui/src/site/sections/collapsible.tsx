// On phones a row that opens by a press; wherever there is room its content lies open. Without a
// script too, and readable by whoever reads the page's source.

import { ChevronDown } from 'lucide'
import type { ComponentChildren } from 'preact'
import hidden from '../../primitives/hidden.module.css'
import { Icon } from '../../primitives/icon'
import styles from './collapsible.module.css'

type FoldProps = {
  /** What opens, for who does not see the row above it. */
  readonly label: string
  readonly children: ComponentChildren
}

/** Stands after the head of its row, in a grid with one column. */
export function Collapsible({ label, children }: FoldProps) {
  return (
    <details class={styles.fold}>
      <summary>
        <span class={hidden.hidden}>{label}</span>
        <Icon of={ChevronDown} />
      </summary>
      {children}
    </details>
  )
}
