// Tracks the running uploads of a form: saving before the last one ends would lose its image.
import { useState } from 'preact/hooks'

/** Each field calls `tell` with its name, because several fields upload at the same time. */
export function usePendingUploads() {
  const [senders, setSenders] = useState<readonly string[]>([])
  const tell = (sender: string, busy: boolean) =>
    setSenders((all) => [...all.filter((one) => one !== sender), ...(busy ? [sender] : [])])
  return { uploading: senders.length > 0, tell }
}
