// Removes the preview iframes of the page list one by one once the editor is shown; removing all at once
// delayed the opened page.

/** `moveBefore` keeps the document of a moved iframe; not all browsers support it. */
type Movable = { moveBefore?: (node: Node, before: Node | null) => void }

const AFTER_MS = 1_500
const APART_MS = 50

let place: (ShadowRoot & Movable) | null = null

/** Moves an iframe to a hidden place until its turn; without `moveBefore` it is removed with its card. */
export function removeLater(frame: HTMLIFrameElement | null): void {
  if (frame === null || !frame.isConnected) return
  const to = place ?? placeFor()
  place = to
  if (to.moveBefore === undefined) return
  try {
    to.moveBefore(frame, null)
    if (to.childElementCount === 1) setTimeout(endNext, AFTER_MS)
  } catch {
    // An iframe that cannot be moved is removed at once.
  }
}

function placeFor(): ShadowRoot & Movable {
  const host = document.createElement('div')
  host.hidden = true
  document.body.append(host)
  return host.attachShadow({ mode: 'closed' })
}

function endNext(): void {
  place?.firstElementChild?.remove()
  if (place?.firstElementChild) setTimeout(endNext, APART_MS)
}
