// Stores the unpublished changes as one draft on the server: a link shows it, or the server publishes it at a moment.
import { call, isStatus } from '../../../api/client'
import { refreshDraftList } from '../../../drafts/draft-sync'
import type { PreviewLink } from '../../../drafts/preview-link-dialog'
import { homeOf, isOn, pageNamed, SITE_PAGES, type SitePage } from '../model/editable-pages'
import { blocksToPublish, flushAll, usePages } from '../model/pages-store'
import { bodyOf } from './publish'

const PLAN = 'plan:'
const SHARE = 'share:'
const pathOf = (place: string) => `/api/admin/drafts/${place}`
/** The server takes one draft of a session in two seconds, and may just have got one. */
const RETRY_MS = 2_200
const TURNS_MAX = 4

/** The open page if it shows a change, else that of the first change; one with a fixed address. */
function pageToShow(): SitePage {
  const blocks = blocksToPublish(usePages.getState())
  const open = pageNamed(location.hash.split('/')[2] ?? '')
  const isChanged = open !== undefined && blocks.some((block) => isOn(block, open))
  const pages = [...(isChanged ? [open] : []), ...blocks.map(homeOf)]
  return pages.find(({ pattern }) => !pattern.includes('{')) ?? (SITE_PAGES[0] as SitePage)
}

async function storeDraft(prefix: string, publishAt: string | null): Promise<string> {
  flushAll()
  const page = pageToShow()
  const place = prefix + page.name
  const { drafts } = usePages.getState()
  const blocks = bodyOf(blocksToPublish(usePages.getState()), drafts)
  const revision = Date.now().toString(36) + Math.random().toString(36).slice(2)
  const body = { revision, publishAt, content: { page: page.pattern, blocks } }
  for (let turn = 1; ; turn += 1) {
    try {
      await call('PUT', pathOf(place), body)
      return place
    } catch (error) {
      if (!isStatus(error, 429) || turn === TURNS_MAX) throw error
      await new Promise((done) => setTimeout(done, RETRY_MS))
    }
  }
}

/** A link that shows the changes as they are now. */
export async function sharePageDraft(): Promise<PreviewLink> {
  return call('POST', `${pathOf(await storeDraft(SHARE, null))}/link`)
}

/** The server publishes the changes as they are now at this moment. */
export async function planPageDraft(publishAt: string): Promise<void> {
  await storeDraft(PLAN, publishAt)
  await refreshDraftList()
}

export async function cancelPlan(place: string): Promise<void> {
  await call('DELETE', pathOf(place))
  await refreshDraftList()
}

/** The name of the page of a planned draft. */
export function plannedPage(place: string): string | null {
  if (!place.startsWith(PLAN)) return null
  return pageNamed(place.slice(PLAN.length))?.label ?? null
}
