// The words of the area, and how a number or a name gets into them.
import own from './wording.json'

export const wording = own

type Parts = Readonly<Record<string, string | number>>

/** `{n}` and its like replaced by what they stand for. */
export function fill(text: string, parts: Parts): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(parts[name] ?? whole))
}

/** Up to ten a word, as one writes it; with a capital where it begins a sentence. */
export function numberWord(count: number, begins = false): string {
  const word = own.numberWords[count] ?? String(count)
  return begins ? word.charAt(0).toUpperCase() + word.slice(1) : word
}

export function changesText(count: number): string {
  const { none, one, many } = own.editor.changes
  if (count === 0) return none
  return count === 1 ? one : fill(many, { number: numberWord(count, true) })
}

/** `Home, Chi Sono e Servizi`. */
export function listText(names: readonly string[]): string {
  if (names.length < 2) return names[0] ?? ''
  return `${names.slice(0, -1).join(', ')} e ${names.at(-1)}`
}
