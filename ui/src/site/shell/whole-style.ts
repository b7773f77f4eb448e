// The style sheet behind the rules that a page brings along (`src/site/template.rs`).

/** A sheet that does not come must not keep the page from answering. */
const patienceMs = 5_000

/** Until it is there, or is not going to be: what scripts draw is styled by it alone. */
export function wholeStyle(): Promise<unknown> {
  const link = document.querySelector<HTMLLinkElement>('head link[rel="stylesheet"]')
  if (link === null || link.sheet !== null) return Promise.resolve()
  return new Promise((resolve) => {
    link.addEventListener('load', resolve, { once: true })
    link.addEventListener('error', resolve, { once: true })
    setTimeout(resolve, patienceMs)
  })
}
