// State of an open page in the editor: the chosen field, the side panel, and what a link to the page opens.
import { useEffect, useRef, useState } from 'preact/hooks'
import { openLayer } from '../../../../lib/dialog-history'
import { replaceRoute } from '../../../app/routes'
import { isFocusLost } from '../../../hooks/focus-recovery'
import { useMediaQuery } from '../../../hooks/use-media-query'
import { type Disclosure, usePersistedDisclosure } from '../../../hooks/use-persisted-disclosure'
import { useVisibleViewportHeight } from '../../../hooks/use-visible-viewport'
import type { Block } from '../api/content-api'
import { OVER } from '../editing/frame-page'
import { editHref, type SitePage, VERSIONS } from '../model/editable-pages'
import { type Direction, goToAdjacentField } from '../preview/adjacent-field'
import { useDeepLinkTarget } from '../preview/use-deep-link'
import { usePreviewUrl } from '../preview/use-preview-url'

type PageEditorParts = {
  page: SitePage
  /** The field of the route, as `block:path`. */
  place: string | null
  arrives: boolean
  blocks: readonly Block[]
}

const PANEL_KEY = 'respiro-pages-panel'

export function usePageEditor({ page, place, arrives, blocks }: PageEditorParts) {
  const [chosen, setChosen] = useState(place)
  // The admin clicked on the page: the panel opens and focuses the field.
  const [pressed, setPressed] = useState(false)
  const narrow = useMediaQuery('(width < 60rem)')
  const panel = usePanel(narrow)
  const address = usePreviewUrl(page)
  const root = useRef<HTMLElement>(null)
  useVisibleViewportHeight(() => root.current)
  const history = useVersionHistoryLink(page, place, setChosen)
  const isNowhere = typeof address !== 'string' && address.why === 'none'
  const openTarget = useDeepLinkTarget(
    () => ({
      place: history.isLinked ? null : place,
      blocks,
      drawn: isNowhere ? 'none' : renderedPage(root.current),
    }),
    (found) => {
      setChosen(found)
      setPressed(true)
      panel.set(true)
    },
  )
  useEffect(() => {
    if (isNowhere) openTarget()
  }, [isNowhere])
  const isSheet = narrow && panel.open
  // As a sheet the panel covers the page, so Back and Escape close it like any other layer.
  useEffect(() => (isSheet ? openLayer(() => panel.set(false)) : undefined), [isSheet])
  const hints = useDelayedHints()
  const middle = useRef<HTMLDivElement>(null)
  useFocusOnPage(middle, isSheet, arrives)

  const choose = (next: { block: string; field: string } | null, acts: boolean) => {
    setChosen(next === null ? null : `${next.block}:${next.field}`)
    setPressed(acts)
    if (next !== null && (acts || narrow) && !panel.open) panel.set(true)
  }
  const goToAdjacent = (way: Direction) => {
    const drawn = root.current?.querySelector('iframe')?.contentDocument
    const next = drawn && chosen !== null ? goToAdjacentField(drawn, chosen, way) : null
    if (next !== null) choose(next, true)
  }
  return {
    address,
    root,
    middle,
    panel,
    isSheet,
    chosen,
    setPressed,
    choose,
    goToAdjacent,
    /** Focuses the chosen field in the panel. */
    focuses: narrow || pressed,
    /** Chooses a field without a click on the page. */
    select: (next: string | null) => {
      setPressed(false)
      setChosen(next)
    },
    showOverview: (isOpen: boolean) => {
      setChosen(null)
      panel.set(isOpen)
    },
    versionsOf: history.block,
    setVersionsOf: history.setBlock,
    hasHints: hints.isDue,
    onReady: () => {
      openTarget()
      hints.startAfterRender()
    },
  }
}

/** The document of the iframe; null until the overlay is mounted in it. */
export function renderedPage(root: HTMLElement | null): Document | null {
  const page = root?.querySelector('iframe')?.contentDocument
  return page?.getElementById(OVER) ? page : null
}

/** Opens the version history that a link leads to: a dialog over the page, which opens nothing else for it. */
function useVersionHistoryLink(
  page: SitePage,
  place: string | null,
  setChosen: (place: string | null) => void,
) {
  const [block, setBlock] = useState<string | null>(null)
  const [overlaid, setOverlaid] = useState<string | null>(null)
  useEffect(() => {
    const [id = '', field] = place?.split(':') ?? []
    if (field !== VERSIONS) {
      setChosen(place)
      return
    }
    // Remove the versions from the route: a reload after closing the dialog opened it again.
    setBlock(id)
    setOverlaid(`${id}:`)
    replaceRoute(editHref(page, `${id}:`))
  }, [place, page])
  const isLinked = place === overlaid || place?.endsWith(`:${VERSIONS}`) === true
  return { block, setBlock, isLinked }
}

/** Delay of hints after the page is rendered, and if no page is rendered. */
const RENDERED_MS = 300
const UNRENDERED_MS = 3_000

/** Hints are computed only after the page is shown. */
function useDelayedHints() {
  const [isDue, setDue] = useState(false)
  const restart = useRef<(milliseconds: number) => void>(() => undefined)
  useEffect(() => {
    let timer = setTimeout(setDue, UNRENDERED_MS, true)
    restart.current = (milliseconds) => {
      clearTimeout(timer)
      timer = setTimeout(setDue, milliseconds, true)
    }
    return () => clearTimeout(timer)
  }, [])
  return { isDue, startAfterRender: () => restart.current(RENDERED_MS) }
}

/** Moves a lost focus to the page: after the sheet over it has closed, and when the page was opened by a link. */
function useFocusOnPage(
  middle: { readonly current: HTMLElement | null },
  isSheet: boolean,
  arrives: boolean,
): void {
  const wasSheet = useRef(false)
  useEffect(() => {
    if (!isSheet && wasSheet.current && isFocusLost()) middle.current?.focus()
    wasSheet.current = isSheet
  }, [isSheet])
  useEffect(() => {
    if (arrives && isFocusLost()) middle.current?.focus()
  }, [arrives])
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
