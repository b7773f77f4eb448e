// After an event with another price or name is saved: the sentences elsewhere that have the former one.
import { useEffect, useState } from 'preact/hooks'
import { counted } from '../../../../lib/plural'
import type { Kind, Values } from '../../../api/schema'
import { dismissedTexts } from '../../../lint/dismissed-warnings'
import { toastDone, toastFailed } from '../../../ui/toast-store'
import { readBlocks, writeBlocks } from '../api/content-api'
import { correctItems, itemCorrections, readItemsThatMay } from '../api/item-mentions'
import { dismissMentions, STALE_KEY, type StaleAnswer } from '../api/use-publishing'
import {
  correctionsOf,
  draftChanges,
  itemChanges,
  mentionsInBlocks,
  mentionsInItems,
  type StaleMention,
  withItems,
  withoutDismissed,
} from '../lint/stale-mentions'
import { wording } from '../messages'
import { setIn } from '../model/field-path'
import { usePages } from '../model/pages-store'
import { StaleMentionsDialog } from './stale-mentions-dialog'

/** The values of an item before and after a save. */
export type SavedChange = {
  readonly kind: Kind
  readonly id: string
  readonly before: Values
  readonly after: Values
}

type StaleAfterSaveProps = { change: SavedChange; onClose: () => void }

export function StaleAfterSave({ change, onClose }: StaleAfterSaveProps) {
  const [mentions, setMentions] = useState<readonly StaleMention[] | null>(null)
  useEffect(() => {
    let isCurrent = true
    void findMentions(change).then((found) => {
      if (!isCurrent) return
      if (found.length === 0) onClose()
      else setMentions(found)
    })
    return () => {
      isCurrent = false
    }
  }, [change, onClose])
  if (mentions === null) return null
  const answer = async (given: StaleAnswer) => {
    if (given === 'keep') dismissMentions(mentions)
    onClose()
    if (given === 'fix') await correct(mentions)
  }
  return <StaleMentionsDialog asked={{ mentions, answer: (given) => void answer(given) }} />
}

async function findMentions({ kind, id, before, after }: SavedChange) {
  const changes = itemChanges(kind, id, before, after)
  if (changes.length === 0) return []
  const [blocks, items] = await Promise.all([
    readBlocks().catch(() => []),
    readItemsThatMay(changes),
  ])
  // The dialog names fields of blocks, which the site editor has not loaded here.
  if (usePages.getState().blocks === null) usePages.setState({ blocks })
  const { current } = draftChanges(blocks, ({ value }) => value)
  const known = { changes, current: withItems(current, items) }
  const all = [
    ...mentionsInBlocks(blocks, ({ value }) => value, known),
    ...mentionsInItems(items, known),
  ]
  return withoutDismissed(all, dismissedTexts(STALE_KEY))
}

async function correct(mentions: readonly StaleMention[]): Promise<void> {
  const corrections = correctionsOf(mentions)
  const changed = new Map<string, { value: Parameters<typeof setIn>[0]; version: string }>()
  for (const { source, word } of corrections) {
    if (!('block' in source)) continue
    const { block, path } = source
    const value = setIn(changed.get(block.id)?.value ?? block.value, path, word)
    changed.set(block.id, { value, version: block.version })
  }
  try {
    if (changed.size > 0) await writeBlocks(Object.fromEntries(changed))
  } catch {
    toastFailed(wording.refusals.server, null)
    return
  }
  const { doneOne, done } = wording.amount.stale
  if (await correctItems(itemCorrections(corrections)))
    toastDone(counted(mentions.length, doneOne, done))
}
