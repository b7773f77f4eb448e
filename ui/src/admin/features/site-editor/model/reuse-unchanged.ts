// Keeps the identity of reloaded objects that have not changed, so that they cause no re-render.
import type { Block } from '../api/content-api'

/** Returns the former object for each equal block, and the former list when all blocks are equal. */
export function reuseUnchanged(
  former: readonly Block[] | null,
  fresh: readonly Block[],
): readonly Block[] {
  const texts = new Map(former?.map((block) => [JSON.stringify(block), block]))
  const blocks = fresh.map((block) => texts.get(JSON.stringify(block)) ?? block)
  const isSame = blocks.length === former?.length && blocks.every((one, at) => one === former[at])
  return isSame ? former : blocks
}

/** Replaces the blocks that `fresh` contains, by id. */
export function replaceBlocks(blocks: readonly Block[], fresh: readonly Block[]): readonly Block[] {
  const byId = new Map(fresh.map((block) => [block.id, block]))
  return reuseUnchanged(
    blocks,
    blocks.map((block) => byId.get(block.id) ?? block),
  )
}
