// Opens and closes the modal dialogs of the site and of the admin panel.

import { useEffect } from 'preact/hooks'

/** The control that was pressed last. */
let pressed: Element | null = null

// Safari on a Mac and on iPhones gives a pressed button or link no focus. The server renders without a document.
if (typeof document !== 'undefined') {
  const note = ({ target }: Event) => {
    pressed = target instanceof Element ? target.closest('button, a, summary') : null
  }
  document.addEventListener('click', note, true)
}

function isFocusNowhere(): boolean {
  return document.activeElement === null || document.activeElement.contains(pressed)
}

/**
 * Opens the dialog as modal on mount. On unmount closes it and returns the focus to the element that had it before.
 * The focus goes to the dialog itself, unless `focus` moves it: Orca reads it in Firefox, and on the first button it said
 * that button alone.
 */
export function useOpen(
  dialog: { readonly current: HTMLDialogElement | null },
  focus?: (dialog: HTMLDialogElement) => void,
): void {
  useEffect(() => {
    const opener = isFocusNowhere() ? pressed : document.activeElement
    const element = dialog.current
    element?.showModal()
    if (element !== null) (focus ?? focusDialog)(element)
    return () => {
      element?.close()
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
    }
  }, [dialog, focus])
}

function focusDialog(dialog: HTMLDialogElement): void {
  dialog.focus()
}

/** Closes the dialog at a press outside of it: for browsers without `closedby` (Safari, Firefox before 141). */
export function closeOnBackdrop(event: MouseEvent & { readonly currentTarget: HTMLDialogElement }) {
  const { currentTarget: dialog, target, clientX: x, clientY: y } = event
  if (target !== dialog || 'closedBy' in HTMLDialogElement.prototype) return
  const { left, right, top, bottom } = dialog.getBoundingClientRect()
  if (x < left || x > right || y < top || y > bottom) dialog.close()
}
