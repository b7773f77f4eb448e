// The list of the site's pages: a scaled iframe of each published page, and its state.

import { ClipboardList, ExternalLink } from 'lucide'
import { fill } from '../../../../lib/interpolate'
import { counted } from '../../../../lib/plural'
import { Icon } from '../../../../primitives/icon'
import { useMediaQuery } from '../../../hooks/use-media-query'
import { Badge } from '../../../ui/badge'
import { PageLayout, WhenLoaded } from '../../../ui/page-layout'
import type { Block } from '../api/content-api'
import { isOpen, statementsIn } from '../claims/claims-api'
import { ClaimsReview } from '../claims/claims-review'
import { LegalStatus } from '../lint/legal-status'
import { wording } from '../messages'
import {
  blocksOn,
  editHref,
  homeOf,
  isShared,
  SHARED_PARTS,
  SITE_PAGES,
  type SitePage,
} from '../model/editable-pages'
import { loadBlocks, usePages } from '../model/pages-store'
import type { ChipContext } from '../model/rich-value'
import { DraftsBanner } from '../panel/drafts-banner'
import { prefetchPreview } from '../preview/prefetch-preview'
import { changesFor } from '../preview/use-preview'
import { usePreviewUrl } from '../preview/use-preview-url'
import { SiteSearch } from '../search/site-search'
import styles from './page-list.module.css'
import { PageThumbnail } from './page-thumbnail'

const { area, list: own } = wording

export function PageList({ known }: { known: ChipContext }) {
  const blocks = usePages((store) => store.blocks)
  const error = usePages((store) => store.error)
  return (
    <PageLayout title={area.heading} text={area.text} isWide>
      <WhenLoaded data={{ value: blocks, error, reload: loadBlocks }}>
        {() => <Parts known={known} />}
      </WhenLoaded>
    </PageLayout>
  )
}

/** DOM order follows the visual order: claims to confirm above the pages, or after them on a wide screen. */
function Parts({ known }: { known: ChipContext }) {
  const isBeside = useMediaQuery('(width >= 68rem)')
  const parts = [
    <ClaimsReview key="confirm" known={known} />,
    <div key="pages" className={styles.column}>
      <DraftsBanner />
      <SiteSearch known={known}>
        <h2 className={styles.heading}>{own.mainHeading}</h2>
        <Cards group="main" />
        <h2 className={styles.heading}>{own.sharedHeading}</h2>
        <SharedCards />
        <h2 className={styles.heading}>{own.legalHeading}</h2>
        <Cards group="legal" />
      </SiteSearch>
    </div>,
  ]
  return <div className={styles.lay}>{isBeside ? parts.reverse() : parts}</div>
}

function Cards({ group }: { group: SitePage['group'] }) {
  return (
    <ul className={styles.grid}>
      {SITE_PAGES.filter((page) => page.group === group).map((page) => (
        <Card key={page.name} page={page} />
      ))}
    </ul>
  )
}

/** Blocks that several pages share; each opens on the first page that shows it. */
function SharedCards() {
  const blocks = usePages((store) => store.blocks) ?? []
  const drafts = usePages((store) => store.drafts)
  const problems = usePages((store) => store.problems)
  return (
    <ul className={styles.grid}>
      {SHARED_PARTS.flatMap(({ label, text, block: id }) => {
        const block = blocks.find((one) => one.id === id)
        if (block === undefined) return []
        const name = fill(own.open, { page: label })
        return (
          <li key={id} className={styles.card}>
            <a className={styles.open} href={editHref(homeOf(block), `${id}:`)} aria-label={name}>
              <span className={styles.name}>
                <b>{label}</b>
                <small>{text}</small>
              </span>
            </a>
            <p className={styles.state}>
              <States
                refused={refusedIn([block], problems)}
                hasDraft={id in drafts}
                open={isOpen(block) ? block.statements : 0}
              />
            </p>
          </li>
        )
      })}
    </ul>
  )
}

function Card({ page }: { page: SitePage }) {
  const found = usePreviewUrl(page)
  const address = typeof found === 'string' ? found : null
  const hasDraft = usePages(({ blocks, drafts }) =>
    blocksOn(blocks ?? [], page).some((block) => !isShared(block) && block.id in drafts),
  )
  const open = usePages(({ blocks }) =>
    statementsIn(blocksOn(blocks ?? [], page).filter((one) => !isShared(one) && isOpen(one))),
  )
  // Includes shared blocks without a card of their own, on the page that they open on.
  const refused = usePages(({ blocks, problems }) =>
    refusedIn(
      (blocks ?? []).filter((one) => homeOf(one) === page && !hasCard(one)),
      problems,
    ),
  )
  return (
    <li className={styles.card}>
      <a
        className={styles.open}
        href={editHref(page)}
        aria-label={fill(own.open, { page: page.label })}
        onPointerDown={({ button, pointerType }) => {
          const { blocks } = usePages.getState()
          // A touch may be the start of scrolling the list.
          if (address === null || blocks === null || button !== 0 || pointerType === 'touch') return
          prefetchPreview(address, changesFor(blocksOn(blocks, page)))
        }}
      >
        <PageThumbnail address={address} label={page.label}>
          <span>{page.label}</span>
        </PageThumbnail>
        <span className={styles.name}>
          <b>{page.label}</b>
          <small>
            {page.group === 'legal' ? <LegalStatus page={page} /> : (page.hint ?? page.pattern)}
          </small>
        </span>
      </a>
      <p className={styles.state}>
        <States {...{ refused, hasDraft, open }} />
      </p>
      {address === null ? null : (
        <a
          className={styles.out}
          href={address}
          target="_blank"
          rel="noopener"
          aria-label={fill(own.openOnSite, { page: page.label })}
        >
          <Icon of={ExternalLink} size={20} />
        </a>
      )}
    </li>
  )
}

function hasCard({ id }: Block): boolean {
  return SHARED_PARTS.some(({ block }) => block === id)
}

/** Number of texts in `blocks` that the server refused to publish. */
function refusedIn(blocks: readonly Block[], problems: Readonly<Record<string, string>>): number {
  const ids = new Set(blocks.map(({ id }) => id))
  return Object.keys(problems).filter((place) => ids.has(place.split(':')[0] ?? '')).length
}

type StatesProps = { refused: number; hasDraft: boolean; open: number }

/** Badges of a card; only a refusal is red. */
function States({ refused, hasDraft, open }: StatesProps) {
  const { states } = own
  return (
    <>
      {refused === 0 ? null : (
        <Badge tone="bad">{counted(refused, states.refusedOne, states.refused)}</Badge>
      )}
      {hasDraft ? <Badge>{states.draft}</Badge> : null}
      {open === 0 ? null : (
        <Badge tone="look" icon={ClipboardList}>
          {counted(open, states.toConfirmOne, states.toConfirm)}
        </Badge>
      )}
      {refused > 0 || hasDraft || open > 0 ? null : <Badge tone="good">{states.published}</Badge>}
    </>
  )
}
