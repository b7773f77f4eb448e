// Letters that are typed beside the page are told to the page, one by one.
import type { Block, FieldValue } from '../api/content-api'

type Follow = (block: Block, path: string, word: FieldValue) => void
const followers = new Set<Follow>()

/** With each letter that is typed beside the page; the answer ends it. */
export function followLetters(follow: Follow): () => void {
  followers.add(follow)
  return () => followers.delete(follow)
}

export const tellLetters: Follow = (...letters) => {
  for (const follow of followers) follow(...letters)
}
