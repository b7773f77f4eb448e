// Over the sheet to write on: back and forth, the side that folds, and where the text is kept.

import { Check, PanelRight, Redo2, Undo2 } from 'lucide'
import { useState } from 'preact/hooks'
import { Icon } from '../primitives/icon'
import { browserShelf } from './drafts'
import styles from './editor.module.css'
import { IconButton } from './parts/button'
import type { Travel } from './travel'
import { timeText } from './when'
import { words } from './words'

const SIDE_KEY = 'respiro-article-side'
const { sheet: own } = words

type Side = { readonly isOpen: boolean; readonly set: (isOpen: boolean) => void }

/** Whether the side is open is remembered, where the browser remembers anything. */
export function useSide(): Side {
  const [isOpen, setOpen] = useState(() => read() !== 'closed')
  const set = (next: boolean) => {
    setOpen(next)
    try {
      browserShelf()?.setItem(SIDE_KEY, next ? 'open' : 'closed')
    } catch {
      // A full shelf costs no more than one press the next time.
    }
  }
  return { isOpen, set }
}

function read(): string | null {
  try {
    return browserShelf()?.getItem(SIDE_KEY) ?? null
  } catch {
    return null
  }
}

export function StudioTools({ travel, side }: { travel: Travel; side: Side }) {
  return (
    <span className={styles.wideOnly}>
      <IconButton
        label={own.undo}
        icon={Undo2}
        disabled={travel.undo === null}
        onClick={() => travel.undo?.()}
      />
      <IconButton
        label={own.redo}
        icon={Redo2}
        disabled={travel.redo === null}
        onClick={() => travel.redo?.()}
      />
      <IconButton
        label={side.isOpen ? own.sideHide : own.sideShow}
        icon={PanelRight}
        pressed={side.isOpen}
        onClick={() => side.set(!side.isOpen)}
      />
    </span>
  )
}

/** The text is not on the site, but it is not lost either. */
export function Kept({ at }: { at: Date | null }) {
  if (at === null) return null
  return (
    <p className={styles.kept}>
      <Icon of={Check} size={18} />
      {own.kept.replace('{time}', timeText(at))}
    </p>
  )
}
