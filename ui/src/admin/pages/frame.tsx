// The page in its frame: drawn by the server with the drafts in it, typed in where one reads.
import { useEffect, useRef, useState } from 'preact/hooks'
import { reasonOf } from '../api'
import { toastDone } from '../toast-store'
import { changeWord } from './block-form'
import type { Draft } from './changes'
import { type Block, drawPage, type Word } from './contract'
import { takeDrops } from './drop-picture'
import styles from './frame.module.css'
import {
  decorate,
  entryElement,
  isTyped,
  type Place,
  placeAround,
  placesOf,
  redraw,
  styleFrame,
} from './frame-page'
import { mountOverlay, type Overlay } from './overlay'
import { draftOf, sentOf, usePages } from './pages-store'
import { prepared } from './prepare'
import { type Known, nodesOf, shownText, wordOf } from './text-parts'
import { at, entryOf, equal } from './value'
import { fill, wording } from './wording'

type FrameProps = {
  label: string
  /** The address of the page that is drawn. */
  address: string
  blocks: readonly Block[]
  known: Known
  phone: boolean
  /** No typing on the page: a tap opens the sheet. */
  touch: boolean
  chosen: string | null
  onChoose: (place: { block: string; field: string } | null) => void
  onKey: (event: KeyboardEvent) => void
  onReady: (count: number) => void
}

const PAUSE_MS = 250
const BREATH_MS = 2600

export function Frame(props: FrameProps) {
  const { label, address, phone } = props
  const frame = useRef<HTMLIFrameElement>(null)
  const latest = useRef(props)
  latest.current = props
  const overlay = useRef<Overlay | null>(null)
  const { html, problem, again } = useDrawing(props, frame, overlay)

  const open = () => {
    const page = frame.current?.contentDocument
    if (!page || page.body.childElementCount === 0) return
    styleFrame(page)
    const count = decorate(page, shownOf(latest.current))
    overlay.current = mountOverlay(page, () => draftBlocks(latest.current.blocks))
    listen(page, latest, overlay)
    page.documentElement.classList.add('words-breath')
    setTimeout(() => page.documentElement.classList.remove('words-breath'), BREATH_MS)
    latest.current.onReady(count)
    showChosen(page, latest.current.chosen, true)
  }

  useEffect(() => {
    const page = frame.current?.contentDocument
    if (page) showChosen(page, props.chosen, !props.touch)
  }, [props.chosen, props.touch])

  return (
    <div className={phone ? `${styles.stage} ${styles.phone}` : styles.stage}>
      {problem === null ? null : (
        <div className={styles.failed} role="alert">
          <h2>{wording.editor.loadError.title}</h2>
          <p>{problem}</p>
          <button type="button" onClick={again}>
            {wording.editor.loadError.retry}
          </button>
        </div>
      )}
      {html === null && problem === null ? <p role="status">{wording.editor.loading}</p> : null}
      {html === null ? null : (
        // No script of the page is in what is drawn, and the panel's policy, which the frame inherits,
        // lets none of anybody else's run. Without the permission Safari tells nobody what is pressed.
        <iframe
          ref={frame}
          title={fill(wording.editor.frame, { page: label })}
          srcDoc={html}
          sandbox="allow-same-origin allow-scripts"
          key={address}
          onLoad={open}
        />
      )}
    </div>
  )
}

function draftBlocks(blocks: readonly Block[]): readonly Block[] {
  const store = usePages.getState()
  return blocks.map((block) => ({ ...block, ...draftOf(store, block) }))
}

function shownOf({ blocks, known, touch }: FrameProps) {
  return { blocks: draftBlocks(blocks), known, touch }
}

type FrameRef = { readonly current: HTMLIFrameElement | null }
type OverlayRef = { current: Overlay | null }

/** The first drawing is a document of its own; the next ones change it in place. */
function useDrawing(props: FrameProps, frame: FrameRef, overlay: OverlayRef) {
  const [html, setHtml] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [turn, setTurn] = useState(0)
  const drafts = usePages((store) => store.drafts)
  const published = usePages((store) => store.blocks)
  const latest = useRef(props)
  latest.current = props
  const { address } = props

  useEffect(() => {
    let current = true
    const ask = async () => {
      try {
        const fresh = prepared(await drawPage(address, changesFor(latest.current.blocks)))
        if (!current) return
        setProblem(null)
        const page = frame.current?.contentDocument
        if (page && overlay.current?.page === page) {
          redraw(page, fresh)
          decorate(page, shownOf(latest.current))
          overlay.current.refresh()
        } else setHtml(`<!doctype html>${fresh.documentElement.outerHTML}`)
      } catch (error) {
        // While a page is shown it stays; the next letter asks again.
        if (current && overlay.current === null) {
          setProblem(reasonOf(error) ?? wording.editor.loadError.text)
        }
      }
    }
    const page = frame.current?.contentDocument
    if (page) syncTexts(page, latest.current)
    const timer = setTimeout(() => void ask(), overlay.current === null ? 0 : PAUSE_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [address, drafts, published, turn, frame, overlay])

  return { html, problem, again: () => setTurn(turn + 1) }
}

function changesFor(blocks: readonly Block[]) {
  const { drafts } = usePages.getState()
  const changed = blocks.filter(({ id }) => id in drafts)
  return Object.fromEntries(
    changed.map((block) => [block.id, sentOf(block, drafts[block.id]?.draft ?? block)]),
  )
}

/** The drafts whose texts a page shows: a letter costs its own block, not the whole page. */
const shownDrafts = new WeakMap<Document, Map<string, Draft>>()

/** What was typed beside the page stands on it at once; the server's drawing follows. */
function syncTexts(page: Document, { blocks, known }: FrameProps): void {
  const store = usePages.getState()
  const shown = shownDrafts.get(page) ?? new Map<string, Draft>()
  shownDrafts.set(page, shown)
  for (const block of blocks) {
    const draft = draftOf(store, block)
    if (shown.get(block.id) === draft) continue
    shown.set(block.id, draft)
    for (const place of placesOf(page, [{ ...block, ...draft }], block.id)) {
      syncText(page, place, known)
    }
  }
}

function syncText(page: Document, place: Place, known: Known): void {
  if (place.spec === null) return
  const { element } = place
  const word = wordAt(place)
  if (word === undefined || !isPlain(place)) return
  const isActive = element === page.activeElement
  // What is being typed is left alone; a step back in it is not typing.
  if (isActive ? equal(typedIn(place), word) : element.textContent === shownText(word, known))
    return
  element.replaceChildren(...nodesOf(page, word, known))
  if (isActive) page.getSelection()?.selectAllChildren(element)
  if (isActive) page.getSelection()?.collapseToEnd()
}

function isPlain(place: Place): boolean {
  return isTyped(place) || (place.spec?.type === 'line' && typeof wordAt(place) === 'string')
}

/** What stands at a place: a text, or one paragraph of it. */
function wordAt({ definition, field, paragraph }: Place) {
  const word = at(definition.value, field)
  if (paragraph === null || typeof word !== 'string') return word
  return word.split(/\n{2,}/)[paragraph]
}

function listen(page: Document, latest: { current: FrameProps }, overlay: OverlayRef): void {
  const placeFrom = (event: Event) => placeAround(event.target, draftBlocks(latest.current.blocks))
  /** What stood in a place when it was entered: Escape gives it back. */
  let entered: ReturnType<typeof wordAt>

  page.addEventListener('click', (event) => {
    const link = (event.target as Element | null)?.closest?.('a[href]')
    const place = placeFrom(event)
    if (event.ctrlKey && link) window.open((link as HTMLAnchorElement).href, '_blank', 'noopener')
    event.preventDefault()
    if (place !== null) latest.current.onChoose({ block: place.block, field: place.field })
  })
  takeDrops(page, {
    placeFrom,
    onOver: (place) => overlay.current?.hover(place),
    onChoose: (place) => latest.current.onChoose(place),
  })
  page.addEventListener('submit', (event) => event.preventDefault())
  page.addEventListener('mouseover', (event) => overlay.current?.hover(placeFrom(event)))
  page.addEventListener('focusin', (event) => {
    const place = placeFrom(event)
    overlay.current?.focus(place)
    if (place === null) return
    entered = wordAt(place)
    if (!latest.current.touch) {
      latest.current.onChoose({ block: place.block, field: place.field })
    }
  })
  page.addEventListener('input', (event) => {
    const place = placeFrom(event)
    if (place !== null && isTyped(place)) typeInto(place)
    overlay.current?.refresh()
  })
  page.addEventListener('keydown', (event) => {
    const place = placeFrom(event)
    if (place !== null && onPlaceKey(event, place, entered, latest.current, overlay)) return
    latest.current.onKey(event)
  })
  page.addEventListener('beforeinput', (event) => {
    if (!event.inputType.startsWith('history')) return
    event.preventDefault()
  })
  page.addEventListener('paste', (event) => {
    const place = placeFrom(event)
    if (place !== null && isTyped(place) && !latest.current.touch) pasteInto(page, event)
  })
}

function typeInto(place: Place): void {
  const { definition, field, paragraph, element } = place
  const whole = at(definition.value, field)
  const typed = element.textContent ?? ''
  if (paragraph === null) {
    changeWord(definition, field, typedIn(place), typed)
    return
  }
  if (typeof whole !== 'string') return
  const paragraphs = whole.split(/\n{2,}/)
  paragraphs[paragraph] = onOneLine(typed)
  changeWord(definition, field, paragraphs.join('\n\n'), typed)
}

/** What stands in a place, as its block would hold it. */
function typedIn({ definition, field, paragraph, element }: Place): Word {
  if (paragraph !== null) return onOneLine(element.textContent ?? '')
  const word = wordOf(element, at(definition.value, field))
  return typeof word === 'string' ? onOneLine(word) : word
}

function onOneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ')
}

/**
 * Words alone, on one line: what a browser puts in the place of a line's end is an element, and the
 * last word of one line ran into the first of the next.
 */
function pasteInto(page: Document, event: ClipboardEvent): void {
  event.preventDefault()
  const text = event.clipboardData?.getData('text/plain') ?? ''
  page.execCommand(
    'insertText',
    false,
    text.replace(/^[\r\n]+|[\r\n]+$/g, '').replace(/\s*[\r\n\t]\s*/g, ' '),
  )
  if ((event.clipboardData?.getData('text/html') ?? '') !== '') toastDone(wording.field.pasted)
}

/** True where the key was for the place itself. */
function onPlaceKey(
  event: KeyboardEvent,
  place: Place,
  entered: ReturnType<typeof wordAt>,
  props: FrameProps,
  overlay: OverlayRef,
): boolean {
  const typed = isTyped(place) && !props.touch
  if (event.key === 'Enter' && event.altKey) {
    event.preventDefault()
    if (entryOf(place.field) === null) props.onChoose({ block: place.block, field: place.field })
    else overlay.current?.enter()
    return true
  }
  if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
    event.preventDefault()
    if (!typed) props.onChoose({ block: place.block, field: place.field })
    return true
  }
  if (event.key === ' ' && !typed) {
    event.preventDefault()
    props.onChoose({ block: place.block, field: place.field })
    return true
  }
  if (event.key === 'Escape' && typed) {
    event.preventDefault()
    const stands = wordAt(place)
    if (entered !== undefined && !equal(entered, stands)) {
      place.element.replaceChildren(...nodesOf(place.element.ownerDocument, entered, props.known))
      typeInto(place)
    }
    place.element.blur()
    return true
  }
  return false
}

/** Marks what is chosen, and brings it into sight. */
function showChosen(page: Document, chosen: string | null, gentle: boolean): void {
  for (const former of page.querySelectorAll('[data-words-chosen]')) {
    former.removeAttribute('data-words-chosen')
  }
  if (chosen === null) return
  const entry = entryOf(chosen.slice(chosen.indexOf(':') + 1))
  const found =
    page.querySelector(`[data-words^="${CSS.escape(chosen)}"]`) ??
    page.querySelector(`[data-words-picture="${CSS.escape(chosen)}"]`) ??
    (entry === null ? null : entryElement(page, chosen.slice(0, chosen.indexOf(':')), entry)) ??
    page.querySelector(`[data-words^="${CSS.escape(chosen.slice(0, chosen.indexOf(':') + 1))}"]`)
  if (found === null) return
  if (found !== page.activeElement) {
    found.setAttribute('data-words-chosen', '')
    found.scrollIntoView({ block: gentle ? 'nearest' : 'start' })
  }
}
