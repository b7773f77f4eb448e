// Slash menu at the caret. The focus stays in the text, whose `aria-activedescendant` names the active entry.

import {
  Heading2,
  Heading3,
  type IconNode,
  ImagePlus,
  Images,
  LibraryBig,
  List,
  ListOrdered,
  Minus,
  MousePointerClick,
  TextQuote,
} from 'lucide'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { EditorView } from 'prosemirror-view'
import { counted } from '../../lib/plural'
import { Icon } from '../../primitives/icon'
import { richTextMessages } from './messages'
import styles from './overlay.module.css'
import { choose, type Entry, entriesOf, matching } from './slash-commands'
import type { EditorStatus } from './use-editor-view'

const ICONS: Readonly<Record<string, IconNode>> = {
  heading: Heading2,
  subheading: Heading3,
  list: List,
  numbers: ListOrdered,
  quote: TextQuote,
  picture: ImagePlus,
  gallery: Images,
  stored: LibraryBig,
  button: MousePointerClick,
  divider: Minus,
}

const GAP_PX = 6
const LIST_PX = 352
/** Height of two entries, the minimum of the list. */
const LEAST_PX = 88

/**
 * Places the list below the line, or above it if there is more room. Above a phone's keyboard and toolbar there is
 * little room either way, so the list scrolls in the available height.
 */
function roomFor(element: HTMLElement, caret: { top: number; bottom: number }) {
  const list = element.querySelector('[role=listbox]')
  const bar = element.parentElement?.querySelector('[role=toolbar]')?.getBoundingClientRect()
  const head = element.closest('dialog')?.querySelector('header')?.getBoundingClientRect()
  const visible = window.visualViewport?.height ?? window.innerHeight
  const around = element.offsetHeight - (list?.clientHeight ?? 0) + 2 * GAP_PX
  const under = Math.min(visible, bar?.top ?? visible) - caret.bottom - around
  const over = caret.top - (head?.bottom ?? 0) - around
  const wanted = Math.min(LIST_PX, list?.scrollHeight ?? 0)
  const isUnder = wanted <= under || under >= over
  return { isUnder, list: Math.max(LEAST_PX, Math.min(LIST_PX, isUnder ? under : over)) }
}

export function SlashMenu({ id, menu, view }: { id: string; menu: Menu; view: EditorView }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = box.current
    const frame = element?.parentElement?.getBoundingClientRect()
    if (element === null || frame === undefined) return
    const caret = view.coordsAtPos(menu.from)
    const { isUnder, list } = roomFor(element, caret)
    element.style.setProperty('--list', `${list}px`)
    const x = Math.max(0, Math.min(caret.left - frame.left, frame.width - element.offsetWidth))
    const y = isUnder
      ? caret.bottom - frame.top + GAP_PX
      : caret.top - frame.top - element.offsetHeight - GAP_PX
    // The content security policy forbids style attributes; the style object is not one.
    element.style.setProperty('--x', `${x}px`)
    element.style.setProperty('--y', `${y}px`)
    element.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
    // Updates `aria-activedescendant` now that the active entry is in the DOM.
    view.setProps({})
  })
  return (
    <div className={styles.menu} ref={box}>
      <div role="listbox" tabIndex={0} id={`${id}-menu`} aria-label={richTextMessages.insert.label}>
        {menu.entries.map((entry, place) => (
          <div
            key={entry.name}
            role="option"
            tabIndex={-1}
            id={`${id}-${entry.name}`}
            aria-selected={place === menu.active}
            onMouseDown={(event) => event.preventDefault()}
            onMouseUp={() => menu.take(entry)}
          >
            <Icon of={ICONS[entry.name] ?? Minus} size={20} />
            <span>{entry.label}</span>
            {entry.sign === undefined ? null : <kbd>{entry.sign}</kbd>}
          </div>
        ))}
      </div>
      <p>{richTextMessages.insert.hint}</p>
    </div>
  )
}

type Menu = {
  readonly open: boolean
  readonly entries: readonly Entry[]
  readonly active: number
  readonly from: number
  readonly said: string
  readonly onKey: (event: KeyboardEvent) => boolean
  readonly take: (entry: Entry) => void
}

export function useSlashMenu(view: EditorView | null, query: EditorStatus['query']): Menu {
  // The choice is valid for this query only: a new query starts at the first entry, however late it renders.
  const [chosen, setChosen] = useState({ text: '', place: 0 })
  const [dismissed, setDismissed] = useState<number | null>(null)
  const entries =
    view === null || query === null ? [] : matching(entriesOf(view.state.schema), query.text)
  const open = query !== null && entries.length > 0 && dismissed !== query.from
  const text = query?.text ?? ''
  const active = chosen.text === text ? chosen.place : 0
  useEffect(() => {
    if (query !== null) return
    setDismissed(null)
    setChosen({ text: '', place: 0 })
  }, [query])
  const from = query?.from ?? 0
  const take = (entry: Entry) => {
    if (view !== null) choose(view, entry, from)
  }
  const onKey = (event: KeyboardEvent): boolean => {
    if (!open) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined)
      setChosen({ text, place: (active + step + entries.length) % entries.length })
    else if (event.key === 'Escape') {
      event.stopPropagation()
      setDismissed(from)
    } else if (event.key === 'Enter' || event.key === 'Tab') {
      const entry = entries[active]
      if (entry !== undefined) take(entry)
    } else return false
    event.preventDefault()
    return true
  }
  const { countOne, count } = richTextMessages.insert
  const said = counted(entries.length, countOne, count)
  return { open, entries, active, from, said, onKey, take }
}
