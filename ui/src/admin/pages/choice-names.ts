// What icons, colours and conditions are called; the site knows them by names of its own.
import { wording } from './wording'

const NAMES: Readonly<Record<string, string>> = {
  ...wording.appearance.icons,
  ...wording.appearance.colors,
  ...wording.appearance.when,
}

/** Its own name where it has no other. */
export function choiceName(value: string, label = value): string {
  return Object.hasOwn(NAMES, value) ? (NAMES[value] ?? label) : label
}
