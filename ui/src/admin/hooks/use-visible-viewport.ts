// Follows the visual viewport: in Safari and Chrome an on-screen keyboard covers the page without
// changing its layout viewport.
import { useEffect } from 'preact/hooks'

/** Sets `--visible-height` and `--visible-top` on the element that fills the window. */
export function useVisibleViewportHeight(hostOf: () => HTMLElement | null | undefined): void {
  useEffect(() => {
    const host = hostOf()
    const viewport = window.visualViewport
    if (!host || !viewport) return undefined
    const follow = () => {
      const covered = window.innerHeight - viewport.height * viewport.scale > 1
      // The content security policy forbids style attributes; the style object is not one.
      host.style.setProperty('--visible-height', covered ? `${viewport.height}px` : '100dvb')
      // The browser scrolls a covered field into view. With pinch zoom the user pans, so 0.
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
