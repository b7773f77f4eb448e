// Pictures that drafts name and the server has no more.
import { isStatus, uploadFile } from './client'
import { cachedFile } from './upload-cache'

export type ReuploadResult = {
  /** What was sent once more: the new path of each former one. */
  readonly fresh: ReadonlyMap<string, string>
  /** Neither there nor here. */
  readonly gone: ReadonlySet<string>
}

/** Of the file itself, which no other try helps. */
const REFUSED = [400, 413, 415, 422]

/** Looks for each, one after another; who has no connection, or no session, is told of nothing. */
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
    // The browser keeps for a year what it has seen once.
    const { status } = await fetch(path, { method: 'HEAD', cache: 'no-store' })
    return status === 404
  } catch {
    return false
  }
}

const PATH = /\/objects\/uploads\/[a-z2-7]{26}/g

/** All that texts of a form name. */
export function imagePathsIn(fields: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.values(fields).flatMap((text) =>
    typeof text === 'string' ? (text.match(PATH) ?? []) : [],
  )
}

/** The texts of a form that name a picture which was sent again, with its new path. */
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
