// Pictures on their way into a page: they go on when their form is left, and publishing waits for them.

const running = new Set<object>()
let waiting: (() => void)[] = []

const ask = (event: BeforeUnloadEvent) => event.preventDefault()

/** `key` is whoever sends; it sends one picture at a time. */
export function tellUpload(key: object, busy: boolean): void {
  if (busy) running.add(key)
  else running.delete(key)
  if (running.size > 0) {
    addEventListener('beforeunload', ask)
    return
  }
  removeEventListener('beforeunload', ask)
  for (const go of waiting.splice(0)) go()
}

/** When none is on its way any more. */
export function uploadsDone(): Promise<void> {
  return new Promise((done) => {
    if (running.size === 0) done()
    else waiting = [...waiting, done]
  })
}
