// Small pages of the list, each a document of its own, are ended one by one once the editor stands: all
// of them at once held back the page that was pressed.

/** Keeps what a frame shows, in browsers that have it. */
type Movable = { moveBefore?: (node: Node, before: Node | null) => void }

const AFTER_MS = 1_500
const APART_MS = 50

let place: (ShadowRoot & Movable) | null = null

/** Where nobody sees or hears it, until its turn; elsewhere it goes with its card. */
export function removeLater(frame: HTMLIFrameElement | null): void {
  if (frame === null || !frame.isConnected) return
  const to = place ?? placeFor()
  place = to
  if (to.moveBefore === undefined) return
  try {
    to.moveBefore(frame, null)
    if (to.childElementCount === 1) setTimeout(endNext, AFTER_MS)
  } catch {
    // One that cannot be moved goes at once.
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
