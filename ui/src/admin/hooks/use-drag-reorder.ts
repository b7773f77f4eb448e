// A list whose rows are dragged by their grip; the order itself is the owner's to change.
import { useEffect, useRef } from 'preact/hooks'
import type Sortable from 'sortablejs'

/** A click so soon after a drag belongs to it. */
const CLICK_AFTER_DRAG_MS = 300

/** `classes.gap` is where the row came from, `classes.lifted` the row on its way. */
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
        // The rows belong to Preact: put the node back, then change the data.
        item.remove()
        from.insertBefore(item, from.children[oldIndex] ?? null)
        latest.current(oldIndex, newIndex)
      },
    }
    let sortable: Sortable | undefined
    let isLeft = false
    // Comes after the list: without it rows are still moved by their menu.
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
  // The press that ends a drag is also a click on the handle.
  return { wasUsed: () => Date.now() - ended.current < CLICK_AFTER_DRAG_MS }
}
