// Shows that a page is on its way, when it takes longer than people notice.

const noticedMs = 150

/** Begins to wait; what it returns ends that. The style sheets of header and links do the rest. */
export function showNavigationProgress(pressed: Element | null): () => void {
  const main = document.querySelector('main')
  const timer = setTimeout(() => {
    document.documentElement.dataset.waiting = ''
    pressed?.setAttribute('data-pressed', '')
    main?.setAttribute('aria-busy', 'true')
  }, noticedMs)
  return () => {
    clearTimeout(timer)
    delete document.documentElement.dataset.waiting
    pressed?.removeAttribute('data-pressed')
    main?.removeAttribute('aria-busy')
  }
}
