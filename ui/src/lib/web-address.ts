// Completes URLs that are typed without a scheme.

/** A host with a top-level domain, then an optional port and path, query or fragment. */
const HOST = /^(?:[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?\.)+\p{L}{2,}(?::\d+)?(?:[/?#]\S*)?$/u

/** Prepends `https://` if only the scheme is missing; returns any other text unchanged. */
export function normaliseUrl(text: string): string {
  const written = text.trim()
  // `www.` and one label is an unfinished host.
  const isBare = HOST.test(written) && !/^www\.[^.]+$/i.test(written)
  return isBare ? `https://${written}` : text
}
