// Undo and redo in the page editor, and its keyboard shortcuts.

import { useEffect, useRef } from 'preact/hooks'
import { isImeKey } from '../../../../lib/ime-key'
import { fill } from '../../../../lib/interpolate'
import { goTo } from '../../../app/routes'
import { openGuideByKey } from '../../../hooks/use-guide'
import { toastDone, toastFailed } from '../../../ui/toast-store'
import type { Block } from '../api/content-api'
import { type HistoryWay, historyWay } from '../editing/history-input'
import { wording } from '../messages'
import { editHref, homeOf } from '../model/editable-pages'
import { blockOf, persistDrafts, redo, undo, usePages } from '../model/pages-store'
import type { HistoryEntry } from '../model/undo-history'
import { isVisibleOnPage } from '../preview/use-deep-link'
import { renderedPage, type usePageEditor } from './use-page-editor'

const { live } = wording

type ShortcutParts = {
  editor: ReturnType<typeof usePageEditor>
  blocks: readonly Block[]
  publish: () => void
  /** Announces an undone or redone change that is visible. */
  announce: (text: string) => void
}

export function useEditorShortcuts({ editor, blocks, publish, announce }: ShortcutParts) {
  const { root, panel, isSheet } = editor
  const navigateHistory = (act: typeof undo, text: string) => {
    const step = act()
    if (step === null) return
    editor.setPressed(false)
    if (!blocks.some(({ id }) => id === step.block)) return goToStep(step, text)
    const [field, page] = [fieldTargetOf(step), renderedPage(root.current)]
    const said = fill(text, { what: step.what })
    // A toast names the change when it is not visible.
    if (panel.open || (page !== null && isVisibleOnPage(page, field))) announce(said)
    else toastDone(said)
    editor.select(field)
  }
  const onUndo = () => navigateHistory(undo, live.undone)
  const onRedo = () => navigateHistory(redo, live.redone)
  const onKey = (event: KeyboardEvent) => {
    openGuideByKey(event)
    const act = actionOf(event)
    if (act === null || (act === 'close' && !isSheet) || event.defaultPrevented) return
    if (act === 'regions' && !focusNextRegion(root.current)) return
    event.preventDefault()
    if (act === 'undo') onUndo()
    if (act === 'redo') onRedo()
    if (act === 'publish') publish()
    if (act === 'close') panel.set(false)
    if (act === 'keep') persistAndReport()
  }
  useWindowKey(onKey)
  const onHistory = (way: HistoryWay) => (way === 'undo' ? onUndo() : onRedo())
  useHistoryInput(onHistory)
  return { onUndo, onRedo, onKey, onHistory }
}

/** Reports nothing if there is no draft, and an error if the browser refuses storage. */
function persistAndReport(): void {
  persistDrafts()
  const { drafts, keeps } = usePages.getState()
  if (Object.keys(drafts).length === 0) return
  if (keeps) toastDone(live.saved)
  else toastFailed(wording.editor.notKept, null)
}

function fieldTargetOf({ block, path }: HistoryEntry): string {
  return `${block}:${path}`
}

/** Opens the page that an undo or redo has changed, and names the step. */
function goToStep(step: HistoryEntry, text: string): void {
  const block = blockOf(step.block)
  if (block === undefined) return
  const page = homeOf(block)
  toastDone(fill(text, { what: `${page.label}, ${step.what}` }))
  goTo(editHref(page, fieldTargetOf(step)).slice(1))
}

type Action = 'undo' | 'redo' | 'publish' | 'keep' | 'regions' | 'close'

function actionOf(event: KeyboardEvent): Action | null {
  // Escape of an input method closed the panel.
  if (isImeKey(event)) return null
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

/**
 * Moves the focus to the next of toolbar, page and panel. Returns false after the last, where the browser takes the key
 * to its own address bar; the next press begins with the toolbar.
 */
function focusNextRegion(root: HTMLElement | null): boolean {
  const regions = [...(root?.querySelectorAll<HTMLElement>('[data-region]') ?? [])]
  const { activeElement } = document
  const next = regions[regions.findIndex((region) => region.contains(activeElement)) + 1]
  if (next !== undefined) next.focus()
  else if (activeElement instanceof HTMLElement) activeElement.blur()
  return next !== undefined
}
