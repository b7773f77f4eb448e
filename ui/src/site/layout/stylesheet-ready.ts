// The style sheet behind the rules that a page brings along (`src/site/template.rs`).

/** A sheet that does not come must not keep the page from answering. */
const patienceMs = 5_000

function sheetLink(): HTMLLinkElement | null {
  return document.querySelector('head link[rel="stylesheet"]')
}

/**
 * Whether other pages can be drawn here: this one has its own rules, theirs are in the sheet. One that
 * did not come is an empty one in some browsers.
 */
export function isStylesheetReady(): boolean {
  const link = sheetLink()
  return link === null || (link.sheet?.cssRules.length ?? 0) > 0
}

/** Until it is there, or is not going to be: what scripts draw is styled by it alone. */
export function stylesheetReady(): Promise<unknown> {
  const link = sheetLink()
  if (link === null || link.sheet !== null) return Promise.resolve()
  return new Promise((resolve) => {
    link.addEventListener('load', resolve, { once: true })
    link.addEventListener('error', resolve, { once: true })
    setTimeout(resolve, patienceMs)
  })
}
