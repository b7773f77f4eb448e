// Web addresses: completes those that are typed without a scheme, and tells which the server accepts.

/** A host with a top-level domain, then an optional port and path, query or fragment. */
const HOST = /^(?:[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?\.)+\p{L}{2,}(?::\d+)?(?:[/?#]\S*)?$/u

/** Prepends `https://` if only the scheme is missing; returns any other text unchanged. */
export function normaliseUrl(text: string): string {
  const written = text.trim()
  // `www.` and one label is an unfinished host.
  const isBare = HOST.test(written) && !/^www\.[^.]+$/i.test(written)
  return isBare ? `https://${written}` : text
}

/** The rule of the server, `is_web_address` in `src/content/validation.rs`. */
export function isWebAddress(text: string): boolean {
  const [, host = ''] = /^https?:\/\/([^/?#]*)/.exec(text) ?? []
  return /^[^@:][^@]*$/.test(host) && !/[\s<>"\\]/.test(text)
}
