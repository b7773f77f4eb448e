// Brings a field into sight by its panel alone: one that is taller than a sheet moved the whole window.
import { useEffect } from 'preact/hooks'

/** Of the panel's own head, and a line of what stands before the field. */
const HEAD_PX = 100

export function scrollPanelToField(field: Element): void {
  const panel = field.closest('[data-region]')
  if (panel === null) return
  const [box, around] = [field.getBoundingClientRect(), panel.getBoundingClientRect()]
  if (box.top >= around.top + HEAD_PX / 2 && box.bottom <= around.bottom) return
  panel.scrollTop += box.top - around.top - HEAD_PX
}

/** What has the focus stays in sight when the panel becomes another size: a phone is turned, its keyboard comes. */
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
      // Of a long text the browser shows the caret.
      const isPartly = box.top < around.bottom && box.bottom > around.top + HEAD_PX
      if (!(isTaller && isPartly)) scrollPanelToField(field)
    })
    watch.observe(root)
    return () => watch.disconnect()
  }, [panel])
}

/** Who comes by a tap, or by keys, goes on writing: a browser puts the caret before all words of a box. */
export function focusAtEnd(field: HTMLElement): void {
  field.focus({ preventScroll: true })
  if (!field.isContentEditable) return
  const selection = getSelection()
  selection?.selectAllChildren(field)
  selection?.collapseToEnd()
}
