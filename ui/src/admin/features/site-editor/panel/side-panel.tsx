// Side panel, or on a narrow screen a sheet over the page: the form of the chosen block, or an overview.
import { ChevronDown, ChevronLeft, ChevronRight, ChevronUp, X } from 'lucide'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../../../primitives/icon'
import { goTo } from '../../../app/routes'
import { isFocusLost } from '../../../hooks/focus-recovery'
import { Badge } from '../../../ui/badge'
import { Button, IconButton } from '../../../ui/button'
import type { Block } from '../api/content-api'
import { fullNameOf, nameOf, placeHref } from '../api/use-publishing'
import { BlockForm } from '../form/block-form'
import { useFocusInSight } from '../form/scroll-panel-to-field'
import { SeoFields } from '../form/seo-fields'
import { AltTextWarnings } from '../lint/alt-text-warnings'
import { LegalChecklist } from '../lint/legal-checklist'
import { LintPanel } from '../lint/lint-panel'
import { PriceWarnings } from '../lint/price-warnings'
import { usePanelHighlights } from '../lint/use-page-highlights'
import { wording } from '../messages'
import type { SitePage } from '../model/editable-pages'
import { fieldId } from '../model/field-path'
import { draftOf, usePages } from '../model/pages-store'
import { OFFERS } from '../model/price-context'
import type { ChipContext } from '../model/rich-value'
import type { Direction } from '../preview/adjacent-field'
import styles from './page-editor.module.css'
import { useFocusRestore } from './use-focus-restore'

type SideProps = {
  page: SitePage
  blocks: readonly Block[]
  known: ChipContext
  chosen: string | null
  /** Focuses the chosen field: the panel is a sheet, or the admin clicked the field on the page. */
  focuses: boolean
  /** The page is rendered, so computing hints over all its texts no longer delays it. */
  hasHints: boolean
  onChoose: (place: string | null) => void
  onVersions: (block: string) => void
  /** Goes to the previous or next text; null beside the page, where all texts are visible. */
  onBeside: ((way: Direction) => void) | null
  onClose: () => void
}

const { editor: own, field: words } = wording

export function SidePanel(props: SideProps) {
  const { page, blocks, known, chosen, focuses, hasHints } = props
  const { onChoose, onVersions, onBeside, onClose } = props
  const all = usePages((store) => store.blocks)
  const [id, field = ''] = chosen?.split(/:(.*)/s) ?? []
  const block = blocks.find((one) => one.id === id)
  const panel = useRef<HTMLElement>(null)
  const [root, setRoot] = useState<HTMLElement | null>(null)
  usePanelHighlights(root, { blocks: block === undefined ? [] : [block], known })
  usePanelFocus(panel, { id: block?.id, field, isOpened: focuses })
  useFocusRestore(panel)
  useFocusInSight(panel)
  useLayoutEffect(() => setRoot(panel.current), [])
  const goesOn = onBeside !== null && field !== ''
  const title = block?.label ?? own.thisPage
  return (
    <aside className={styles.side} aria-label={title} data-region tabIndex={-1} ref={panel}>
      <div className={styles.sideHead}>
        {block === undefined ? null : goesOn ? (
          <>
            <IconButton label={words.previous} icon={ChevronUp} onClick={() => onBeside(-1)} />
            <IconButton label={words.next} icon={ChevronDown} onClick={() => onBeside(1)} />
          </>
        ) : (
          <IconButton label={own.thisPage} icon={ChevronLeft} onClick={() => onChoose(null)} />
        )}
        <h2>{title}</h2>
        {goesOn ? (
          <Button tone="quiet" small onClick={onClose}>
            {words.done}
          </Button>
        ) : (
          <IconButton label={own.close} icon={X} onClick={onClose} />
        )}
      </div>
      {block === undefined ? (
        <Overview {...{ page, blocks, known, hasHints, onChoose }} />
      ) : (
        <>
          <BlockForm
            key={block.id}
            block={block}
            known={known}
            place={field === '' ? null : field}
            focuses={focuses}
            onVersions={() => onVersions(block.id)}
          />
          {/* Other blocks mention these prices too. */}
          <PriceWarnings
            blocks={block.id === OFFERS ? (all ?? [block]) : [block]}
            onChoose={onChoose}
          />
          <LintPanel blocks={[block]} known={known} onChoose={onChoose} />
        </>
      )}
    </aside>
  )
}

type Shown = { id: string | undefined; field: string; isOpened: boolean }

/** If the focus was lost with the former content, focuses the field, the row that led there, or the panel. */
function usePanelFocus(panel: { current: HTMLElement | null }, { id, field, isOpened }: Shown) {
  const former = useRef<string | null | undefined>(null)
  useLayoutEffect(() => {
    const [from, aside] = [former.current, panel.current]
    former.current = id
    if (aside === null) return
    // The form scrolls to a chosen field itself; without a field the panel starts at the top.
    if (field === '' && from !== null) aside.scrollTop = 0
    if (!isFocusLost() || (from === null && !isOpened)) return
    const wanted =
      id === undefined
        ? `[data-opens="${CSS.escape(from ?? '')}"]`
        : `#${CSS.escape(fieldId(id, field))}`
    const found = aside.querySelector<HTMLElement>(wanted)
    ;(found ?? aside).focus({ preventScroll: id !== undefined })
  }, [panel, id, field, isOpened])
}

const SEARCH = 'seo.'

/** The block with the texts that search engines show for this page. */
function searchOf(blocks: readonly Block[], { pattern }: SitePage): Block | undefined {
  return blocks.find(
    ({ id, pages, fields }) =>
      id.startsWith(SEARCH) &&
      !id.endsWith('-not-found') &&
      pages[0] === pattern &&
      fields.some(({ name }) => name === 'title'),
  )
}

/** Lists search texts once: on their own page, and on the home page for those of all pages. */
function isListed({ id, pages }: Block, { pattern, also = [] }: SitePage): boolean {
  if (!id.startsWith(SEARCH)) return true
  const [first = ''] = pages
  return [pattern, ...also].includes(first) || (first === '*' && pattern === '/')
}

type OverviewProps = Pick<SideProps, 'page' | 'blocks' | 'known' | 'hasHints' | 'onChoose'>

function Overview({ page, blocks, known, hasHints, onChoose }: OverviewProps) {
  const drafts = usePages((store) => store.drafts)
  const problems = usePages((store) => store.problems)
  const ids = new Set(blocks.map(({ id }) => id))
  const isHere = (place: string) => ids.has(place.split(':')[0] ?? '')
  const refused = Object.entries(problems)
  const search = searchOf(blocks, page)
  const shown = blocks.filter((block) => block !== search && isListed(block, page))
  return (
    <>
      {refused.length === 0 ? null : (
        <ul className={styles.rows}>
          {refused.map(([place, message]) => (
            <li key={place}>
              <button
                type="button"
                onClick={() => (isHere(place) ? onChoose(place) : goTo(placeHref(place).slice(1)))}
              >
                <span>
                  <b>{isHere(place) ? nameOf(place) : fullNameOf(place)}</b>
                  <small className={styles.bad}>{message}</small>
                </span>
                <Icon of={ChevronRight} size={18} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {hasHints ? <PriceWarnings blocks={blocks} onChoose={onChoose} /> : null}
      {page.group === 'legal' ? <LegalChecklist known={known} /> : null}
      {hasHints ? (
        <>
          <AltTextWarnings blocks={blocks} onChoose={onChoose} />
          <LintPanel blocks={blocks} known={known} onChoose={onChoose} heading={own.toCheck} />
        </>
      ) : null}
      <ul className={styles.rows}>
        {shown.map((block) => (
          <li key={block.id}>
            <button type="button" data-opens={block.id} onClick={() => onChoose(`${block.id}:`)}>
              <span>
                <b>{block.label}</b>
                {draftOf({ drafts }, block).hidden ? (
                  <small>{wording.list.states.hidden}</small>
                ) : null}
              </span>
              {block.id in drafts ? <Badge>{wording.list.states.draft}</Badge> : null}
              <Icon of={ChevronRight} size={18} />
            </button>
          </li>
        ))}
      </ul>
      {search === undefined || !hasHints ? null : (
        <SeoFields page={page} block={search} known={known} onChoose={onChoose} />
      )}
    </>
  )
}
