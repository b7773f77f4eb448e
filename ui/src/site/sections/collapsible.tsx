// A row that opens by a press on phones; on wider screens its content is always visible. Works
// without a script, and the content is always in the HTML.

import { ChevronDown } from 'lucide'
import type { ComponentChildren } from 'preact'
import hidden from '../../primitives/hidden.module.css'
import { Icon } from '../../primitives/icon'
import styles from './collapsible.module.css'

type FoldProps = {
  /** What the row opens, for screen readers. */
  readonly label: string
  readonly children: ComponentChildren
}

/** Belongs after the head of its row, in a grid with one column. */
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
