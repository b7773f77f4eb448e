// Finds pages with the same title, which search results would not tell apart.
import type { Block, ObjectValue } from '../api/content-api'
import { SITE_PAGES, type SitePage } from '../model/editable-pages'
import { type ChipContext, shownText } from '../model/rich-value'
import { foldText } from '../search/search-content'

/** Returns another page with the title of this one. `wordsOf` returns the draft of a block. */
export function findDuplicateTitle(
  block: Block,
  blocks: readonly Block[],
  wordsOf: (block: Block) => ObjectValue,
  known: ChipContext,
): SitePage | undefined {
  const titleOf = (one: Block) => foldText(shownText(wordsOf(one).title ?? '', known).trim())
  const title = titleOf(block)
  if (title === '') return undefined
  // Search engines do not index legal pages, and the not-found page has no address.
  const pages = SITE_PAGES.filter(({ group }) => group === 'main')
  const isSame = ({ id, pages: [first = ''] }: Block, { pattern }: SitePage) =>
    id.startsWith('seo.') && !id.endsWith('-not-found') && id !== block.id && first === pattern
  return pages.find((page) =>
    blocks.some((other) => isSame(other, page) && titleOf(other) === title),
  )
}
