// Editor for one page of the site: the preview, and a side panel for what the preview cannot show.
import { useEffect, useRef, useState } from 'preact/hooks'
import { openLayer } from '../../../../lib/dialog-history'
import { fill } from '../../../../lib/interpolate'
import hidden from '../../../../primitives/hidden.module.css'
import { goTo, replaceRoute } from '../../../app/routes'
import { isFocusLost } from '../../../hooks/focus-recovery'
import { useMediaQuery } from '../../../hooks/use-media-query'
import { type Disclosure, usePersistedDisclosure } from '../../../hooks/use-persisted-disclosure'
import { useVisibleViewportHeight } from '../../../hooks/use-visible-viewport'
import { Button } from '../../../ui/button'
import { WhenLoaded } from '../../../ui/page-layout'
import { toastDone, toastFailed } from '../../../ui/toast-store'
import type { Block } from '../api/content-api'
import { usePublishing } from '../api/use-publishing'
import { wording } from '../messages'
import { blocksOn, editHref, homeOf, type SitePage, VERSIONS } from '../model/editable-pages'
import { blockOf, loadBlocks, persistDrafts, redo, undo, usePages } from '../model/pages-store'
import type { ChipContext } from '../model/rich-value'
import type { HistoryEntry } from '../model/undo-history'
import { goToAdjacentField, type Way } from '../preview/adjacent-field'
import { isVisibleOnPage, useDeepLinkTarget } from '../preview/use-deep-link'
import { type NotFound, usePreviewUrl } from '../preview/use-preview-url'
import { Frame } from '../typing/frame'
import frameStyles from '../typing/frame.module.css'
import { OVER } from '../typing/frame-page'
import { type HistoryWay, historyWay } from '../typing/history-input'
import { VersionHistory } from '../versions/version-history'
import { BlockConflictDialog } from './conflict-dialog'
import { DraftsBanners } from './drafts-banner'
import { EditorToolbar, UndoRedoButtons } from './editor-toolbar'
import styles from './page-editor.module.css'
import { SidePanel } from './side-panel'

type PageEditorProps = {
  page: SitePage
  place: string | null
  /** The search text that led here. */
  hit: string | null
  known: ChipContext
  /** Opened from another page or from the list; the link that was clicked there is gone. */
  arrives: boolean
}

const { live } = wording
const PANEL_KEY = 'respiro-pages-panel'
/** Delay of hints after the page is rendered, and if no page is rendered. */
const DRAWN_MS = 300
const UNDRAWN_MS = 3_000

export function PageEditor(props: PageEditorProps) {
  const { page } = props
  // Keeps the value of the first render.
  const [arrives] = useState(props.arrives)
  // Select these two slices only; subscribing to the whole store re-rendered the editor on every keystroke.
  const blocks = usePages((store) => store.blocks)
  const error = usePages((store) => store.error)
  useEffect(() => {
    document.title = `${page.label} · ${wording.area.heading}`
  }, [page])
  return (
    <WhenLoaded data={{ value: blocks, error, reload: loadBlocks }}>
      {(all) => <Opened {...props} arrives={arrives} blocks={blocksOn(all, page)} />}
    </WhenLoaded>
  )
}

type OpenedProps = PageEditorProps & { blocks: readonly Block[] }

function Opened({ page, place, hit, known, arrives, blocks }: OpenedProps) {
  const [chosen, setChosen] = useState(place)
  // The admin clicked on the page: the panel opens and focuses the field.
  const [pressed, setPressed] = useState(false)
  const [phone, setPhone] = useState(false)
  const [said, setSaid] = useState('')
  const [versionsOf, setVersionsOf] = useState<string | null>(null)
  const narrow = useMediaQuery('(width < 60rem)')
  const touch = useMediaQuery('(pointer: coarse), (width < 60rem)')
  const panel = usePanel(narrow)
  const address = usePreviewUrl(page)
  const publishing = usePublishing()
  const root = useRef<HTMLElement>(null)
  useVisibleViewportHeight(() => root.current)
  // The link opened the version history, a dialog over the page; the page opens nothing else for it.
  const [overlaid, setOverlaid] = useState<string | null>(null)
  useEffect(() => {
    const [block = '', field] = place?.split(':') ?? []
    if (field !== VERSIONS) {
      setChosen(place)
      return
    }
    // Remove the versions from the route: a reload after closing the dialog opened it again.
    setVersionsOf(block)
    setOverlaid(`${block}:`)
    replaceRoute(editHref(page, `${block}:`))
  }, [place, page])
  const drawnPage = () => {
    const drawn = root.current?.querySelector('iframe')?.contentDocument
    return drawn?.getElementById(OVER) ? drawn : null
  }
  const isNowhere = typeof address !== 'string' && address.why === 'none'
  const arrive = useDeepLinkTarget(
    () => ({
      place: place === overlaid || place?.endsWith(`:${VERSIONS}`) ? null : place,
      blocks,
      drawn: isNowhere ? 'none' : drawnPage(),
    }),
    (found) => {
      setChosen(found)
      setPressed(true)
      panel.set(true)
    },
  )
  useEffect(() => {
    if (isNowhere) arrive()
  }, [isNowhere])
  const isSheet = narrow && panel.open
  // As a sheet the panel covers the page, so Back and Escape close it like any other layer.
  useEffect(() => (isSheet ? openLayer(() => panel.set(false)) : undefined), [isSheet])
  // Compute hints only after the page is shown.
  const [hasHints, setHints] = useState(false)
  const hint = useRef<(milliseconds: number) => void>(() => undefined)
  useEffect(() => {
    let timer = setTimeout(setHints, UNDRAWN_MS, true)
    hint.current = (milliseconds) => {
      clearTimeout(timer)
      timer = setTimeout(setHints, milliseconds, true)
    }
    return () => clearTimeout(timer)
  }, [])
  const middle = useRef<HTMLDivElement>(null)
  const wasSheet = useRef(false)
  useEffect(() => {
    if (!isSheet && wasSheet.current && isFocusLost()) middle.current?.focus()
    wasSheet.current = isSheet
  }, [isSheet])

  useEffect(() => {
    if (arrives && isFocusLost()) middle.current?.focus()
  }, [arrives])

  const travel = (way: typeof undo, text: string) => {
    const step = way()
    if (step === null) return
    setPressed(false)
    if (!blocks.some(({ id }) => id === step.block)) return goToStep(step, text)
    const [stepped, drawn] = [placeOf(step), drawnPage()]
    const said = fill(text, { what: step.what })
    // A toast names the change when it is not visible.
    if (panel.open || (drawn !== null && isVisibleOnPage(drawn, stepped))) setSaid(said)
    else toastDone(said)
    setChosen(stepped)
  }
  const goBack = () => travel(undo, live.undone)
  const goForth = () => travel(redo, live.redone)
  const onKey = (event: KeyboardEvent) => {
    const act = actionOf(event)
    if (act === null || (act === 'close' && !isSheet) || event.defaultPrevented) return
    event.preventDefault()
    if (act === 'undo') goBack()
    if (act === 'redo') goForth()
    if (act === 'publish') publishing.publish()
    if (act === 'regions') nextRegion(root.current)
    if (act === 'close') panel.set(false)
    if (act === 'keep') keepAndSay()
  }
  useWindowKey(onKey)
  const onHistory = (way: HistoryWay) => (way === 'undo' ? goBack() : goForth())
  useHistoryInput(onHistory)
  const choose = (next: { block: string; field: string } | null, acts: boolean) => {
    setChosen(next === null ? null : `${next.block}:${next.field}`)
    setPressed(acts)
    if (next !== null && (acts || narrow) && !panel.open) panel.set(true)
  }
  const goOn = (way: Way) => {
    const drawn = root.current?.querySelector('iframe')?.contentDocument
    const next = drawn && chosen !== null ? goToAdjacentField(drawn, chosen, way) : null
    if (next !== null) choose(next, true)
  }
  const versioned = blocks.find(({ id }) => id === versionsOf)
  return (
    <main className={styles.editor} ref={root} data-panel={panel.open ? 'open' : 'closed'}>
      <h1 className={hidden.hidden} tabIndex={-1}>
        {fill(wording.editor.frame, { page: page.label })}
      </h1>
      <EditorToolbar
        page={page}
        phone={phone}
        onPhone={setPhone}
        panel={panel}
        publishing={publishing}
        onUndo={goBack}
        onRedo={goForth}
        onPanel={() => {
          setChosen(null)
          panel.set(!panel.open)
        }}
      />
      <div className={styles.middle} data-region tabIndex={-1} ref={middle}>
        {isSheet && chosen !== null ? null : <DraftsBanners />}
        {typeof address !== 'string' ? (
          <NoAddress page={page} address={address} />
        ) : (
          <Frame
            label={page.label}
            address={address}
            blocks={blocks}
            known={known}
            phone={phone}
            touch={touch}
            chosen={chosen}
            hit={hit}
            onChoose={choose}
            onKey={onKey}
            onHistory={onHistory}
            onReady={(n) => {
              setSaid(fill(wording.editor.ready, { page: page.label, n }))
              arrive()
              hint.current(DRAWN_MS)
            }}
          />
        )}
      </div>
      {panel.open ? null : (
        <footer className={styles.foot}>
          <UndoRedoButtons onUndo={goBack} onRedo={goForth} />
          <Button
            tone="quiet"
            small
            onClick={() => {
              setChosen(null)
              panel.set(true)
            }}
          >
            {wording.editor.thisPage}
          </Button>
        </footer>
      )}
      {panel.open ? (
        <SidePanel
          page={page}
          blocks={blocks}
          known={known}
          chosen={chosen}
          focuses={narrow || pressed}
          hasHints={hasHints}
          onChoose={(next) => {
            setPressed(false)
            setChosen(next)
            goTo(editHref(page).slice(1))
          }}
          onVersions={setVersionsOf}
          onBeside={isSheet ? goOn : null}
          onClose={() => panel.set(false)}
        />
      ) : null}
      {versioned === undefined ? null : (
        <VersionHistory
          block={versioned}
          page={page}
          known={known}
          onClose={() => setVersionsOf(null)}
        />
      )}
      <BlockConflictDialog asked={publishing.asked} />
      <p className={hidden.hidden} role="status">
        {said}
      </p>
    </main>
  )
}

/** Says nothing if there is no draft, and reports an error if the browser refuses storage. */
function keepAndSay(): void {
  persistDrafts()
  const { drafts, keeps } = usePages.getState()
  if (Object.keys(drafts).length === 0) return
  if (keeps) toastDone(live.saved)
  else toastFailed(wording.editor.notKept, null)
}

function placeOf({ block, path }: HistoryEntry): string {
  return `${block}:${path}`
}

/** Opens the page that an undo or redo has changed, and names the step. */
function goToStep(step: HistoryEntry, text: string): void {
  const block = blockOf(step.block)
  if (block === undefined) return
  const page = homeOf(block)
  toastDone(fill(text, { what: `${page.label}, ${step.what}` }))
  goTo(editHref(page, placeOf(step)).slice(1))
}

/** There is no event or article to show, or its address is not known yet. */
function NoAddress({ page, address }: { page: SitePage; address: NotFound }) {
  const { loading, loadError, noEvent, noArticle } = wording.editor
  if (address.why === 'failed') {
    return (
      <div className={frameStyles.failed} role="alert">
        <h2>{loadError.title}</h2>
        <p>{loadError.text}</p>
        <Button tone="outline" onClick={address.again}>
          {loadError.retry}
        </Button>
      </div>
    )
  }
  const none = page.pattern.startsWith('/evento') ? noEvent : noArticle
  return <p role="status">{address.why === 'none' ? none : loading}</p>
}

type Action = 'undo' | 'redo' | 'publish' | 'keep' | 'regions' | 'close'

function actionOf(event: KeyboardEvent): Action | null {
  if (event.key === 'F6') return 'regions'
  if (event.key === 'Escape') return 'close'
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return null
  const key = event.key.toLowerCase()
  if (key === 'z') return event.shiftKey ? 'redo' : 'undo'
  if (key === 'y') return 'redo'
  if (key === 's') return 'keep'
  return key === 'enter' ? 'publish' : null
}

function useWindowKey(handle: (event: KeyboardEvent) => void): void {
  const latest = useRef(handle)
  latest.current = handle
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (document.querySelector('dialog[open]') === null) latest.current(event)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}

/** For rich text only: plain text fields have the browser's own undo. */
function useHistoryInput(handle: (way: HistoryWay) => void): void {
  const latest = useRef(handle)
  latest.current = handle
  useEffect(() => {
    const onInput = (event: InputEvent) => {
      const way = historyWay(event)
      const isRich = event.target instanceof HTMLElement && event.target.isContentEditable
      if (way === null || !isRich) return
      event.preventDefault()
      latest.current(way)
    }
    window.addEventListener('beforeinput', onInput)
    return () => window.removeEventListener('beforeinput', onInput)
  }, [])
}

/** Moves the focus to the next of toolbar, page and panel, in a cycle. */
function nextRegion(root: HTMLElement | null): void {
  const regions = [...(root?.querySelectorAll<HTMLElement>('[data-region]') ?? [])]
  const now = regions.findIndex((region) => region.contains(document.activeElement))
  regions[(now + 1) % regions.length]?.focus()
}

/** Beside the page the state is persisted; as a sheet on a narrow screen the panel starts closed. */
function usePanel(narrow: boolean): Disclosure {
  const wide = usePersistedDisclosure(PANEL_KEY)
  const [sheet, setSheet] = useState(false)
  const [former, setFormer] = useState(narrow)
  const [carried, setCarried] = useState(false)
  if (former !== narrow) {
    setFormer(narrow)
    // A tablet was rotated while the admin types in the panel: keep it open.
    setCarried(document.activeElement?.closest('aside') instanceof HTMLElement)
  }
  const { open, set } = narrow ? { open: sheet, set: setSheet } : wide
  return {
    open: open || carried,
    set: (next) => {
      setCarried(false)
      set(next)
    },
  }
}
