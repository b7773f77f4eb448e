// Reorders a list by dragging rows at their handle. The caller changes the data.
import { useEffect, useRef } from 'preact/hooks'
import type Sortable from 'sortablejs'

/** Browsers send a click after a drag; within this time it is part of the drag. */
const CLICK_AFTER_DRAG_MS = 300

/**
 * `classes.gap` styles the empty slot of the dragged row, `classes.lifted` the row under the
 * pointer.
 */
export function useDragReorder(
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
    const { current } = list
    const options: Sortable.Options = {
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
        // Preact owns the rows: put the node back, then change the data.
        item.remove()
        from.insertBefore(item, from.children[oldIndex] ?? null)
        latest.current(oldIndex, newIndex)
      },
    }
    let sortable: Sortable | undefined
    let isLeft = false
    // Loaded after the list is shown; without it the row menu still moves rows.
    import('sortablejs').then(
      (module) => {
        if (!isLeft) sortable = module.default.create(current, options)
      },
      () => {},
    )
    return () => {
      isLeft = true
      sortable?.destroy()
    }
  }, [active, list, classes])
  // The pointer release that ends a drag also clicks the handle.
  return { wasUsed: () => Date.now() - ended.current < CLICK_AFTER_DRAG_MS }
}
