// Routes files that are dropped on the page or pasted to the target that registered last: the open
// form, else the list.
import { useEffect, useRef, useState } from 'preact/hooks'

type Take = (files: readonly File[]) => void

const targets: { current: Take }[] = []

/** Receives dropped and pasted files while mounted and `active`; the latest target wins. */
export function useFileDrop(active: boolean, take: Take): void {
  const latest = useRef(take)
  latest.current = take
  useEffect(() => {
    if (!active) return undefined
    const target = latest
    targets.push(target)
    return () => {
      targets.splice(targets.indexOf(target), 1)
    }
  }, [active])
}

function deliver(files: readonly File[]): void {
  const target = targets.at(-1)
  if (files.length > 0) target?.current(files)
}

/**
 * Listens on the window. Returns true while files are dragged over the page and a target is
 * registered.
 */
export function usePageDrops(): boolean {
  const [over, setOver] = useState(false)
  const depth = useRef(0)
  useEffect(() => {
    // A target can register or leave during the drag.
    const look = () => setOver(depth.current > 0 && targets.length > 0)
    const change = (by: number) => {
      depth.current = Math.max(0, depth.current + by)
      look()
    }
    const onEnter = (event: DragEvent) => hasFiles(event) && change(1)
    const onLeave = (event: DragEvent) => hasFiles(event) && change(-1)
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      look()
    }
    const onDrop = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      change(-depth.current)
      if (!isForText(event)) deliver([...(event.dataTransfer?.files ?? [])])
    }
    const onPaste = (event: ClipboardEvent) => {
      const files = isForText(event) ? [] : filesWithoutText(event.clipboardData)
      if (files.length === 0) return
      event.preventDefault()
      deliver(files)
    }
    const listeners: [string, EventListener][] = [
      ['dragenter', onEnter as EventListener],
      ['dragleave', onLeave as EventListener],
      ['dragover', onOver as EventListener],
      ['drop', onDrop as EventListener],
      ['paste', onPaste as EventListener],
    ]
    for (const [name, listener] of listeners) window.addEventListener(name, listener)
    return () => {
      for (const [name, listener] of listeners) window.removeEventListener(name, listener)
    }
  }, [])
  return over
}

/** An editable text handles its own files; the form around it would use them as the cover image. */
function isForText({ target }: Event): boolean {
  return target instanceof HTMLElement && target.isContentEditable
}

/** The files of a clipboard; none if it has text too, because Word and Excel add an image of copied text. */
export function filesWithoutText(data: DataTransfer | null): File[] {
  const text = data?.getData('text/plain') ?? ''
  return text.trim() === '' ? [...(data?.files ?? [])] : []
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') === true
}
