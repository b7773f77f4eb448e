// Opens and closes the modal dialogs of the site and of the admin panel.

import { useEffect } from 'preact/hooks'

/**
 * Opens the dialog as modal on mount. On unmount closes it and returns the focus to the element that had it before.
 * `focus` can move the focus away from the first focusable element.
 */
export function useOpen(
  dialog: { readonly current: HTMLDialogElement | null },
  focus?: (dialog: HTMLDialogElement) => void,
): void {
  useEffect(() => {
    const opener = document.activeElement
    const element = dialog.current
    element?.showModal()
    if (element !== null) focus?.(element)
    return () => {
      element?.close()
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    }
  }, [dialog, focus])
}

/** Closes the dialog at a press outside of it: for browsers without `closedby` (Safari, Firefox before 141). */
export function closeOnBackdrop(event: MouseEvent & { readonly currentTarget: HTMLDialogElement }) {
  const { currentTarget: dialog, target, clientX: x, clientY: y } = event
  if (target !== dialog || 'closedBy' in HTMLDialogElement.prototype) return
  const { left, right, top, bottom } = dialog.getBoundingClientRect()
  if (x < left || x > right || y < top || y > bottom) dialog.close()
}
