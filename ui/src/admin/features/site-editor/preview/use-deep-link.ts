// What an address leads to: words that are read on the page are marked there, all else has its form.
import { useEffect, useRef } from 'preact/hooks'
import type { Block } from '../api/content-api'
import { fieldAt } from '../model/field-path'
import { usePages } from '../model/pages-store'
import { pathAt } from '../typing/frame-page'
import { PICTURE, PLACE } from './prepare-preview'

/** What is typed where it is read. */
const TYPED = ['line', 'paragraphs', 'richText', 'list']

/** No page of its kind is there to be shown. */
type Drawn = Document | 'none' | null

type Arrival = {
  readonly place: string | null
  readonly blocks: readonly Block[]
  /** What the frame shows; null while it shows nothing yet. */
  readonly drawn: Drawn
}

/**
 * Opens the form of a place that the address names, where the page would show nothing of it: with the
 * panel closed a refusal, a hit and a shared part led to a page on which nothing had changed.
 */
export function useDeepLinkTarget(
  read: () => Arrival,
  onForm: (place: string) => void,
): () => void {
  const awaited = useRef<string | null>(null)
  const { place } = read()
  const arrive = () => {
    const { blocks, drawn } = read()
    const asked = awaited.current
    if (asked === null) return
    const wantsForm = hasForm(asked, blocks)
    if (drawn === null && !wantsForm) return
    awaited.current = null
    if (wantsForm || drawn === null || drawn === 'none' || !isVisibleOnPage(drawn, asked))
      onForm(asked)
  }
  const latest = useRef(arrive)
  latest.current = arrive
  useEffect(() => {
    const come = () => {
      awaited.current = place
      latest.current()
    }
    // The address stands there already, and tells nobody that it was asked for again.
    const onClick = ({ target }: MouseEvent) => {
      const link = (target as Element | null)?.closest?.('a[href^="#"]')
      if (link?.getAttribute('href') === location.hash) come()
    }
    come()
    document.addEventListener('click', onClick)
    return () => document.removeEventListener('click', onClick)
  }, [place])
  return arrive
}

/** What was refused has its reason there; amounts, links and the like are not typed on the page. */
function hasForm(place: string, blocks: readonly Block[]): boolean {
  if (place in usePages.getState().problems) return true
  const [id, path = ''] = place.split(/:(.*)/s)
  const field = fieldAt(blocks.find((block) => block.id === id)?.fields ?? [], path)
  return field !== undefined && !TYPED.includes(field.type)
}

/** Whether anything of it can be seen on the page. */
export function isVisibleOnPage(page: Document, place: string): boolean {
  const start = CSS.escape(place)
  const found = page.querySelectorAll(`[${PLACE}^="${start}"], [${PICTURE}^="${start}"]`)
  return [...found].some((element) => {
    // `title` is no part of `titleAfter`.
    if (!(place.endsWith(':') || /^(?:$|[.[#])/.test(pathAt(element).slice(place.length))))
      return false
    const { width, height } = element.getBoundingClientRect()
    // What is only read aloud takes up one point.
    return element.checkVisibility({ visibilityProperty: true }) && width > 1 && height > 1
  })
}
