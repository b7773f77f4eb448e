// Italian typography by one rule, for whatever a page shows.
//
// Spaces that do not break go into running text alone: a label is a line of its own.

const runningMin = 60

const noBreak = '\u00a0'

export function typeset(text: string): string {
  const marked = text
    .replace(/(\p{L})'(?=[\p{L}\d])/gu, '$1’')
    .replace(/(?<!\p{L})(po|mo|be|va|fa|da|di|sta)'(?!\p{L})/giu, '$1’')
    .replace(/P\. IVA/g, `P.${noBreak}IVA`)
  if (marked.length < runningMin) return marked
  return marked
    .replace(/(\d) (€|%|km|kg|CHF|h)(?![\p{L}\d])/gu, `$1${noBreak}$2`)
    .replace(/(?<=\s)([aeoiè]) (?=\p{L})/giu, `$1${noBreak}`)
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
