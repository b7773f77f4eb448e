// Banners for drafts: those of an earlier visit or another device to restore, those of this one to publish.
import { useState } from 'preact/hooks'
import { withArticle } from '../../../../lib/date-article'
import { fill } from '../../../../lib/interpolate'
import { momentText } from '../../../../lib/panel-date-format'
import { counted } from '../../../../lib/plural'
import { DraftRefusal, DraftsElsewhere } from '../../../drafts/draft-notices'
import { originText } from '../../../drafts/draft-recovery'
import { useHeadingAfter } from '../../../hooks/focus-recovery'
import { Button } from '../../../ui/button'
import { toastProof } from '../../../ui/toast-store'
import { removeMissingImages } from '../api/reupload-missing-images'
import { reportMissingImages, usePublishing } from '../api/use-publishing'
import { changesText, listText, wording } from '../messages'
import { homeOf, isOn, type SitePage } from '../model/editable-pages'
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
import { PlannedDrafts } from './plan-dialog'
import { StaleMentionsDialog } from './stale-mentions-dialog'

const { editor: own } = wording

/** Shown above a page, and above the list of pages. */
export function DraftsBanners({ page }: { page?: SitePage }) {
  const blocks = usePages((store) => store.blocks)
  const isDirty = usePages(({ drafts }) => Object.keys(drafts).length > 0)
  const here = page === undefined ? blocks : blocks?.filter((block) => isOn(block, page))
  return (
    <div className={styles.strips}>
      <NotKept />
      {isDirty ? <DraftRefusal /> : null}
      <DraftsElsewhere
        isSame={(subject) => here?.some(({ id }) => subject === `words:${id}`) === true}
      />
      <PlannedDrafts />
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
  const all = Object.values(offered).flat()
  const [latest] = [...all].sort((one, other) => other.savedAt.localeCompare(one.savedAt))
  useHeadingAfter(latest !== undefined)
  if (latest === undefined) return null
  return (
    <div className={styles.strip} role="status">
      <p>
        {fill(own.draftOffer.text, {
          when: withArticle('del', momentText(latest.savedAt)),
          origin: originText(latest.found.draft),
        })}
      </p>
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
            {counted(changes.length, own.changes.lookOne, own.changes.look)}
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
