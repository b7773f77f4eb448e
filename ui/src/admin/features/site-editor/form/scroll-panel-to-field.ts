// Scrolls the side panel to the field. scrollIntoView also scrolled the window when the field was taller than
// the panel.
import { useEffect } from 'preact/hooks'

/** Height of the panel's header and a line of the content above the field. */
const HEAD_PX = 100

export function scrollPanelToField(field: Element): void {
  const panel = field.closest('[data-region]')
  if (panel === null) return
  const [box, around] = [field.getBoundingClientRect(), panel.getBoundingClientRect()]
  if (box.top >= around.top + HEAD_PX / 2 && box.bottom <= around.bottom) return
  panel.scrollTop += box.top - around.top - HEAD_PX
}

/** Keeps the focused field visible when the panel is resized, by a rotation or the on-screen keyboard. */
export function useFocusInSight(panel: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const root = panel.current
    if (root === null) return
    let size = `${root.clientWidth} ${root.clientHeight}`
    const watch = new ResizeObserver(() => {
      const field = document.activeElement
      const former = size
      size = `${root.clientWidth} ${root.clientHeight}`
      const isSame = former === size
      if (isSame || field === null || field === root || !root.contains(field)) return
      const [box, around] = [field.getBoundingClientRect(), root.getBoundingClientRect()]
      const isTaller = box.height > around.height - HEAD_PX
      // In a partly visible long text the browser itself scrolls to the caret.
      const isPartly = box.top < around.bottom && box.bottom > around.top + HEAD_PX
      if (!(isTaller && isPartly)) scrollPanelToField(field)
    })
    watch.observe(root)
    return () => watch.disconnect()
  }, [panel])
}

/** Focuses the field with the caret at its end; browsers put it before the text of a contenteditable. */
export function focusAtEnd(field: HTMLElement): void {
  field.focus({ preventScroll: true })
  if (!field.isContentEditable) return
  const selection = getSelection()
  selection?.selectAllChildren(field)
  selection?.collapseToEnd()
}
