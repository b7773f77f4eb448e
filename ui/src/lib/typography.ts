// Italian typography by one rule, for whatever a page shows.
//
// Spaces that do not break go into running text alone: a label is a line of its own.

const runningMin = 60

const noBreak = '\u00a0'

/** A word that is copied letter by letter. */
const address = /@|:\/\//

function curved(text: string): string {
  return text
    .replace(/(\p{L})'(?=[\p{L}\d])/gu, '$1’')
    .replace(/(?<!\p{L})(po|mo|be|va|fa|da|di|sta)'(?!\p{L})/giu, '$1’')
}

/** A space before a unit, or after a word of one letter. It looks for the space first: engines that interpret are slow at the rest. */
const bound =
  / (?:(?<=\d )(?=(?:€|%|km|m|kg|CHF|h|min|minuti|ore)(?![\p{L}\d]))|(?<=\s[aeoièAEOIÈ] )(?=\p{L}))/gu

export function typeset(text: string): string {
  const set = text.includes("'") ? apart(text) : text
  const marked = set.replaceAll('P. IVA', `P.${noBreak}IVA`)
  return marked.length < runningMin ? marked : marked.replace(bound, noBreak)
}

/** Curves what is no address. */
function apart(text: string): string {
  if (!address.test(text)) return curved(text)
  return text.replace(/\S+/g, (word) => (address.test(word) ? word : curved(word)))
}

const plainElements = /^(code|pre|kbd|samp|script|style)$/i

/** The texts between the tags of HTML that the program made; code stays as it was typed. */
export function typesetHtml(html: string): string {
  let plain = 0
  return html.replace(/<(\/?)(\w+)[^>]*>|[^<]+/g, (part, closes: string, name?: string) => {
    if (name === undefined) return plain > 0 ? part : typeset(part)
    if (plainElements.test(name)) plain += closes ? -1 : 1
    return part
  })
}

export function isPlain(element: string): boolean {
  return plainElements.test(element) || element === 'textarea'
}
