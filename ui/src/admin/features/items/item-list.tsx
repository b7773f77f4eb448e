// The ordered list of items: rows move by drag, by arrow buttons or by arrow keys on the handle, and a screen
// reader hears the new position.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { positionText } from '../../../lib/reorder'
import hidden from '../../../primitives/hidden.module.css'
import { moveTo } from '../../api/item-actions'
import { type Item, type Kind, kindSpecs, titleOf } from '../../api/schema'
import { useDragReorder } from '../../hooks/use-drag-reorder'
import { lazy } from '../../ui/lazy'
import { words } from '../../ui/messages'
import { ItemRow, type RowDialog } from './item-row'
import styles from './items-panel.module.css'
import { listMessages } from './list-messages'
import { MoveDialog } from './move-dialog'

const RepeatDialog = lazy(() => import('./repeat-dialog').then(({ RepeatDialog }) => RepeatDialog))
const ShareDialog = lazy(() => import('./share-dialog').then(({ ShareDialog }) => ShareDialog))

type ItemListProps = {
  kind: Kind
  items: readonly Item[]
  /** Number of items in the whole list, including the loaded ones. */
  total: number
  /** The list is not filtered, so its rows can be reordered. */
  ordered: boolean
  level: 2 | 3
  /** `held` is what kept the item from being published, by field name. */
  onEdit: (item: Item, held?: Readonly<Record<string, string>>) => void
  onDelete: (item: Item) => void
}

/** Row and control that get the focus back after a reorder. */
type Focus = { id: string; control: 'up' | 'down' | 'grip' }

export function ItemList(props: ItemListProps) {
  const { kind, items, total, ordered, level, onEdit, onDelete } = props
  const list = useRef<HTMLOListElement>(null)
  const [spoken, setSpoken] = useState('')
  const [placing, setPlacing] = useState<number | null>(null)
  const [dialog, setDialog] = useState<{ what: RowDialog; item: Item } | null>(null)
  const movable = ordered && !kindSpecs[kind].dated
  const giveFocus = useFocusBack(list, items)
  useNewRowInView(list, items)

  const move = async (from: number, wanted: number, control: Focus['control']) => {
    const item = items[from]
    const to = Math.min(Math.max(wanted, 0), total - 1)
    if (item === undefined || from === to) return
    giveFocus({ id: item.id, control })
    if (!(await moveTo(kind, item, from, to))) return
    setSpoken(positionText(titleOf(item, words.untitled), to, total))
  }

  const dragging = useDragReorder(list, movable, styles, (from, to) => void move(from, to, 'grip'))
  const placed = placing === null ? undefined : items[placing]

  return (
    <>
      <ol className={styles.list} ref={list}>
        {items.map((item, index) => (
          <ItemRow
            key={item.id}
            kind={kind}
            item={item}
            position={index + 1}
            level={level}
            move={
              movable
                ? {
                    first: index === 0,
                    last: index === total - 1,
                    up: () => void move(index, index - 1, 'up'),
                    down: () => void move(index, index + 1, 'down'),
                    to: (place) => void move(index, place(index, total), 'grip'),
                    ask: () => dragging.wasUsed() || setPlacing(index),
                  }
                : null
            }
            onEdit={() => onEdit(item)}
            onDelete={() => onDelete(item)}
            onDialog={(what) => setDialog({ what, item })}
            onMade={(copy) => onEdit(copy)}
            onHeld={(problems) => onEdit(item, problems)}
          />
        ))}
      </ol>
      <p className={hidden.hidden} aria-live="polite">
        {spoken}
      </p>
      <OpenRowDialog kind={kind} dialog={dialog} onClose={() => setDialog(null)} />
      {placing === null || placed === undefined ? null : (
        <MoveDialog
          title={titleOf(placed, words.untitled)}
          position={placing + 1}
          total={total}
          onClose={() => setPlacing(null)}
          onMove={(position) => void move(placing, position - 1, 'grip')}
        />
      )}
    </>
  )
}

type OpenRowDialogProps = {
  kind: Kind
  dialog: { what: RowDialog; item: Item } | null
  onClose: () => void
}

function OpenRowDialog({ kind, dialog, onClose }: OpenRowDialogProps) {
  const { dateTexts: names } = listMessages[kind]
  if (dialog === null || names === undefined) return null
  const { what, item } = dialog
  if (what === 'share') return <ShareDialog {...{ kind, item, onClose }} />
  return <RepeatDialog {...{ kind, item, names, onClose }} />
}

/** Returns the focus to the control that moved a row, or to its neighbour when that one is disabled now. */
function useFocusBack(list: { current: HTMLElement | null }, items: readonly Item[]) {
  const wanted = useRef<Focus | null>(null)
  useLayoutEffect(() => {
    const focus = wanted.current
    if (focus === null) return
    const row = list.current?.querySelector(`[data-item="${CSS.escape(focus.id)}"]`)
    const order = focus.control === 'up' ? ['up', 'down'] : [focus.control, 'up', 'down']
    const control = order
      .map((name) => row?.querySelector<HTMLButtonElement>(`[data-move="${name}"]`))
      .find((button) => button !== null && button !== undefined && !button.disabled)
    if (control !== undefined && document.querySelector('dialog[open]') === null) control?.focus()
  }, [items, list])
  return (focus: Focus) => {
    wanted.current = focus
    // Changes of the list that come later than this must not move the focus.
    setTimeout(() => {
      if (wanted.current === focus) wanted.current = null
    }, 4000)
  }
}

/** Scrolls a newly created row to the middle of the screen, clear of the floating button of a phone. */
function useNewRowInView(list: { current: HTMLElement | null }, items: readonly Item[]): void {
  const known = useRef<ReadonlySet<string> | null>(null)
  useLayoutEffect(() => {
    const before = known.current
    known.current = new Set(items.map(({ id }) => id))
    const made = before === null ? undefined : items.find(({ id }) => !before.has(id))
    // Clearing a search also brings rows back, but not exactly one new row.
    if (made === undefined || items.length !== (before?.size ?? 0) + 1) return
    const row = list.current?.querySelector(`[data-item="${CSS.escape(made.id)}"]`)
    row?.scrollIntoView({ block: 'center' })
  }, [items, list])
}
