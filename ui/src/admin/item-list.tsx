// The ordered list: arrows, a handle to drag, arrow keys on the handle; every way says where the item went.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import Sortable from 'sortablejs'
import hidden from '../primitives/hidden.module.css'
import { moveByOne, reorder } from './item-actions'
import { ItemRow } from './item-row'
import styles from './items-panel.module.css'
import { moved, positionText } from './order'
import { type Item, type Kind, kindSpecs, titleOf } from './schema'
import { words } from './words'

type ItemListProps = {
  kind: Kind
  items: readonly Item[]
  /** The whole list is shown, so it can be put in order. */
  ordered: boolean
  level: 2 | 3
  onEdit: (item: Item) => void
  onDelete: (item: Item) => void
}

/** Which control of which row gets the focus back once the rows have changed places. */
type Focus = { id: string; control: 'up' | 'down' | 'grip' }

export function ItemList({ kind, items, ordered, level, onEdit, onDelete }: ItemListProps) {
  const list = useRef<HTMLOListElement>(null)
  const [spoken, setSpoken] = useState('')
  const movable = ordered && !kindSpecs[kind].dated
  const giveFocus = useFocusBack(list, items)
  useNewRowInView(list, items)

  const say = (id: string, index: number) => {
    const item = items.find((one) => one.id === id)
    if (item !== undefined)
      setSpoken(positionText(titleOf(item, words.untitled), index, items.length))
  }
  const step = async (index: number, direction: 'up' | 'down') => {
    const item = items[index]
    if (item === undefined) return
    giveFocus({ id: item.id, control: direction })
    if (await moveByOne(kind, item, direction)) say(item.id, index + (direction === 'up' ? -1 : 1))
  }
  const drop = async (from: number, to: number) => {
    const item = items[from]
    const next = moved(items, from, to)
    if (item === undefined || next === items) return
    giveFocus({ id: item.id, control: 'grip' })
    if (await reorder(kind, next)) say(item.id, to)
  }

  useDragging(list, movable, (from, to) => void drop(from, to))

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
                    last: index === items.length - 1,
                    up: () => void step(index, 'up'),
                    down: () => void step(index, 'down'),
                    by: (rows) => void drop(index, index + rows),
                  }
                : null
            }
            onEdit={() => onEdit(item)}
            onDelete={() => onDelete(item)}
          />
        ))}
      </ol>
      <p className={hidden.hidden} aria-live="polite">
        {spoken}
      </p>
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

function useDragging(
  list: { current: HTMLElement | null },
  active: boolean,
  drop: (from: number, to: number) => void,
): void {
  const latest = useRef(drop)
  latest.current = drop
  useEffect(() => {
    if (!active || list.current === null) return undefined
    const sortable = Sortable.create(list.current, {
      handle: '[data-move=grip]',
      animation: 180,
      forceFallback: true,
      fallbackTolerance: 4,
      fallbackOnBody: false,
      ghostClass: styles.gap ?? 'gap',
      fallbackClass: styles.lifted ?? 'lifted',
      onEnd: ({ item, from, oldIndex, newIndex }) => {
        if (oldIndex === undefined || newIndex === undefined || oldIndex === newIndex) return
        // The rows belong to Preact: put the node back, then change the data.
        item.remove()
        from.insertBefore(item, from.children[oldIndex] ?? null)
        latest.current(oldIndex, newIndex)
      },
    })
    return () => sortable.destroy()
  }, [active, list])
}
