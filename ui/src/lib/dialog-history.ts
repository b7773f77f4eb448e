// Makes Back close the topmost dialog: each open dialog has a history entry of its own.
//
// A page cannot delete a history entry: when a dialog closes by other means, the page goes back by one entry.
// `settle` handles both directions: it compares the number of open layers with the depth of the current entry.

type Layer = { readonly close: () => void }

const layers: Layer[] = []
/** Resolves `arrival`. Set while a `history.go` of this module is pending. */
let moving: (() => void) | null = null
let arrival: Promise<void> = Promise.resolve()
let isPlanned = false

/**
 * Longer than a slow phone takes to render without the closed dialog. With 60 ms a second Back, pressed at once, only
 * removed the entry that `settle` had pushed for the dialog that was still closing.
 */
const closeMilliseconds = 250
const moveMillisecondsMax = 1000

/** Number of layers that the current history entry stands for. */
function depth(): number {
  const state: { readonly layer?: unknown } | null = history.state
  return typeof state?.layer === 'number' ? state.layer : 0
}

/** Starts listening for Back and for every modal dialog of the page. */
export function closeByBack(): void {
  // The browser must not restore the scroll position of the page behind a dialog when the dialog closes.
  history.scrollRestoration = 'manual'
  addEventListener('popstate', () => {
    if (!land()) {
      // A copy, topmost layer first, because closing removes the layer from `layers`.
      for (const layer of layers.slice(depth()).reverse()) layer.close()
    }
    plan(closeMilliseconds)
  })
  // Not the `toggle` event: dialogs send it from Safari 26, Chrome 132 and Firefox 133 on.
  new MutationObserver((changes) => {
    for (const { target } of changes) watch(target)
  }).observe(document, { attributeFilter: ['open'], subtree: true })
  for (const dialog of document.querySelectorAll('dialog:modal')) watch(dialog)
  plan()
}

const watched = new WeakSet<HTMLDialogElement>()

function watch(target: EventTarget | null): void {
  if (!(target instanceof HTMLDialogElement) || !target.matches(':modal')) return
  if (watched.has(target)) return
  watched.add(target)
  const done = openLayer(() => ask(target))
  const onClose = () => {
    watched.delete(target)
    done()
  }
  target.addEventListener('close', onClose, { once: true })
}

/** Closes the dialog like Escape: a `cancel` listener can prevent it, to ask for confirmation. */
function ask(dialog: HTMLDialogElement): void {
  const event = new Event('cancel', { cancelable: true })
  if (dialog.dispatchEvent(event)) dialog.close()
}

/** Registers a layer over the page. Returns a function to call when the layer is closed. */
export function openLayer(close: () => void): () => void {
  const layer = { close }
  layers.push(layer)
  plan()
  return () => {
    const index = layers.indexOf(layer)
    if (index >= 0) layers.splice(index, 1)
    plan()
  }
}

/** Whether the page has no open layer and no history entry of one, so that it can be left at once. */
export function isBare(): boolean {
  return layers.length === 0 && depth() === 0 && moving === null
}

/** Closes all layers and waits until their history entries are left. Called before navigating to another page. */
export async function closeAllLayers(): Promise<void> {
  for (const layer of [...layers].reverse()) layer.close()
  await new Promise((next) => setTimeout(next))
  settle()
  await arrival
}

/** Schedules `settle` in its own task, so that replacing one dialog with another leaves the history unchanged. */
function plan(milliseconds = 0): void {
  if (isPlanned) return
  isPlanned = true
  setTimeout(settle, milliseconds)
}

/** Ends a pending `history.go`. Returns whether one of this module was pending. */
function land(): boolean {
  const wasMoving = moving !== null
  moving?.()
  moving = null
  return wasMoving
}

function settle(): void {
  isPlanned = false
  if (moving) return
  const surplus = depth() - layers.length
  if (surplus > 0) {
    arrival = new Promise((arrived) => {
      moving = arrived
      // If the browser ignores `history.go`, the timeout ends the wait.
      setTimeout(() => moving === arrived && land(), moveMillisecondsMax)
    })
    history.go(-surplus)
  }
  for (let layer = depth() + 1; layer <= layers.length; layer += 1)
    history.pushState({ ...history.state, layer }, '')
}
