// Web addresses as people write them: without the beginning that nobody says aloud.

/** A host with a name and an ending, then perhaps a port, a path and the rest. */
const HOST = /^(?:[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?\.)+\p{L}{2,}(?::\d+)?(?:[/?#]\S*)?$/u

/** The address with `https://` before it when only that is missing; anything else as it is. */
export function normaliseUrl(text: string): string {
  const written = text.trim()
  // `www.` and a single word is a beginning, not an address.
  const isBare = HOST.test(written) && !/^www\.[^.]+$/i.test(written)
  return isBare ? `https://${written}` : text
}
