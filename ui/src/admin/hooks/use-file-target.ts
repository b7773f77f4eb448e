// Files dropped anywhere on the page or pasted go to whoever asked last: the open form, else the list.
import { useEffect, useRef, useState } from 'preact/hooks'

type Take = (files: readonly File[]) => void

const targets: { current: Take }[] = []

/** Takes dropped and pasted files while mounted and `active`; the latest taker wins. */
export function useFileTarget(active: boolean, take: Take): void {
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

/** Listens for the whole page; true while files hang over it and somebody would take them. */
export function usePageDrops(): boolean {
  const [over, setOver] = useState(false)
  const depth = useRef(0)
  useEffect(() => {
    // Whoever takes them may come, or go, while they hang there.
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
      const files = [...(event.clipboardData?.files ?? [])]
      if (files.length === 0 || isForText(event)) return
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

/** What lands in a text is the text's own: the form around it would take it for the cover. */
function isForText({ target }: Event): boolean {
  return target instanceof Element && target.closest('[contenteditable=true]') !== null
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') === true
}
