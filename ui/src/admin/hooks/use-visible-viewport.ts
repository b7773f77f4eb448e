// What a phone's keyboard leaves of the window: in Safari and in Chrome it covers the page, and nothing of
// the page's own measure changes.
import { useEffect } from 'preact/hooks'

/** As `--visible-height` and `--visible-top` of what fills the window. */
export function useVisibleViewportHeight(hostOf: () => HTMLElement | null | undefined): void {
  useEffect(() => {
    const host = hostOf()
    const viewport = window.visualViewport
    if (!host || !viewport) return undefined
    const follow = () => {
      const covered = window.innerHeight - viewport.height * viewport.scale > 1
      // The content security policy forbids style attributes; the style object is not one.
      host.style.setProperty('--visible-height', covered ? `${viewport.height}px` : '100dvb')
      // Moved up with a field that the keyboard would have covered. Magnified, it is moved by hand.
      const top = covered && viewport.scale === 1 ? viewport.offsetTop : 0
      host.style.setProperty('--visible-top', `${top}px`)
    }
    follow()
    viewport.addEventListener('resize', follow)
    viewport.addEventListener('scroll', follow)
    return () => {
      viewport.removeEventListener('resize', follow)
      viewport.removeEventListener('scroll', follow)
    }
  }, [])
}
