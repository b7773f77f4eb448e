// Uploads images again that a draft references and the server has removed.
import { isStatus, uploadFile } from './client'
import { cachedFile } from './upload-cache'

export type ReuploadResult = {
  /** New path of each uploaded image, by its former path. */
  readonly fresh: ReadonlyMap<string, string>
  /** Neither on the server nor in the upload cache. */
  readonly gone: ReadonlySet<string>
}

/** Statuses about the file itself; a retry is useless. */
const REFUSED = [400, 413, 415, 422]

/** Handles one image after the other. Without a connection or session it reports nothing. */
export async function reuploadMissing(paths: Iterable<string>): Promise<ReuploadResult> {
  const fresh = new Map<string, string>()
  const gone = new Set<string>()
  const all = [...new Set(paths)]
  const missing = await Promise.all(all.map(isGone))
  for (const path of all.filter((_, index) => missing[index])) {
    const file = await cachedFile(path)
    try {
      if (file === null) gone.add(path)
      else fresh.set(path, await uploadFile(file, () => undefined, new AbortController().signal))
    } catch (error) {
      if (REFUSED.some((status) => isStatus(error, status))) gone.add(path)
    }
  }
  return { fresh, gone }
}

async function isGone(path: string): Promise<boolean> {
  try {
    // The browser caches images for a year, so the request bypasses that cache.
    const { status } = await fetch(path, { method: 'HEAD', cache: 'no-store' })
    return status === 404
  } catch {
    return false
  }
}

const PATH = /\/objects\/uploads\/[a-z2-7]{26}/g

/** Paths of all images that the values of a form reference. */
export function imagePathsIn(fields: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.values(fields).flatMap((text) =>
    typeof text === 'string' ? (text.match(PATH) ?? []) : [],
  )
}

/** The changed fields of a form whose images were uploaded again, with the new paths. */
export async function withReuploadedPaths(
  fields: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, string>>> {
  const { fresh } = await reuploadMissing(imagePathsIn(fields))
  const changed = Object.entries(fields).flatMap(([name, text]) => {
    if (typeof text !== 'string') return []
    const next = text.replace(PATH, (path) => fresh.get(path) ?? path)
    return next === text ? [] : [[name, next] as const]
  })
  return Object.fromEntries(changed)
}
