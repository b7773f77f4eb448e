/** Moves the focus to the first refused field of the topmost dialog, or of the page, once it is marked. */
export function focusFirstProblem(): void {
  setTimeout(() => {
    const top = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document
    const field = top.querySelector('[aria-invalid=true]')
    if (!(field instanceof HTMLElement)) return
    field.closest('details')?.setAttribute('open', '')
    field.focus({ preventScroll: true })
    field.scrollIntoView({ block: 'center' })
  }, 0)
}
