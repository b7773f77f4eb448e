// Caches uploaded files of unpublished images on the device. The server removes an unreferenced
// image after a day; a draft that references it lives for weeks and uploads it again from this
// cache.

const STORE = 'respiro-pictures'
/** The oldest files are evicted first. */
const FILES_MAX = 24
const BYTES_MAX = 96 * 1_048_576
/** 60 days. */
const AGE_MAX_MS = 60 * 86_400_000

const NAME = 'x-name'
const BYTES = 'x-bytes'
const KEPT_AT = 'x-kept-at'

/**
 * `path` is the image's path on the server. Does nothing when the browser has no Cache API or no
 * space.
 */
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
    // The Cache API needs HTTPS; without it the image lives for the server's day only.
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

/** Removes files of images that are published: the server keeps those. */
export async function evictFiles(paths: Iterable<string>): Promise<void> {
  try {
    const store = await caches.open(STORE)
    for (const path of paths) await store.delete(path)
  } catch {
    // Nothing is cached.
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
