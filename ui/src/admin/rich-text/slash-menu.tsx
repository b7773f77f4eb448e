// Slash menu at the caret. The focus stays in the text, whose `aria-activedescendant` names the active entry.

import {
  Heading2,
  Heading3,
  type IconNode,
  ImagePlus,
  Images,
  List,
  ListOrdered,
  Minus,
  MousePointerClick,
  TextQuote,
} from 'lucide'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { EditorView } from 'prosemirror-view'
import { Icon } from '../../primitives/icon'
import { richWords } from './messages'
import styles from './overlay.module.css'
import type { Menu } from './rich-text'

const ICONS: Readonly<Record<string, IconNode>> = {
  heading: Heading2,
  subheading: Heading3,
  list: List,
  numbers: ListOrdered,
  quote: TextQuote,
  picture: ImagePlus,
  gallery: Images,
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
      <div role="listbox" tabIndex={0} id={`${id}-menu`} aria-label={richWords.insert.label}>
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
      <p>{richWords.insert.hint}</p>
    </div>
  )
}
