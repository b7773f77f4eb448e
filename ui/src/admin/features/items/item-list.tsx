// The ordered list: arrows, a handle to drag, arrow keys on the handle; every way says where the item went.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { positionText } from '../../../lib/reorder'
import hidden from '../../../primitives/hidden.module.css'
import { moveTo } from '../../api/item-actions'
import { type Item, type Kind, kindSpecs, titleOf } from '../../api/schema'
import { useDragReorder } from '../../hooks/use-drag-reorder'
import { words } from '../../ui/messages'
import { ItemRow } from './item-row'
import styles from './items-panel.module.css'
import { MoveDialog } from './move-dialog'

type ItemListProps = {
  kind: Kind
  items: readonly Item[]
  /** How many the list has, these first ones included. */
  total: number
  /** The whole list is shown, so it can be put in order. */
  ordered: boolean
  level: 2 | 3
  onEdit: (item: Item) => void
  onDelete: (item: Item) => void
}

/** Which control of which row gets the focus back once the rows have changed places. */
type Focus = { id: string; control: 'up' | 'down' | 'grip' }

export function ItemList(props: ItemListProps) {
  const { kind, items, total, ordered, level, onEdit, onDelete } = props
  const list = useRef<HTMLOListElement>(null)
  const [spoken, setSpoken] = useState('')
  const [placing, setPlacing] = useState<number | null>(null)
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
            onMade={onEdit}
          />
        ))}
      </ol>
      <p className={hidden.hidden} aria-live="polite">
        {spoken}
      </p>
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

/** After a move the same control has the focus, or its neighbour when it is at the end now. */
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
    // Only the move itself moves the focus: later changes of the list leave it alone.
    setTimeout(() => {
      if (wanted.current === focus) wanted.current = null
    }, 4000)
  }
}

/** A row just made is shown whole, clear of what floats at the foot of a phone's screen. */
function useNewRowInView(list: { current: HTMLElement | null }, items: readonly Item[]): void {
  const known = useRef<ReadonlySet<string> | null>(null)
  useLayoutEffect(() => {
    const before = known.current
    known.current = new Set(items.map(({ id }) => id))
    const made = before === null ? undefined : items.find(({ id }) => !before.has(id))
    // A search that ends brings back rows as well: many of them, or none that is new.
    if (made === undefined || items.length !== (before?.size ?? 0) + 1) return
    const row = list.current?.querySelector(`[data-item="${CSS.escape(made.id)}"]`)
    row?.scrollIntoView({ block: 'center' })
  }, [items, list])
}
