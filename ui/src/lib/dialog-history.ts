// Back closes the topmost thing first: each open dialog stands on a history entry of its own.
//
// A history entry cannot be taken away, only left: whoever closes by another way is led one back.
// Both directions meet in `settle`, which compares what is open with what the history says.

type Layer = { readonly close: () => void }

const layers: Layer[] = []
/** Set while the browser is on its way to another entry of this page. */
let moving: (() => void) | null = null
let arrival: Promise<void> = Promise.resolve()
let isPlanned = false

/**
 * Longer than a slow phone takes to draw without what was closed: at 60 ms a second Back, pressed at
 * once, only took back the entry that was put there for the dialog on its way out.
 */
const closeMilliseconds = 250
const moveMillisecondsMax = 1000

/** How many layers the entry that is shown stands for. */
function depth(): number {
  const state: { readonly layer?: unknown } | null = history.state
  return typeof state?.layer === 'number' ? state.layer : 0
}

/** Listens for the whole page: every modal dialog, whoever opens and closes it. */
export function closeByBack(): void {
  // The page behind a dialog stays where it is, or where its owner led it meanwhile.
  history.scrollRestoration = 'manual'
  addEventListener('popstate', () => {
    if (!land()) {
      // From the top, and a copy: closing takes a layer out of the list.
      for (const layer of layers.slice(depth()).reverse()) layer.close()
    }
    plan(closeMilliseconds)
  })
  // Toggle does not bubble, but it can be caught on its way down.
  document.addEventListener('toggle', (event) => watch(event.target), true)
  for (const dialog of document.querySelectorAll('dialog:modal')) watch(dialog)
  plan()
}

function watch(target: EventTarget | null): void {
  if (!(target instanceof HTMLDialogElement) || !target.matches(':modal')) return
  const done = openLayer(() => ask(target))
  target.addEventListener('close', done, { once: true })
}

/** As Escape would: who wants to ask first can refuse. */
function ask(dialog: HTMLDialogElement): void {
  const event = new Event('cancel', { cancelable: true })
  if (dialog.dispatchEvent(event)) dialog.close()
}

/** Something lies over the page; call the answer when it is gone. */
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

/** Whether nothing lies over the page, nor stands in its history: it can be left at once. */
export function isBare(): boolean {
  return layers.length === 0 && depth() === 0 && moving === null
}

/** Closes all and waits until the history is the page's own again: before one leaves it. */
export async function leaveLayers(): Promise<void> {
  for (const layer of [...layers].reverse()) layer.close()
  await new Promise((next) => setTimeout(next))
  settle()
  await arrival
}

/** In a task of its own: one dialog that gives way to another changes nothing. */
function plan(milliseconds = 0): void {
  if (isPlanned) return
  isPlanned = true
  setTimeout(settle, milliseconds)
}

/** True where it was us who moved. */
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
      // Where the browser does not go, nobody waits for it for ever.
      setTimeout(() => moving === arrived && land(), moveMillisecondsMax)
    })
    history.go(-surplus)
  }
  for (let layer = depth() + 1; layer <= layers.length; layer += 1)
    history.pushState({ ...history.state, layer }, '')
}
