// Detects that the server runs a newer release than the one that served this page. Chunks that were
// not loaded yet no longer exist then, so a retry is useless: the page must be reloaded.
import { useEffect, useState } from 'preact/hooks'

/** The hashed name of the entry script changes with every change of the panel. */
export async function hasNewRelease(): Promise<boolean> {
  const script = document.querySelector<HTMLScriptElement>('script[type=module][src]')
  if (script === null) return false
  try {
    const answer = await fetch(location.pathname, { cache: 'no-store' })
    return answer.ok && !(await answer.text()).includes(new URL(script.src).pathname)
  } catch {
    return false
  }
}

/** Checks once on mount; for components that show a failed load. */
export function useNewRelease(): boolean {
  const [renewed, setRenewed] = useState(false)
  useEffect(() => void hasNewRelease().then(setRenewed), [])
  return renewed
}
