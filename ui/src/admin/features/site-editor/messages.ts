// Strings of the page editor.

import { fill } from '../../../lib/interpolate'
import { counted } from '../../../lib/plural'
import own from './messages.json'

export const wording = own

/** Returns the Italian word for numbers up to ten, capitalized with `begins`, else digits. */
export function numberWord(count: number, begins = false): string {
  const word = own.numberWords[count] ?? String(count)
  return begins ? word.charAt(0).toUpperCase() + word.slice(1) : word
}

export function changesText(count: number): string {
  const { none, one, many } = own.editor.changes
  return fill(counted(count, one, many, none), { number: numberWord(count, true) })
}

/** Joins names for a sentence: `Home, Chi Sono e Servizi`. */
export function listText(names: readonly string[]): string {
  if (names.length < 2) return names[0] ?? ''
  return `${names.slice(0, -1).join(', ')} e ${names.at(-1)}`
}
