// Uploads in progress: they continue when their form is closed, and publishing waits for them.

const running = new Set<object>()
let waiting: ((failure: unknown) => void)[] = []
/** Failure of an upload that a caller waited for; null if all succeeded. */
let failed: unknown = null

const ask = (event: BeforeUnloadEvent) => event.preventDefault()

/** `key` identifies the uploader, which sends one picture at a time; `failure` is why an upload failed. */
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

/** Resolves when no upload is running: to the failure of one that was waited for, or null. */
export function whenUploadsDone(): Promise<unknown> {
  if (waiting.length === 0) failed = null
  return new Promise((done) => {
    if (isUploading()) waiting = [...waiting, done]
    else done(null)
  })
}
