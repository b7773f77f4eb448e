// Opens what a link leads to: text on the page is highlighted there, any other field opens its form.

import { useEffect, useRef } from 'preact/hooks'
import { isRendered } from '../../../../lib/is-rendered'
import type { Block } from '../api/content-api'
import { pathAt } from '../editing/frame-page'
import { fieldAt } from '../model/field-path'
import { usePages } from '../model/pages-store'
import { PICTURE, PLACE } from './prepare-preview'

/** Types of fields that are edited on the page. */
const TYPED = ['line', 'paragraphs', 'richText', 'list']

/** `none` if there is no event or article to show. */
type PreparedPreview = Document | 'none' | null

type Arrival = {
  readonly place: string | null
  readonly blocks: readonly Block[]
  /** The document of the iframe; null while it is loading. */
  readonly drawn: PreparedPreview
}

/**
 * Opens the form of the linked field if the page shows nothing of it: with the panel closed, links from a
 * refusal, a search hit or a shared part otherwise seem to do nothing. Call the result once the page is shown.
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
    // A click on a link to the current address triggers no route change.
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

/** The form shows why a field was refused; amounts, links and the like are not edited on the page. */
function hasForm(place: string, blocks: readonly Block[]): boolean {
  if (place in usePages.getState().problems) return true
  const [id, path = ''] = place.split(/:(.*)/s)
  const field = fieldAt(blocks.find((block) => block.id === id)?.fields ?? [], path)
  return field !== undefined && !TYPED.includes(field.type)
}

/** Whether any part of a field is visible on the page. */
export function isVisibleOnPage(page: Document, place: string): boolean {
  const start = CSS.escape(place)
  const found = page.querySelectorAll(`[${PLACE}^="${start}"], [${PICTURE}^="${start}"]`)
  return [...found].some((element) => {
    // `title` must not match `titleAfter`.
    if (!(place.endsWith(':') || /^(?:$|[.[#])/.test(pathAt(element).slice(place.length))))
      return false
    const { width, height } = element.getBoundingClientRect()
    // Visually hidden text has a size of one pixel.
    return isRendered(element, { visibilityProperty: true }) && width > 1 && height > 1
  })
}
