// Pictures on their way into a page: they go on when their form is left, and publishing waits for them.

const running = new Set<object>()
let waiting: ((failure: unknown) => void)[] = []
/** Why one did not arrive while somebody was waiting; null where all did. */
let failed: unknown = null

const ask = (event: BeforeUnloadEvent) => event.preventDefault()

/** `key` is whoever sends; it sends one picture at a time. `failure` says why it did not arrive. */
export function trackUpload(key: object, busy: boolean, failure: unknown = null): void {
  if (busy) running.add(key)
  else running.delete(key)
  failed ??= failure
  if (running.size > 0) {
    addEventListener('beforeunload', ask)
    return
  }
  removeEventListener('beforeunload', ask)
  for (const go of waiting.splice(0)) go(failed)
}

export function isUploading(): boolean {
  return running.size > 0
}

/** When none is on its way any more: the failure of one that was waited for, or null. */
export function whenUploadsDone(): Promise<unknown> {
  if (waiting.length === 0) failed = null
  return new Promise((done) => {
    if (isUploading()) waiting = [...waiting, done]
    else done(null)
  })
}
