// Toolbar of the article editor: undo, redo, the side panel toggle and the time the draft was saved.

import { Check, PanelRight, Redo2, Undo2 } from 'lucide'
import { timeText } from '../../../lib/panel-date-format'
import { Icon } from '../../../primitives/icon'
import type { Disclosure } from '../../hooks/use-persisted-disclosure'
import type { UndoRedo } from '../../rich-text/undo-redo-context'
import { IconButton } from '../../ui/button'
import styles from '../../ui/item-form.module.css'
import { itemMessages } from './messages'

const { toolbar: own } = itemMessages

export function ArticleToolbar({ travel, side }: { travel: UndoRedo; side: Disclosure }) {
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
        label={side.open ? own.sideHide : own.sideShow}
        icon={PanelRight}
        pressed={side.open}
        onClick={() => side.set(!side.open)}
      />
    </span>
  )
}

/** Time at which the unpublished text was last saved as a draft in this browser. */
export function DraftSavedAt({ at }: { at: Date | null }) {
  if (at === null) return null
  return (
    <p className={styles.kept}>
      <Icon of={Check} size={18} />
      {own.kept.replace('{time}', timeText(at))}
    </p>
  )
}
