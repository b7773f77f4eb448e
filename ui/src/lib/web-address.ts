// Web addresses: completes those that are typed without a scheme, and tells which the server accepts. The rules are
// those of `src/content/validation.rs`; `tests/data/web-addresses.json` compares them.

const SIGN = String.raw`[\p{Alphabetic}\d]`
/** A host with a top-level domain, then an optional port and path, query or fragment. */
const HOST = new RegExp(
  String.raw`^(?:${SIGN}(?:[\p{Alphabetic}\d-]*${SIGN})?\.)+\p{Alphabetic}{2,}(?::\d+)?(?:[/?#]\S*)?$`,
  'u',
)
/** `www.` and one label is an unfinished host. */
const UNFINISHED = /^www\.[^./?#:]+(?:[:/?#]|$)/i

/** Prepends `https://` if only the scheme is missing; returns any other text unchanged. */
export function completeWebAddress(text: string): string {
  const written = text.trim()
  return HOST.test(written) && !UNFINISHED.test(written) ? `https://${written}` : text
}

export function isWebAddress(text: string): boolean {
  const [, name = '', port = ''] = /^https?:\/\/([^/?#:@]+)(?::(\d*))?(?:[/?#]|$)/i.exec(text) ?? []
  return name !== '' && Number(port) <= 65_535 && !/[\s<>"\\]/.test(text)
}
