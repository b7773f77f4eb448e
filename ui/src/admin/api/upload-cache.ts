// The files of pictures that nobody has published yet, on this device. The server keeps such a picture for
// a day, and a draft that names it lives for weeks: it is sent once more from here.

const STORE = 'respiro-pictures'
/** About what a telephone takes in an afternoon; the oldest give way. */
const FILES_MAX = 24
const BYTES_MAX = 96 * 1_048_576
/** Sixty days: whoever has not come back by then chooses the picture anew. */
const AGE_MAX_MS = 60 * 86_400_000

const NAME = 'x-name'
const BYTES = 'x-bytes'
const KEPT_AT = 'x-kept-at'

/** `path` is where the server has it now. Where the browser keeps nothing, or has no room, neither does this. */
export async function cacheFile(path: string, file: File): Promise<void> {
  try {
    const store = await caches.open(STORE)
    const headers = {
      'Content-Type': file.type,
      [NAME]: encodeURIComponent(file.name),
      [BYTES]: String(file.size),
      [KEPT_AT]: String(Date.now()),
    }
    await store.put(path, new Response(file, { headers }))
    await makeRoom(store)
  } catch {
    // Without HTTPS there is no such store. The server's day has to do.
  }
}

export async function cachedFile(path: string): Promise<File | null> {
  try {
    const kept = await (await caches.open(STORE)).match(path)
    if (kept === undefined) return null
    const name = decodeURIComponent(kept.headers.get(NAME) ?? '')
    const type = kept.headers.get('Content-Type') ?? ''
    return new File([await kept.blob()], name, { type })
  } catch {
    return null
  }
}

/** Published: from now on the server keeps them. */
export async function evictFiles(paths: Iterable<string>): Promise<void> {
  try {
    const store = await caches.open(STORE)
    for (const path of paths) await store.delete(path)
  } catch {
    // What is not there needs no forgetting.
  }
}

async function makeRoom(store: Cache): Promise<void> {
  const all = await Promise.all((await store.keys()).map((request) => sizeOf(store, request)))
  all.sort((one, other) => other.keptAt - one.keptAt)
  let bytes = 0
  for (const [index, one] of all.entries()) {
    bytes += one.bytes
    const isOld = Date.now() - one.keptAt > AGE_MAX_MS
    if (index >= FILES_MAX || bytes > BYTES_MAX || isOld) await store.delete(one.request)
  }
}

async function sizeOf(store: Cache, request: Request) {
  const kept = await store.match(request)
  const of = (name: string) => Number(kept?.headers.get(name) ?? 0)
  return { request, bytes: of(BYTES), keptAt: of(KEPT_AT) }
}
