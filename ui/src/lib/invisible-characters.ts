/** Soft hyphens and zero-width characters. Inside a word they hid it from the search and from the lint. */
export const UNSEEN = /[\u00ad\u200b-\u200d\u2060\ufeff]/g

/** Zero-width and bidirectional characters and noncharacters: the set that the server removes. */
const REMOVED = /[\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\p{NChar}]/u
const JOINER = '\u200d'
const PICTOGRAPH = /(?:[\u2190-\u2bff]|\ufe0f|[\u{1f000}-\u{1faff}])$/u

/** Removes invisible characters. The joiner stays between pictographs, which it combines to one emoji. */
export function visibleText(text: string): string {
  if (!REMOVED.test(text)) return text
  const signs = [...text]
  return signs.reduce((clean, sign, index) => {
    const joins =
      sign === JOINER && PICTOGRAPH.test(clean) && PICTOGRAPH.test(signs[index + 1] ?? '')
    return joins || !REMOVED.test(sign) ? clean + sign : clean
  }, '')
}
