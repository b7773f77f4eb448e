const LABEL = String.raw`(?!-)[\p{Alphabetic}\p{N}-]*[\p{Alphabetic}\p{N}]`
const ADDRESS = new RegExp(
  String.raw`^(?!\.)[^\s\p{Cc}<>()[\],;:\\"@]{1,64}(?<!\.)@(?:${LABEL}\.)+(?!\d+$|.$)${LABEL}$`,
  'u',
)

/** The rule of the server, `is_email_address` in `src/content/validation.rs`. */
export function isEmailAddress(text: string): boolean {
  return text.length < 255 && ADDRESS.test(text)
}
