const LOCAL_BYTES_MAX = 64
const BYTES_MAX = 254
const LABEL = String.raw`(?!-)[\p{Alphabetic}\p{N}-]*[\p{Alphabetic}\p{N}]`
const ADDRESS = new RegExp(
  String.raw`^(?!\.)([^\s\p{Cc}<>()[\],;:\\"@]+)(?<!\.)@(?:${LABEL}\.)+(?!\d+$|.$)${LABEL}$`,
  'u',
)

/** The rule of the server, `is_email_address` in `src/content/validation.rs`. */
export function isEmailAddress(text: string): boolean {
  const local = ADDRESS.exec(text)?.[1]
  return local !== undefined && bytesOf(local) <= LOCAL_BYTES_MAX && bytesOf(text) <= BYTES_MAX
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}
