// Pictures on their way into a form: who saves before the last has arrived would lose it.
import { useState } from 'preact/hooks'

/** `tell` is for each field of the form by its name: several send at a time. */
export function usePendingUploads() {
  const [senders, setSenders] = useState<readonly string[]>([])
  const tell = (sender: string, busy: boolean) =>
    setSenders((all) => [...all.filter((one) => one !== sender), ...(busy ? [sender] : [])])
  return { uploading: senders.length > 0, tell }
}
