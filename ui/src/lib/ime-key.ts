// Tells keys of an input method from commands.

/** The key code that browsers send for each key that an input method handles. */
const IME_KEY_CODE = 229

/**
 * Whether a key belongs to an input method: a list of accents, a dead key, dictation. Safari sends the Enter or Escape
 * that ends a composition after `compositionend` (WebKit 165004), so that its key code alone tells.
 */
export function isImeKey({ isComposing, keyCode }: KeyboardEvent): boolean {
  return isComposing || keyCode === IME_KEY_CODE
}
