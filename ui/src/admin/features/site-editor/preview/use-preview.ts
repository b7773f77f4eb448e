// How the page comes into its frame: drawn by the server with the drafts in it, and again after each
// pause in which something was changed.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { placeOf } from '../../../../lib/content-source-map'
import { fill } from '../../../../lib/interpolate'
import { isStatus, reasonOf } from '../../../api/client'
import type { Block } from '../api/content-api'
import { problemsOf } from '../api/publish'
import { refusedPlace } from '../api/use-publishing'
import { wording } from '../messages'
import { fieldAt, getIn } from '../model/field-path'
import { draftOf, hasPendingInput, sentOf, usePages } from '../model/pages-store'
import { type ChipContext, shownText } from '../model/rich-value'
import { decorate, redraw, styleFrame, typedAway } from '../typing/frame-page'
import { syncTexts } from '../typing/frame-typing'
import type { Overlay } from '../typing/overlay'
import { renderOrTakePrefetched } from './prefetch-preview'
import { type Drawn, preparePreview } from './prepare-preview'

type Shown = {
  readonly blocks: readonly Block[]
  readonly known: ChipContext
  readonly touch: boolean
}
type Drawing = Shown & { readonly address: string }
type FrameRef = { readonly current: HTMLIFrameElement | null }
export type OverlayRef = { current: Overlay | null }

const PAUSE_MS = 250
/** While somebody types, the words stand on the page already: what follows from them can wait. */
const TYPED_PAUSE_MS = 1_000
/** A line that says what is no longer so would keep her from publishing. */
const TRY_AGAIN_MS = 5_000
const { editor: own } = wording

export function draftBlocks(blocks: readonly Block[]): readonly Block[] {
  const store = usePages.getState()
  return blocks.map((block) => ({ ...block, ...draftOf(store, block) }))
}

export function shownOf({ blocks, known, touch }: Shown): Shown {
  return { blocks: draftBlocks(blocks), known, touch }
}

/** The first drawing is a document of its own; the next ones change it in place. */
export function usePreview(props: Drawing, frame: FrameRef, overlay: OverlayRef) {
  const [html, setHtml] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [turn, setTurn] = useState(0)
  const tries = useTries(overlay, problem, setProblem)
  const drawnTurn = useRef(turn)
  const drafts = usePages((store) => store.drafts)
  const published = usePages((store) => store.blocks)
  const latest = useRef(props)
  latest.current = props
  const { address } = props

  useEffect(() => {
    // Words from the server: it answers, whatever was said before.
    setProblem((before) => (published !== null && before === own.offline ? null : before))
  }, [published])

  // Asked for before the browser draws: the page takes longer than all that is drawn around it.
  useLayoutEffect(() => {
    const ended = new AbortController()
    const { signal } = ended
    const show = (page: Document, fresh: Document) => {
      if (signal.aborted || typedAway(page, fresh) !== null) return
      redraw(page, fresh)
      decorate(page, shownOf(latest.current))
      overlay.current?.refresh()
    }
    const pause = usePages.getState().past.done.at(-1)?.open === true ? TYPED_PAUSE_MS : PAUSE_MS
    let timer: ReturnType<typeof setTimeout>
    const askIn = (milliseconds: number) => {
      timer = setTimeout(() => void ask(), milliseconds)
    }
    const ask = async () => {
      // Where they come to another draft, that one asks as soon as they are handed on.
      if (hasPendingInput()) return askIn(pause)
      try {
        const { blocks } = latest.current
        const isUnasked = overlay.current !== null && drawnTurn.current === turn
        drawnTurn.current = turn
        const here = drawnFrom(latest.current)
        const drawn = await renderOrTakePrefetched(address, changesFor(blocks), isUnasked)
        if (signal.aborted) return
        if (hasPendingInput()) return askIn(pause)
        const fresh = preparePreview(drawn, here)
        // Before it is shown: afterwards each place would have its styles worked out a second time.
        decorate(fresh, shownOf(latest.current))
        setProblem(null)
        const page = frame.current?.contentDocument
        if (page && overlay.current?.page === page) {
          const left = typedAway(page, fresh)
          // It would go from under the caret: the page follows once one is somewhere else.
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
    askIn(overlay.current === null ? 0 : pause)
    return () => {
      ended.abort()
      clearTimeout(timer)
    }
  }, [address, drafts, published, turn, tries, frame, overlay])

  return { html, problem, again: () => setTurn(turn + 1) }
}

/** While a page is shown it stays; the next letter asks again, but for who did not sign in. */
function problemOf(error: unknown, shown: Overlay | null, before: string | null): string | null {
  if (shown === null) return reasonOf(error) ?? own.loadError.text
  if (isStatus(error, 401)) return own.sessionExpired
  if (isStatus(error, 0)) return own.offline
  // What she sees is no longer what she made.
  const place = refusedPlace(problemsOf(error))
  return place === null ? before : fill(own.notDrawn, place)
}

/**
 * Over a page that is shown a line says that the connection is gone, as soon as the browser or a question
 * finds it gone, and until an answer comes: at once when the browser says so, and tried now and then.
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

/** What the server is asked to draw, place by place. */
function drawnFrom({ blocks, known }: Drawing): Drawn {
  const drafts = new Map(draftBlocks(blocks).map((block) => [block.id, block]))
  const typeOf = (block: string, field: string) =>
    fieldAt(drafts.get(block)?.fields ?? [], field)?.type
  return {
    isRich: (path) => {
      const { block = '', field = '' } = placeOf(path) ?? {}
      return typeOf(block, field) === 'richText'
    },
    said: (path) => {
      const { block = '', field = '', paragraph = null } = placeOf(path) ?? {}
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
