// Parses the free text of an event into days, times, lists, headings and paragraphs.

export type ProgrammePart =
  | { readonly kind: 'heading' | 'day' | 'text'; readonly text: string }
  | { readonly kind: 'hours'; readonly rows: readonly HourRow[] }
  | { readonly kind: 'list'; readonly items: readonly string[] }

export type HourRow = { readonly hour: string; readonly text: string }

const dayLine =
  /^(?:(?:(?:lune|marte|mercole|giove|vener)d(?:ì|i['’]?)|sabato|domenica)(?: (?:mattina|pomeriggio|sera))?(?:,? \d{1,2}(?:°|º)?(?: [a-zà]+)?(?: \d{4})?)?|(?:primo|secondo|terzo|quarto|quinto) giorno|giorno \d{1,2})\s*:?$/i

const hour = '(?:(?:[01]?\\d|2[0-3])[:.][0-5]\\d|24[:.]00)'
/**
 * Matches what follows the number in `12.50 € il pranzo` and `12.50-15.00 euro`: a price, not a
 * time.
 */
const price = '\\s*(?:[-–]\\s*[\\d.,:]+\\s*)?(?:€|(?:euro|eur|chf)(?![a-z]))'

/** Matches `10:00 Accoglienza`, `9.30 – Silenzio`, `ore 20:30 Pratica`, `10:00-12:00 Respiro`. */
const hourLine = new RegExp(
  `^(?:(?:dalle )?ore )?(${hour}(?:\\s?[-–]\\s?${hour})?)(?!${price})(?:\\s*[-–:]\\s*|\\s+)(\\S.*)$`,
  'i',
)

/**
 * Matches `- Una coperta`, `• Una coperta` and `-Una coperta`. A star needs a space: `*su prenotazione` is a
 * footnote. A hyphen before a digit is a sign.
 */
const listLine = /^(?:[-–—•·]\s*(?=\p{L}|["«“(])|[-–—•·*]\s+)(\S.*)$/u

export type LinesPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }

/** Parses a short description: consecutive list lines become a list, all other lines stay as typed. */
export function parseLines(text: string): readonly LinesPart[] {
  const parts: LinesPart[] = []
  for (const line of text.split('\n')) {
    const last = parts.at(-1)
    const item = listLine.exec(line.trim())?.[1]
    if (item === undefined) {
      if (last?.kind === 'text')
        parts.splice(-1, 1, { kind: 'text', text: `${last.text}\n${line}` })
      else if (line.trim() !== '') parts.push({ kind: 'text', text: line })
    } else if (last?.kind === 'list')
      parts.splice(-1, 1, { kind: 'list', items: [...last.items, item] })
    else parts.push({ kind: 'list', items: [item] })
  }
  return parts.map((part) =>
    part.kind === 'text' ? { kind: 'text', text: part.text.trimEnd() } : part,
  )
}

/** Common headings; a line that consists of one of them is a heading. */
const headings: ReadonlySet<string> = new Set([
  'programma',
  'che cosa portare',
  'cosa portare',
  'per chi',
  'costi',
  'come arrivare',
  'dove si dorme',
  'se non puoi venire',
])

/**
 * Returns the parts in order. No text is lost: unrecognised lines become text and keep their line
 * breaks.
 */
export function parseProgramme(content: string): readonly ProgrammePart[] {
  const parts: ProgrammePart[] = []
  let isNewParagraph = true
  for (const line of content.split('\n').map((raw) => raw.trim())) {
    if (line !== '') add(parts, line, isNewParagraph)
    isNewParagraph = line === ''
  }
  return parts
}

function add(parts: ProgrammePart[], line: string, isNewParagraph: boolean) {
  const last = parts.at(-1)
  const item = listLine.exec(line)?.[1]
  // Times are a list of their own, with or without hyphens.
  const hour = hourLine.exec(item ?? line)
  const heading = line.replace(/\s*:$/, '')
  if (hour) {
    const row = { hour: hour[1] ?? '', text: hour[2] ?? '' }
    if (last?.kind === 'hours') parts.splice(-1, 1, { kind: 'hours', rows: [...last.rows, row] })
    else parts.push({ kind: 'hours', rows: [row] })
  } else if (item !== undefined) {
    if (last?.kind === 'list') parts.splice(-1, 1, { kind: 'list', items: [...last.items, item] })
    else parts.push({ kind: 'list', items: [item] })
  } else if (dayLine.test(line)) parts.push({ kind: 'day', text: heading })
  else if (headings.has(heading.toLowerCase())) parts.push({ kind: 'heading', text: heading })
  else if (last?.kind === 'text' && !isNewParagraph)
    parts.splice(-1, 1, { kind: 'text', text: `${last.text}\n${line}` })
  else parts.push({ kind: 'text', text: line })
}
