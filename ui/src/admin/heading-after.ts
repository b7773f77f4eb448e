// What is pressed often goes with its own press: the focus then fell to the window, and who goes by keys or
// by ear began again at the top.
import { useEffect, useRef } from 'preact/hooks'

/** Once it is gone, and the focus with it, the heading of what it stood in has that. */
export function useHeadingAfter(isThere: boolean): void {
  const was = useRef(isThere)
  useEffect(() => {
    const isLost = was.current && !isThere && document.activeElement === document.body
    was.current = isThere
    const find = (heading: string) => document.querySelector<HTMLElement>(heading)
    if (isLost) (find('dialog[open] h2') ?? find('main h1'))?.focus()
  }, [isThere])
}
