// Waits for the full style sheet; a page starts with inline rules of its own
// (`src/publish/html_template.rs`).

/** Maximum wait: a page has to become interactive even if its style sheet never arrives. */
const patienceMs = 5_000

function sheetLink(): HTMLLinkElement | null {
  return document.querySelector('head link[rel="stylesheet"]')
}

/**
 * Whether other pages can be rendered here: the inline rules cover this page alone. In some
 * browsers a style sheet that failed to load exists and is empty.
 */
export function isStylesheetReady(): boolean {
  const link = sheetLink()
  return link === null || (link.sheet?.cssRules.length ?? 0) > 0
}

/**
 * Resolves when the style sheet has loaded or failed. Only the sheet has rules for what scripts
 * render.
 */
export function stylesheetReady(): Promise<unknown> {
  const link = sheetLink()
  if (link === null || link.sheet !== null) return Promise.resolve()
  return new Promise((resolve) => {
    link.addEventListener('load', resolve, { once: true })
    link.addEventListener('error', resolve, { once: true })
    setTimeout(resolve, patienceMs)
  })
}
