// Requests the preview when a card is pressed, so that it has arrived once the editor is shown.
import { type BlockChange, renderPreview } from '../api/content-api'

type Changes = Readonly<Record<string, BlockChange>>
type Early = { readonly what: string; readonly at: number; readonly drawn: Promise<string> }

/** A prefetched page that was not opened expires after this. */
const FRESH_MS = 5_000

let early: Early | null = null

const named = (address: string, changes: Changes) => JSON.stringify([address, changes])

export function prefetchPreview(address: string, changes: Changes): void {
  const drawn = renderPreview(address, changes, true)
  // `renderOrTakePrefetched` sees the error and retries.
  drawn.catch(() => undefined)
  early = { what: named(address, changes), at: performance.now(), drawn }
}

/** Takes the prefetched page once, if it has the same changes; otherwise requests the page now. */
export async function renderOrTakePrefetched(
  address: string,
  changes: Changes,
  isUnasked: boolean,
): Promise<string> {
  const found = early
  early = null
  const isIt = found?.what === named(address, changes) && performance.now() - found.at < FRESH_MS
  try {
    if (isIt && found !== null) return await found.drawn
  } catch {
    // The request below reports the error.
  }
  return renderPreview(address, changes, isUnasked)
}
