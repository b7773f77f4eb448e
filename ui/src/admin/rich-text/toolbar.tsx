// Toolbar over the selection; on touch devices docked above the keyboard, with a button that opens the slash menu.

import {
  Bold,
  Heading2,
  type IconNode,
  Italic,
  Link,
  List,
  ListOrdered,
  Plus,
  TextQuote,
  Undo2,
} from 'lucide'
import type { Command } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { IconButton } from '../ui/button'
import { shortcutText } from '../ui/shortcut-text'
import { hasMark, heading, isIn, list, mark, quote, undo } from './commands'
import { richTextMessages } from './messages'
import styles from './overlay.module.css'

const words = richTextMessages.marks

type Tool = {
  readonly name: string
  readonly needs?: string
  readonly label: string
  readonly icon: IconNode
  readonly run: Command
  readonly pressed?: (view: EditorView) => boolean
  readonly dockOnly?: true
}

const TOOLS: readonly Tool[] = [
  {
    name: 'heading',
    needs: 'heading',
    label: words.heading,
    icon: Heading2,
    run: heading(2),
    pressed: ({ state }) => isIn(state, 'heading', { level: 2 }),
  },
  {
    name: 'bold',
    label: `${words.bold} (${shortcutText('Ctrl+B')})`,
    icon: Bold,
    run: mark('strong'),
    pressed: ({ state }) => hasMark(state, 'strong'),
  },
  {
    name: 'italic',
    label: `${words.italic} (${shortcutText('Ctrl+I')})`,
    icon: Italic,
    run: mark('em'),
    pressed: ({ state }) => hasMark(state, 'em'),
  },
  {
    name: 'link',
    label: `${words.link} (${shortcutText('Ctrl+K')})`,
    icon: Link,
    run: () => false,
    pressed: ({ state }) => hasMark(state, 'link'),
  },
  {
    name: 'list',
    needs: 'bullet_list',
    label: words.list,
    icon: List,
    run: list('bullet_list'),
    pressed: ({ state }) => isIn(state, 'bullet_list'),
  },
  // Before the tools that the '+' menu has too, because a phone shows only the first eight.
  { name: 'undo', label: words.undo, icon: Undo2, run: undo, dockOnly: true },
  {
    name: 'numbers',
    needs: 'ordered_list',
    label: words.numbers,
    icon: ListOrdered,
    run: list('ordered_list'),
    pressed: ({ state }) => isIn(state, 'ordered_list'),
  },
  {
    name: 'quote',
    needs: 'blockquote',
    label: words.quote,
    icon: TextQuote,
    run: quote,
    pressed: ({ state }) => isIn(state, 'blockquote'),
  },
]

/** Returns the names of the pressed tools as one string, so that an equal value causes no re-render. */
export function pressedTools(view: EditorView): string {
  return TOOLS.filter((tool) => tool.pressed?.(view))
    .map(({ name }) => name)
    .join(' ')
}

type ToolbarProps = {
  view: EditorView
  pressed: string
  docked: boolean
  onLink: () => void
  onInsert: () => void
}

export function Toolbar({ view, pressed, docked, onLink, onInsert }: ToolbarProps) {
  const { nodes } = view.state.schema
  const on = pressed.split(' ')
  const tools = TOOLS.filter(
    ({ needs, dockOnly }) =>
      (needs === undefined || nodes[needs] !== undefined) && (docked || dockOnly !== true),
  )
  const press = (tool: Tool) => {
    if (tool.name === 'link') {
      onLink()
      return
    }
    tool.run(view.state, view.dispatch)
    view.focus()
  }
  return (
    <div
      className={docked ? `${styles.bar} ${styles.dock}` : styles.bar}
      role="toolbar"
      aria-label={richTextMessages.toolbar}
      // Keeps the selection and the focus in the text.
      onMouseDown={(event) => event.preventDefault()}
      onKeyDown={(event) => rove(event, view)}
    >
      {docked && nodes.heading ? (
        <IconButton label={richTextMessages.insert.label} icon={Plus} onClick={onInsert} />
      ) : null}
      {tools.map((tool) => (
        <IconButton
          key={tool.name}
          label={tool.label}
          icon={tool.icon}
          {...(tool.pressed === undefined ? {} : { pressed: on.includes(tool.name) })}
          onClick={() => press(tool)}
        />
      ))}
    </div>
  )
}

function rove(event: KeyboardEvent & { currentTarget: HTMLElement }, view: EditorView): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (event.key === 'Escape') {
    event.preventDefault()
    event.stopPropagation()
    view.focus()
  }
  if (step === undefined) return
  event.preventDefault()
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const place = buttons.findIndex((button) => button.matches(':focus'))
  buttons[(place + step + buttons.length) % buttons.length]?.focus()
}
