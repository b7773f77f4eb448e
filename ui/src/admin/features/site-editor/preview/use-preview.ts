// Renders the preview: the server renders the page with the drafts in it, again after each pause in
// editing.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { parseFieldTarget } from '../../../../lib/content-source-map'
import { fill } from '../../../../lib/interpolate'
import { isStatus, reasonOf } from '../../../api/client'
import type { Block } from '../api/content-api'
import { problemsOf } from '../api/publish'
import { refusedPlace } from '../api/use-publishing'
import { decorate, placesOf, redraw, styleFrame, typedAway } from '../editing/frame-page'
import type { Overlay } from '../editing/overlay'
import { syncTexts } from '../editing/sync-texts'
import { wording } from '../messages'
import { fieldAt, getIn } from '../model/field-path'
import { draftOf, hasPendingInput, sentOf, usePages } from '../model/pages-store'
import { type ChipContext, shownText } from '../model/rich-value'
import { fitScrims } from './fit-scrims'
import { renderOrTakePrefetched } from './prefetch-preview'
import { type PreparedPreview, preparePreview } from './prepare-preview'

type Shown = {
  readonly blocks: readonly Block[]
  readonly known: ChipContext
  readonly touch: boolean
}
type Drawing = Shown & { readonly address: string }
type FrameRef = { readonly current: HTMLIFrameElement | null }
export type OverlayRef = { current: Overlay | null }

/** Least time between two requests; the first change after a pause is rendered at once. */
const PAUSE_MS = 250
/** While the admin types, the text itself is on the page already; what depends on it can wait. */
const TYPED_PAUSE_MS = 1_000
/** Types whose keystrokes `syncTexts` and `showInput` write into the page; all others need the server. */
const SHOWN_AT_ONCE: readonly string[] = ['line', 'paragraphs', 'richText']
/** Retry interval while offline: an outdated message would keep the admin from publishing. */
const TRY_AGAIN_MS = 5_000
const { editor: own } = wording

export function draftBlocks(blocks: readonly Block[]): readonly Block[] {
  const store = usePages.getState()
  return blocks.map((block) => ({ ...block, ...draftOf(store, block) }))
}

export function shownOf({ blocks, known, touch }: Shown): Shown {
  return { blocks: draftBlocks(blocks), known, touch }
}

/** The first rendering is a new document; later ones patch it in place. */
export function usePreview(props: Drawing, frame: FrameRef, overlay: OverlayRef) {
  const [html, setHtml] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [turn, setTurn] = useState(0)
  const tries = useTries(overlay, problem, setProblem)
  const drawnTurn = useRef(turn)
  const askedAt = useRef(Number.NEGATIVE_INFINITY)
  const drafts = usePages((store) => store.drafts)
  const published = usePages((store) => store.blocks)
  const latest = useRef(props)
  latest.current = props
  const { address } = props

  useEffect(() => {
    // New blocks from the server: it is reachable again.
    setProblem((before) => (published !== null && before === own.offline ? null : before))
  }, [published])

  // A layout effect sends the request before the browser paints, because the page takes longer than the UI.
  useLayoutEffect(() => {
    const ended = new AbortController()
    const { signal } = ended
    const show = (page: Document, fresh: Document) => {
      if (signal.aborted || typedAway(page, fresh) !== null) return
      redraw(page, fresh)
      decorate(page, shownOf(latest.current))
      overlay.current?.refresh()
      // A picture may be another one.
      fitScrims(page)
    }
    const shown = overlay.current?.page
    const pause = shown && isTypingOn(shown, latest.current.blocks) ? TYPED_PAUSE_MS : PAUSE_MS
    const sincePause = performance.now() - askedAt.current
    let timer: ReturnType<typeof setTimeout>
    const askIn = (milliseconds: number) => {
      timer = setTimeout(() => void ask(), milliseconds)
    }
    const ask = async () => {
      // Wait for pending keystrokes. If their flush changes the drafts, the effect runs again instead.
      if (hasPendingInput()) return askIn(pause)
      askedAt.current = performance.now()
      try {
        const { blocks } = latest.current
        const isUnasked = overlay.current !== null && drawnTurn.current === turn
        drawnTurn.current = turn
        const here = drawnFrom(latest.current)
        const drawn = await renderOrTakePrefetched(address, changesFor(blocks), isUnasked)
        if (signal.aborted) return
        if (hasPendingInput()) return askIn(pause)
        const fresh = preparePreview(drawn, here)
        // Before it is shown: decorating later makes the browser compute the styles of each field twice.
        decorate(fresh, shownOf(latest.current))
        setProblem(null)
        const page = frame.current?.contentDocument
        if (page && overlay.current?.page === page) {
          const left = typedAway(page, fresh)
          // The element with the caret would be removed: update the page after its blur.
          if (left === null) show(page, fresh)
          else {
            const follow = () => setTimeout(show, PAUSE_MS, page, fresh)
            left.addEventListener('blur', follow, { once: true, signal })
          }
        } else {
          styleFrame(fresh)
          setHtml(`<!doctype html>${fresh.documentElement.outerHTML}`)
        }
      } catch (error) {
        if (!signal.aborted) setProblem((before) => problemOf(error, overlay.current, before))
      }
    }
    const page = frame.current?.contentDocument
    if (page) syncTexts(page, latest.current)
    const isAtOnce = pause === PAUSE_MS && sincePause >= PAUSE_MS
    askIn(overlay.current === null || isAtOnce ? 0 : pause)
    return () => {
      ended.abort()
      clearTimeout(timer)
    }
  }, [address, drafts, published, turn, tries, frame, overlay])

  return { html, problem, again: () => setTurn(turn + 1) }
}

/** Whether the last change is a run of typing in a text that has a place on the page. */
function isTypingOn(page: Document, blocks: readonly Block[]): boolean {
  const last = usePages.getState().past.done.at(-1)
  const block = blocks.find(({ id }) => id === last?.block)
  if (last?.open !== true || block === undefined) return false
  const isText = SHOWN_AT_ONCE.includes(fieldAt(block.fields, last.path)?.type ?? '')
  return isText && placesOf(page, [block], block.id, last.path).length > 0
}

/** A shown page stays, and the next keystroke retries; errors that need the admin are reported. */
function problemOf(error: unknown, shown: Overlay | null, before: string | null): string | null {
  if (shown === null) return reasonOf(error) ?? own.loadError.text
  if (isStatus(error, 401)) return own.sessionExpired
  if (isStatus(error, 0)) return own.offline
  // The page no longer shows the draft.
  const place = refusedPlace(problemsOf(error))
  return place === null ? before : fill(own.notDrawn, place)
}

/**
 * Shows the offline message over a page as soon as the browser or a request finds the connection lost, until
 * a request succeeds. Returns a counter that changes with each retry: on `online`, and at an interval.
 */
function useTries(
  overlay: OverlayRef,
  problem: string | null,
  setProblem: (problem: string) => void,
): number {
  const [tries, setTries] = useState(0)
  const isOffline = problem === own.offline
  useEffect(() => {
    const again = () => setTries((before) => before + 1)
    const lost = () => {
      if (overlay.current !== null) setProblem(own.offline)
    }
    const timer = isOffline ? setInterval(again, TRY_AGAIN_MS) : undefined
    if (isOffline) window.addEventListener('online', again)
    window.addEventListener('offline', lost)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', again)
      window.removeEventListener('offline', lost)
    }
  }, [isOffline, overlay, setProblem])
  return tries
}

/** The fields as sent to the server, by path. */
function drawnFrom({ blocks, known }: Drawing): PreparedPreview {
  const drafts = new Map(draftBlocks(blocks).map((block) => [block.id, block]))
  const typeOf = (block: string, field: string) =>
    fieldAt(drafts.get(block)?.fields ?? [], field)?.type
  return {
    typeOf: (path) => {
      const { block = '', field = '' } = parseFieldTarget(path) ?? {}
      return typeOf(block, field)
    },
    said: (path) => {
      const { block = '', field = '', paragraph = null } = parseFieldTarget(path) ?? {}
      const word = getIn(drafts.get(block)?.value ?? {}, field)
      if (typeOf(block, field) !== 'line' || paragraph !== null) return null
      return shownText(word, known)
    },
  }
}

export function changesFor(blocks: readonly Block[]) {
  const { drafts } = usePages.getState()
  const changed = blocks.filter(({ id }) => id in drafts)
  return Object.fromEntries(
    changed.map((block) => [block.id, sentOf(block, drafts[block.id]?.draft ?? block)]),
  )
}
