// A scaled iframe of a published page, without scripts.
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { removeLater } from '../preview/deferred-iframe-removal'
import styles from './page-list.module.css'

type ThumbnailProps = {
  address: string | null
  label: string
  /** Width of the window in which the page is rendered. */
  width?: number
  className?: string | undefined
  /** Stands for the page on small screens and with data saving. */
  children: ComponentChildren
}

export function PageThumbnail(props: ThumbnailProps) {
  const { address, label, width = 1280, className = styles.shot, children } = props
  const box = useRef<HTMLSpanElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  useLayoutEffect(() => () => removeLater(frame.current), [])
  const near = useNear(box)
  const html = usePageText(near ? address : null)
  useEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const fit = new ResizeObserver(() =>
      element.style.setProperty('--scale', String(element.clientWidth / width)),
    )
    fit.observe(element)
    return () => fit.disconnect()
  }, [width])
  return (
    <span className={className} ref={box} aria-hidden="true">
      {html !== null ? (
        <iframe
          ref={frame}
          srcDoc={html}
          title={label}
          sandbox="allow-same-origin"
          loading="lazy"
          tabIndex={-1}
          inert
        />
      ) : (
        children
      )}
    </span>
  )
}

/**
 * HTML of the published page without its scripts and its `<style>`: the iframe inherits the panel's policy, which
 * refuses both. The sheet in `<noscript>` styles it. With `src` instead Chromium reports each script that `sandbox`
 * blocks.
 */
function usePageText(address: string | null): string | null {
  const [html, setHtml] = useState<string | null>(null)
  useEffect(() => {
    let current = true
    const read = async () => {
      if (address === null) return
      const answer = await fetch(address)
      if (!answer.ok) return
      const page = await answer.text()
      if (current) setHtml(page.replace(/<(script|style)\b.*?<\/\1>/gs, ''))
    }
    // On failure the card shows the name of the page.
    read().catch(() => undefined)
    return () => {
      current = false
    }
  }, [address])
  return html
}

function useNear(box: { current: HTMLElement | null }): boolean {
  const [near, setNear] = useState(false)
  useEffect(() => {
    const saves =
      'connection' in navigator && (navigator.connection as { saveData?: boolean }).saveData
    const isSpared = saves === true || window.matchMedia('(width < 48rem)').matches
    if (isSpared || box.current === null) return undefined
    const watch = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting !== true) return
        watch.disconnect()
        setNear(true)
      },
      { rootMargin: '200px' },
    )
    watch.observe(box.current)
    return () => watch.disconnect()
  }, [box])
  return near
}
