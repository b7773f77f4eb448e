// ProseMirror node view that renders a block with its own fields as a Preact component.

import { type ComponentType, render } from 'preact'
import type { Attrs, Node } from 'prosemirror-model'
import { NodeSelection, TextSelection } from 'prosemirror-state'
import type { EditorView, NodeView } from 'prosemirror-view'
import { isImeKey } from '../../lib/ime-key'
import { insertFiles } from './image-uploads'

export type BlockProps = {
  /** Unique prefix for element ids: `useId` starts anew in every block, which is a render root of its own. */
  readonly id: string
  readonly attrs: Attrs
  readonly chosen: boolean
  readonly set: (attrs: Attrs) => void
  readonly remove: () => void
  /** Inserts pictures after this one; null outside a gallery. */
  readonly add: ((files: readonly File[]) => Promise<void>) | null
}

let made = 0

/** Creates a node view that renders `Component`. The editor ignores events of its fields. */
export function blockView(Component: ComponentType<BlockProps>) {
  return (node: Node, view: EditorView, getPos: () => number | undefined): NodeView => {
    const dom = document.createElement('div')
    dom.dataset.block = node.type.name
    made += 1
    const id = `block-${made}`
    let current = node
    let chosen = false
    const at = (): number | null => getPos() ?? null
    const draw = () => {
      const props = { id, chosen, set, remove, add: inGallery() ? add : null }
      render(<Component {...props} attrs={current.attrs} />, dom)
    }
    const inGallery = () => {
      const from = at()
      return from !== null && view.state.doc.resolve(from).parent.type.name === 'gallery'
    }
    const add = async (files: readonly File[]) => {
      const from = at()
      if (from !== null) await insertFiles(view, files, from + current.nodeSize, false)
    }
    const set = (attrs: Attrs) => {
      const from = at()
      if (from === null) return
      const { tr } = view.state
      tr.setNodeMarkup(from, null, { ...current.attrs, ...attrs })
      if (chosen) tr.setSelection(NodeSelection.create(tr.doc, from))
      view.dispatch(tr)
    }
    const remove = () => {
      const from = at()
      if (from === null) return
      view.dispatch(view.state.tr.delete(from, from + current.nodeSize).scrollIntoView())
      view.focus()
    }
    dom.addEventListener('focusin', () => {
      const from = at()
      if (chosen || from === null) return
      view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, from)))
    })
    dom.addEventListener('keydown', (event) => {
      // Enter in an input would submit the form around the text.
      const isEnter = event.key === 'Enter' && event.target instanceof HTMLInputElement
      const leaves = isEnter || (event.key === 'Escape' && isField(event.target))
      if (!leaves || isImeKey(event)) return
      event.preventDefault()
      event.stopPropagation()
      const from = at()
      if (isEnter && from !== null) continueAfter(view, from)
      view.focus()
    })
    draw()
    return {
      dom,
      update: (next) => {
        if (next.type !== current.type) return false
        current = next
        draw()
        return true
      },
      selectNode: () => {
        chosen = true
        draw()
      },
      deselectNode: () => {
        chosen = false
        draw()
      },
      stopEvent: (event) => isField(event.target),
      ignoreMutation: () => true,
      destroy: () => render(null, dom),
    }
  }
}

/** Puts the caret into the empty paragraph after the block, which is created when there is none. */
function continueAfter(view: EditorView, from: number): void {
  const { tr, schema } = view.state
  const $from = tr.doc.resolve(from)
  // After the whole gallery, when the block is one of its pictures.
  const end = $from.depth === 0 ? from + (tr.doc.nodeAt(from)?.nodeSize ?? 0) : $from.after(1)
  const next = tr.doc.nodeAt(end)
  const isThere = next?.isTextblock === true && next.content.size === 0
  const paragraph = schema.nodes.paragraph?.create()
  if (!isThere && paragraph !== undefined) tr.insert(end, paragraph)
  view.dispatch(tr.setSelection(TextSelection.create(tr.doc, end + 1)).scrollIntoView())
}

function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, button') !== null
}
