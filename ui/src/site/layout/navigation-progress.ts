// Shows that a page is loading, once that takes long enough to notice.

const noticedMs = 150

/** Starts the wait; the returned function ends it. The style sheets of header and links show it. */
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
