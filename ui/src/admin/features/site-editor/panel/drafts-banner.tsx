// Banners for drafts on this device: those of an earlier visit to restore, those of this one to publish.
import { useState } from 'preact/hooks'
import { fill } from '../../../../lib/interpolate'
import { momentText } from '../../../../lib/panel-date-format'
import { useHeadingAfter } from '../../../hooks/focus-recovery'
import { Button } from '../../../ui/button'
import { toastProof } from '../../../ui/toast-store'
import { removeMissingImages } from '../api/reupload-missing-images'
import { reportMissingImages, usePublishing } from '../api/use-publishing'
import { changesText, listText, wording } from '../messages'
import { homeOf } from '../model/editable-pages'
import {
  allChanges,
  discardRecoverable,
  type PagesStore,
  restoreDraft,
  useBlocksAndDrafts,
  usePages,
} from '../model/pages-store'
import styles from '../pages/page-list.module.css'
import { BlockConflictDialog } from './conflict-dialog'
import { DraftList } from './draft-list'
import { StaleMentionsDialog } from './stale-mentions-dialog'

const { editor: own } = wording

/** Shown above the page, and above the list of pages. */
export function DraftsBanners() {
  return (
    <div className={styles.strips}>
      <NotKept />
      <OfferStrip />
    </div>
  )
}

/** Whether drafts would be lost with the page: storage is full, or unavailable in a private window. */
export function wouldLoseDrafts({ keeps, drafts }: Pick<PagesStore, 'keeps' | 'drafts'>): boolean {
  return !keeps && Object.keys(drafts).length > 0
}

function NotKept() {
  if (!usePages(wouldLoseDrafts)) return null
  return (
    <div className={styles.strip}>
      <p>{own.notKept}</p>
    </div>
  )
}

function OfferStrip() {
  const offered = usePages((store) => store.offered)
  const [latest] = Object.values(offered)
    .flat()
    .map(({ savedAt }) => savedAt)
    .sort()
    .reverse()
  useHeadingAfter(latest !== undefined)
  if (latest === undefined) return null
  return (
    <div className={styles.strip} role="status">
      <p>{fill(own.draftOffer.text, { when: momentText(latest) })}</p>
      <Button tone="outline" small onClick={() => void resume()}>
        {own.draftOffer.resume}
      </Button>
      <Button tone="quiet" small onClick={discard}>
        {own.draftOffer.discard}
      </Button>
    </div>
  )
}

async function resume(): Promise<void> {
  restoreDraft(own.draftOffer.resume)
  reportMissingImages(await removeMissingImages(), own.draftOffer.gone)
}

/** One click discards the drafts of whole visits, so the toast offers an undo. */
function discard(): void {
  const undo = discardRecoverable()
  toastProof({ title: own.discard.done, detail: null, undo })
}

export function DraftsBanner() {
  const store = useBlocksAndDrafts()
  const [looking, setLooking] = useState(false)
  const publishing = usePublishing()
  const changes = allChanges(store)
  const homes = (store.blocks ?? []).filter(({ id }) => id in store.drafts).map(homeOf)
  const names = [...new Set(homes.map(({ label }) => label))]
  useHeadingAfter(changes.length > 0)
  return (
    <>
      <DraftsBanners />
      {changes.length === 0 ? null : (
        <div className={styles.strip}>
          <p>
            {fill(own.changes.inPages, {
              changes: changesText(changes.length),
              pages: listText(names),
            })}
          </p>
          <Button tone="quiet" small onClick={() => setLooking(true)}>
            {own.changes.look}
          </Button>
          <Button small busy={publishing.busy} onClick={publishing.publish}>
            {publishing.label}
          </Button>
        </div>
      )}
      {looking ? <DraftList onClose={() => setLooking(false)} /> : null}
      <BlockConflictDialog asked={publishing.asked} />
      <StaleMentionsDialog asked={publishing.stale} />
    </>
  )
}
