// What is read again and says the same draws nothing anew.
import type { Block } from '../api/content-api'

/** Blocks that say what they said stay the very ones they were; so does the list, when all do. */
export function reuseUnchanged(
  former: readonly Block[] | null,
  fresh: readonly Block[],
): readonly Block[] {
  const texts = new Map(former?.map((block) => [JSON.stringify(block), block]))
  const blocks = fresh.map((block) => texts.get(JSON.stringify(block)) ?? block)
  const isSame = blocks.length === former?.length && blocks.every((one, at) => one === former[at])
  return isSame ? former : blocks
}

/** Some of them as they stand now. */
export function replaceBlocks(blocks: readonly Block[], fresh: readonly Block[]): readonly Block[] {
  const byId = new Map(fresh.map((block) => [block.id, block]))
  return reuseUnchanged(
    blocks,
    blocks.map((block) => byId.get(block.id) ?? block),
  )
}
