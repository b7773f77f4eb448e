// Line below the name of a legal page: its first missing item, or the day of its last change.
import { useContext } from 'preact/hooks'
import type { SitePage } from '../model/editable-pages'
import { draftOf, useBlocksAndDrafts } from '../model/pages-store'
import { ChipReactContext } from '../model/use-chip-context'
import { legalChecks, legalNote } from './legal-checks'

export function LegalStatus({ page }: { page: SitePage }) {
  const store = useBlocksAndDrafts()
  const known = useContext(ChipReactContext)
  const blocks = store.blocks ?? []
  const block = blocks.find(
    ({ id, pages }) => id.startsWith('legal.') && pages.includes(page.pattern),
  )
  // Before the settings are loaded every item would count as missing.
  const isRead = Object.keys(known.settings).length > 0
  const checks = isRead ? legalChecks(blocks, (one) => draftOf(store, one).value, known) : []
  return <>{(block && legalNote(block, checks)) || page.pattern}</>
}
