// Whether another release of the program answers than the one that this page was opened with. Parts that it
// had not loaded yet are gone then, and no further try brings them: the page has to be opened anew.
import { useEffect, useState } from 'preact/hooks'

/** The name of the script that begins the panel changes with all it leads to. */
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

/** Asked once something has failed. */
export function useNewRelease(): boolean {
  const [renewed, setRenewed] = useState(false)
  useEffect(() => void hasNewRelease().then(setRenewed), [])
  return renewed
}
