// How every dialog of the site and of the panel opens and goes.

import { useEffect } from 'preact/hooks'

/**
 * Opens a drawn dialog above the page, and gives the focus back when it goes.
 * `focus` puts it elsewhere than on what comes first.
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
