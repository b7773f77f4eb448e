/** Soft hyphens and zero-width characters. Inside a word they hid it from the search and from the lint. */
export const UNSEEN = /[\u00ad\u200b-\u200d\u2060\ufeff]/g

/** Zero-width, bidirectional and tag characters and noncharacters: the set that the server removes. */
const REMOVED =
  /[\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}\p{NChar}]/u
/** A character, or a flag: letters in tag characters after it name its region (UTS 51). */
const SIGNS = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}|./gsu
const JOINER = '\u200d'
const STARTS_AS_PICTOGRAPH = /^(?:[\u2190-\u2bff]|\ufe0f|[\u{1f000}-\u{1faff}])/u
const ENDS_AS_PICTOGRAPH = /(?:[\u2190-\u2bff]|\ufe0f|[\u{1f000}-\u{1faff}])$/u

/**
 * Removes invisible characters. The joiner stays between pictographs, which it combines to one emoji, and tag
 * characters stay in a flag.
 */
export function visibleText(text: string): string {
  if (!REMOVED.test(text)) return text
  const signs = text.match(SIGNS) ?? []
  return signs.reduce((clean, sign, index) => {
    const isFlag = sign.length > 2
    const joins =
      sign === JOINER &&
      ENDS_AS_PICTOGRAPH.test(clean) &&
      STARTS_AS_PICTOGRAPH.test(signs[index + 1] ?? '')
    return joins || isFlag || !REMOVED.test(sign) ? clean + sign : clean
  }, '')
}
