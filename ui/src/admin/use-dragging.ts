// A list whose rows are dragged by their grip; the order itself is the owner's to change.
import { useEffect, useRef } from 'preact/hooks'
import Sortable from 'sortablejs'

/** A click so soon after a drag belongs to it. */
const CLICK_AFTER_DRAG_MS = 300

/** `classes.gap` is where the row came from, `classes.lifted` the row on its way. */
export function useDragging(
  list: { current: HTMLElement | null },
  active: boolean,
  classes: CSSModuleClasses,
  drop: (from: number, to: number) => void,
): { wasUsed: () => boolean } {
  const latest = useRef(drop)
  latest.current = drop
  const ended = useRef(0)
  useEffect(() => {
    if (!active || list.current === null) return undefined
    const sortable = Sortable.create(list.current, {
      handle: '[data-move=grip]',
      animation: 180,
      forceFallback: true,
      fallbackTolerance: 4,
      fallbackOnBody: false,
      ghostClass: classes.gap ?? 'gap',
      fallbackClass: classes.lifted ?? 'lifted',
      onEnd: ({ item, from, oldIndex, newIndex }) => {
        ended.current = Date.now()
        if (oldIndex === undefined || newIndex === undefined || oldIndex === newIndex) return
        // The rows belong to Preact: put the node back, then change the data.
        item.remove()
        from.insertBefore(item, from.children[oldIndex] ?? null)
        latest.current(oldIndex, newIndex)
      },
    })
    return () => sortable.destroy()
  }, [active, list, classes])
  // The press that ends a drag is also a click on the handle.
  return { wasUsed: () => Date.now() - ended.current < CLICK_AFTER_DRAG_MS }
}
