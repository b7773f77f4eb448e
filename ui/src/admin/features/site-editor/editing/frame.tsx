// The page in its iframe: rendered by the server with the drafts in it, edited in place.
import { useEffect, useRef, useState } from 'preact/hooks'
import { isImeKey } from '../../../../lib/ime-key'
import { fill } from '../../../../lib/interpolate'
import { CHIP_ATTRIBUTE } from '../../../rich-text/schema'
import { Button } from '../../../ui/button'
import { words } from '../../../ui/messages'
import type { Block, FieldValue } from '../api/content-api'
import { changeField } from '../form/block-form'
import { usePageHighlights } from '../lint/use-page-highlights'
import { wording } from '../messages'
import { entryOf, equal } from '../model/field-path'
import { draftOf, flushAll, usePages } from '../model/pages-store'
import type { ChipContext } from '../model/rich-value'
import { lastPlace, placeNow } from '../preview/adjacent-field'
import { followScrims } from '../preview/fit-scrims'
import { acceptImageDrops, pictureUnder } from '../preview/picture-drop'
import { scrollFrameTo } from '../preview/scroll-frame-to'
import { draftBlocks, type OverlayRef, shownOf, usePreview } from '../preview/use-preview'
import { selectHitText } from '../search/select-hit-text'
import type { Caret } from './field-editor'
import { onFieldInput } from './field-input-events'
import styles from './frame.module.css'
import { decorate, entryElement, type Place, placeAround, textKind, valueAt } from './frame-page'
import { type HistoryWay, historyWay } from './history-input'
import { hintOutlines } from './outline-hint'
import { mountOverlay, type Overlay } from './overlay'
import { openEditor } from './page-editors'
import { rememberEntered } from './restore-on-escape'
import { showInput } from './sync-texts'

type FrameProps = {
  label: string
  /** The address of the page that is drawn. */
  address: string
  blocks: readonly Block[]
  known: ChipContext
  phone: boolean
  /** No typing on the page: a tap opens the sheet. */
  touch: boolean
  chosen: string | null
  /** Words at the place that it opens at, to be selected. */
  hit: string | null
  /** `acts` where it was pressed, not only come to: its form is wanted. */
  onChoose: (place: { block: string; field: string } | null, acts: boolean) => void
  onKey: (event: KeyboardEvent) => void
  onHistory: (way: HistoryWay) => void
  onReady: (count: number) => void
}

export function Frame(props: FrameProps) {
  const { label, address, phone } = props
  const frame = useRef<HTMLIFrameElement>(null)
  const latest = useRef(props)
  latest.current = props
  const overlay = useRef<Overlay | null>(null)
  const { html, problem, again } = usePreview(props, frame, overlay)
  const [opened, setOpened] = useState<Document | null>(null)
  usePageHighlights(opened, props)

  const open = () => {
    const page = frame.current?.contentDocument
    if (!page || page.body.childElementCount === 0) return
    const count = decorate(page, shownOf(latest.current))
    overlay.current = mountOverlay(page, {
      blocks: () => draftBlocks(latest.current.blocks),
      goTo: (element) => goToNew(page, element, latest.current),
      open: (place) => {
        if (page.hasFocus()) latest.current.onChoose(place, true)
      },
    })
    listen(page, latest, overlay)
    hintOutlines(page)
    followScrims(page)
    latest.current.onReady(count)
    showChosen(page, latest.current.chosen, true)
    selectHitText(page, latest.current)
    setOpened(page)
  }

  useEffect(() => {
    const page = frame.current?.contentDocument
    if (page) showChosen(page, props.chosen, !props.touch)
  }, [props.chosen, props.touch])

  useEffect(
    () =>
      onFieldInput((block, path, word) => {
        const page = frame.current?.contentDocument
        if (!page || overlay.current?.page !== page) return
        const isShown = showInput(page, { block, path, word }, latest.current.known)
        // The server has to render its place; the field registers its letter after this call.
        if (!isShown) queueMicrotask(flushAll)
        // The counter beside the words counts those that are typed in the sheet too.
        overlay.current.follow()
      }),
    [],
  )

  // Chips may be rendered before the settings are loaded, and a window may become narrow.
  useEffect(() => {
    const page = frame.current?.contentDocument
    if (page && overlay.current?.page === page) decorate(page, shownOf(latest.current))
  }, [props.known, props.touch])

  return (
    <div className={phone ? `${styles.stage} ${styles.phone}` : styles.stage}>
      {problem === null || html === null ? null : (
        <p className={styles.still} role="status">
          {problem}
          <Button tone="outline" small onClick={again}>
            {problem === wording.editor.sessionExpired
              ? words.signIn
              : wording.editor.loadError.retry}
          </Button>
        </p>
      )}
      {problem === null || html !== null ? null : (
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

function listen(page: Document, latest: { current: FrameProps }, overlay: OverlayRef): void {
  const around = (target: EventTarget | null) => {
    const place = placeAround(target, latest.current.blocks)
    if (place === null) return null
    // With its draft: of its block alone, for each key asks.
    const { definition } = place
    return { ...place, definition: { ...definition, ...draftOf(usePages.getState(), definition) } }
  }
  const placeFrom = (event: Event) => around(event.target)
  const entered = rememberEntered(page, (target) => {
    const place = around(target)
    return place && { path: place.path, word: valueAt(place) }
  })

  page.addEventListener('click', (event) => {
    const link = (event.target as Element | null)?.closest?.('a[href]')
    const place = placeFrom(event)
    if ((event.ctrlKey || event.metaKey) && link)
      window.open((link as HTMLAnchorElement).href, '_blank', 'noopener')
    event.preventDefault()
    overlay.current?.chip(
      (event.target as Element | null)?.closest?.(`[${CHIP_ATTRIBUTE}]`) ?? null,
    )
    if (place === null) {
      const picture = pictureUnder(page, event, draftBlocks(latest.current.blocks))
      if (picture !== null) latest.current.onChoose(picture, true)
      return
    }
    const acts = latest.current.touch || textKind(place) === null
    // Pressed beside its words.
    if (!acts && !place.element.contains(event.target as Node)) place.element.focus()
    latest.current.onChoose({ block: place.block, field: place.field }, acts)
  })
  acceptImageDrops(page, {
    blocks: () => draftBlocks(latest.current.blocks),
    onOver: (place) => overlay.current?.hover(place),
    onChoose: (place) => latest.current.onChoose(place, false),
  })
  page.addEventListener('submit', (event) => event.preventDefault())
  const follow = () => overlay.current?.follow()
  const edit = (place: Place, caret: Caret | null) => {
    const kind = latest.current.touch ? null : textKind(place)
    if (kind === null) return
    const { known } = latest.current
    openEditor(
      place.element,
      { kind, known, value: valueAt(place) ?? '' },
      { caret, onUpdate: follow },
    )
  }
  page.addEventListener('mouseover', (event) => {
    const place = placeFrom(event)
    overlay.current?.hover(place)
    // Before it is pressed: the browser then puts the caret where it is pressed, and selects from there.
    if (place !== null) edit(place, null)
  })
  // Text that is dropped into another one.
  page.addEventListener('dragenter', (event) => {
    const place = placeFrom(event)
    if (place !== null) edit(place, null)
  })
  /** Where the pointer came down; null for the keyboard's way. */
  let pressed: { left: number; top: number } | null = null
  page.addEventListener('mousedown', ({ clientX, clientY }) => {
    pressed = { left: clientX, top: clientY }
    setTimeout(() => {
      pressed = null
    })
  })
  page.addEventListener('focusin', (event) => {
    const place = placeFrom(event)
    overlay.current?.focus(place)
    if (place === null) return
    lastPlace.set(page, place.element)
    if (latest.current.touch) return
    edit(place, pressed ?? 'end')
    latest.current.onChoose({ block: place.block, field: place.field }, false)
  })
  followSize(page, () => {
    follow()
    return latest.current.chosen
  })
  page.addEventListener('focusout', flushAll)
  page.addEventListener('keydown', (event) => {
    // Escape closed the list of an input method, and reverted the whole text.
    if (isImeKey(event)) return
    // What a key does begins with what stands there.
    const isCommand = event.ctrlKey || event.metaKey || event.altKey
    if (isCommand || event.key === 'Escape' || event.key === 'Enter') flushAll()
    // A letter is never for the place itself.
    const isLetter = event.key.length === 1 && event.key !== ' '
    const place = isLetter ? null : placeFrom(event)
    if (place !== null && onPlaceKey(event, place, entered(), latest.current, overlay)) return
    latest.current.onKey(event)
  })
  page.addEventListener('beforeinput', (event) => {
    const way = historyWay(event)
    if (way === null) return
    // The browser's own steps are older than the page's, or none.
    event.preventDefault()
    latest.current.onHistory(way)
  })
}

/** True where the key was for the place itself. */
function onPlaceKey(
  event: KeyboardEvent,
  place: Place,
  entered: FieldValue | undefined,
  props: FrameProps,
  overlay: OverlayRef,
): boolean {
  const typed = textKind(place) !== null && !props.touch
  const act = () => props.onChoose({ block: place.block, field: place.field }, true)
  if (event.key === 'Enter' && event.altKey) {
    event.preventDefault()
    if (entryOf(place.field) === null) act()
    else overlay.current?.enter()
    return true
  }
  if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
    event.preventDefault()
    if (!typed) act()
    return true
  }
  if (event.key === 'Tab' && !event.shiftKey && !event.defaultPrevented) {
    if (overlay.current?.toRow(place) !== true) return false
    event.preventDefault()
    return true
  }
  if (event.key === ' ' && !typed) {
    event.preventDefault()
    act()
    return true
  }
  if (event.key === 'Escape' && typed) {
    event.preventDefault()
    if (entered !== undefined && !equal(entered, valueAt(place))) {
      changeField(place.definition, place.field, entered, null)
    }
    place.element.blur()
    return true
  }
  return false
}

/** The caret goes into what was added, unless she is somewhere else by now; a tap has its sheet. */
function goToNew(page: Document, element: HTMLElement, { touch, blocks, onChoose }: FrameProps) {
  const place = placeAround(element, draftBlocks(blocks))
  if (place === null || !page.hasFocus()) return
  if (touch) onChoose({ block: place.block, field: place.field }, true)
  else element.focus()
}

/** Marks what is chosen, and brings it into sight. */
function showChosen(page: Document, chosen: string | null, gentle: boolean): void {
  for (const former of page.querySelectorAll('[data-words-chosen]')) {
    former.removeAttribute('data-words-chosen')
  }
  const found = chosenElement(page, chosen)
  if (found === null) return
  const isTypedIn = found === page.activeElement
  if (!isTypedIn) found.setAttribute('data-words-chosen', '')
  // A tap gives it the focus too, and the sheet comes to lie over it. A whole section starts at the top.
  if (!isTypedIn || !gentle) scrollFrameTo(found, gentle && chosen?.endsWith(':') !== true)
}

/** What is chosen; what is nearest to it where it is nowhere itself. */
function chosenElement(page: Document, chosen: string | null): Element | null {
  if (chosen === null) return null
  const entry = entryOf(chosen.slice(chosen.indexOf(':') + 1))
  return (
    placeNow(page, chosen) ??
    page.querySelector(`[data-words-picture="${CSS.escape(chosen)}"]`) ??
    (entry === null ? null : entryElement(page, chosen.slice(0, chosen.indexOf(':')), entry)) ??
    page.querySelector(`[data-words^="${CSS.escape(chosen.slice(0, chosen.indexOf(':') + 1))}"]`)
  )
}

/** A phone that is turned lays the page out anew, and its keyboard leaves little of it. */
function followSize(page: Document, resized: () => string | null): void {
  const view = page.defaultView
  if (view === null) return
  let [width, height] = [view.innerWidth, view.innerHeight]
  let settled: ReturnType<typeof setTimeout> | undefined
  view.addEventListener('resize', () => {
    const box = chosenElement(page, resized())?.getBoundingClientRect()
    // What she had scrolled away from stays there, while it can be known.
    const wasSeen = box !== undefined && box.top < height && box.bottom > 0
    const isFollowed = wasSeen || width !== view.innerWidth || settled !== undefined
    ;[width, height] = [view.innerWidth, view.innerHeight]
    if (!isFollowed) return
    const show = () => {
      settled = undefined
      const found = chosenElement(page, resized())
      if (found !== null) scrollFrameTo(found, true)
    }
    clearTimeout(settled)
    show()
    // In several steps, and pictures of another size come after them.
    settled = setTimeout(show, SETTLED_MS)
  })
}

const SETTLED_MS = 300
