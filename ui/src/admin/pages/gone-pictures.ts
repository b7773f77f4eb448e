// A picture that nobody published leaves the server after a day, and drafts live on: what is gone is
// taken out of them, marked and named, and all the rest can be published.
import type { Draft } from './changes'
import type { Block } from './contract'
import { edit, handAll, usePages } from './pages-store'
import { picturesIn } from './picture-words'
import { fieldAt, withAt } from './value'
import { byIds } from './version-texts'
import { wording } from './wording'

/** Answers with the places that went back to what is published there. */
export async function takeOutGone(): Promise<readonly string[]> {
  const gone = await goneOf(ownPaths())
  if (gone.size === 0) return []
  handAll()
  const places = drafted().flatMap(([block, draft]) => takeOut(block, draft, gone))
  const marks = places.map((place) => [place, wording.picture.gone])
  usePages.setState(({ problems }) => ({ problems: { ...problems, ...Object.fromEntries(marks) } }))
  return places
}

function drafted(): readonly (readonly [Block, Draft])[] {
  const { blocks, drafts } = usePages.getState()
  return (blocks ?? []).flatMap((block) => {
    const draft = drafts[block.id]?.draft
    return draft === undefined ? [] : [[block, draft] as const]
  })
}

/** Those of drafts alone: what was published once stays with its version. */
function ownPaths(): ReadonlySet<string> {
  return new Set(
    drafted().flatMap(([block, { value }]) => {
      const published = picturesIn(block, block.value).map(({ picture }) => picture.path)
      const all = picturesIn(block, value).map(({ picture }) => picture.path)
      return all.filter((path) => !published.includes(path))
    }),
  )
}

async function goneOf(paths: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const asked = [...paths].map(async (path) => ((await isGone(path)) ? [path] : []))
  return new Set((await Promise.all(asked)).flat())
}

/** Who has no connection is told nothing about the picture. */
async function isGone(path: string): Promise<boolean> {
  try {
    // The browser keeps for a year what it has seen once.
    const { status } = await fetch(path, { method: 'HEAD', cache: 'no-store' })
    return status === 404
  } catch {
    return false
  }
}

function takeOut(block: Block, { value }: Draft, gone: ReadonlySet<string>): readonly string[] {
  const paths = picturesIn(block, value).flatMap(({ path, picture }) =>
    gone.has(picture.path) ? [path] : [],
  )
  const [path] = paths
  if (path === undefined) return []
  const published = new Map(
    picturesIn(block, block.value).map((one) => [byIds(one.path, block.value), one.picture]),
  )
  const without = paths.reduce((all, one) => {
    const picture = published.get(byIds(one, value))
    return withAt(all, one, picture === undefined ? null : { ...picture })
  }, value)
  const what = fieldAt(block.fields, path)?.label ?? block.label
  edit({ block: block.id, path, what, value: without })
  return paths.map((one) => `${block.id}:${one}`)
}
