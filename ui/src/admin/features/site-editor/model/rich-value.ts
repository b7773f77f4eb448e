// Texts that contain references to a setting, a price or a date. In the editor each one is a chip that
// the caret passes as one character; typed text never becomes a chip.
import { centsOf, currencyOf, formatAmount, SIGNS } from '../../../../lib/amount'
import { paragraphsIn } from '../../../../lib/paragraphs'
import type { Amount, Block, FieldValue } from '../api/content-api'
import { wording } from '../messages'
import { getIn, isList, isObjectValue } from './field-path'

const { amount: own } = wording

export type Part = string | { readonly [kind: string]: FieldValue }

/** What chips resolve to: settings by name, and blocks for their prices. */
export type ChipContext = {
  readonly settings: Readonly<Record<string, unknown>>
  readonly settingLabels: Readonly<Record<string, string>>
  readonly blocks: readonly Block[]
}

export function isText(word: FieldValue | undefined): boolean {
  return typeof word === 'string' || (isObjectValue(word) && isList(word.text))
}

/** Whether the text contains the date of the last change, which only the server knows. */
export function isDated(word: FieldValue | undefined): boolean {
  return (partsOfText(word) ?? []).some((part) => typeof part !== 'string' && 'changed' in part)
}

/** Null for a value that is no text. */
export function partsOfText(word: FieldValue | undefined): readonly Part[] | null {
  if (typeof word === 'string') return [word]
  if (!isObjectValue(word) || !isList(word.text)) return null
  return word.text.filter((part): part is Part => typeof part === 'string' || isObjectValue(part))
}

/** The paragraphs of a text with their chips; null for a value that is no text. */
export function paragraphsOf(word: FieldValue | undefined): readonly FieldValue[] | null {
  const parts = partsOfText(word)
  if (parts === null) return null
  const paragraphs: Part[][] = [[]]
  for (const part of parts) {
    const [first = part, ...others] = typeof part === 'string' ? paragraphsIn(part) : []
    paragraphs.at(-1)?.push(first)
    paragraphs.push(...others.map((other) => [other]))
  }
  return paragraphs.map(textOf)
}

/** Joins parts to a value: a plain string if no chips are left. */
export function textOf(parts: readonly Part[]): FieldValue {
  const joined: Part[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (typeof part === 'string' && typeof last === 'string')
      joined[joined.length - 1] = last + part
    else if (part !== '') joined.push(part)
  }
  if (joined.length === 0) return ''
  const [only] = joined
  return joined.length === 1 && typeof only === 'string' ? only : { text: joined }
}

/** The text as visitors see it. */
export function shownText(word: FieldValue | undefined, known: ChipContext): string {
  const parts = partsOfText(word)
  return parts === null ? '' : parts.map((part) => shownPart(part, known)).join('')
}

export function shownPart(part: Part, known: ChipContext): string {
  if (typeof part === 'string') return part
  if (typeof part.setting === 'string') {
    const value = known.settings[part.setting]
    return typeof value === 'string' && value !== ''
      ? value
      : `[${known.settingLabels[part.setting] ?? part.setting}]`
  }
  if (typeof part.changed === 'string') return part.changed
  if (typeof part.price === 'string') return priceOf(part.price, known.blocks)
  if (isList(part.either)) {
    const ways = part.either.filter(isList).map((way) => textOf(way as readonly Part[]))
    const fitting = ways.find((way) => settingsIn(way).every((name) => hasSetting(name, known)))
    return shownText(fitting ?? '', known)
  }
  return ''
}

function hasSetting(name: string, { settings }: ChipContext): boolean {
  return typeof settings[name] === 'string' && settings[name] !== ''
}

/** Names of the settings that a text refers to. */
export function settingsIn(word: FieldValue | undefined): readonly string[] {
  if (isList(word)) return word.flatMap(settingsIn)
  if (!isObjectValue(word)) return []
  if (typeof word.setting === 'string') return [word.setting]
  return Object.values(word).flatMap(settingsIn)
}

function priceOf(id: string, blocks: readonly Block[]): string {
  for (const block of blocks) {
    for (const list of Object.values(block.value).filter(isList)) {
      const entry = list.find((one) => isObjectValue(one) && one.id === id)
      const amount = entry === undefined ? undefined : getIn(entry, 'price')
      // An entry of the same id in another list may have its price as text.
      if (isObjectValue(amount) && 'cents' in amount) {
        return amount.cents === 0 ? own.free : amountText(amount)
      }
    }
  }
  return '€'
}

/** Formats an amount as the site does; the site shows a price of zero as free instead. */
export function amountText(word: FieldValue | undefined): string {
  if (!isObjectValue(word) || typeof word.cents !== 'number') return ''
  return formatAmount(word.cents, word.currency === 'CHF' ? 'CHF' : 'EUR')
}

const NUMBER =
  "(?:\\d{1,3}(?:[.'’\\s]\\d{3}(?!\\d))+|\\d+)(?:[.,]\\d{1,2})?(?![.,'’]?\\d)(?:[.,][-–]+)?"
const SHORT = 'S?Fr\\.?'
/** Matches `95 €`, `€ 95`, `95 euro`, `120.- Fr.`, `CHF 1'200`: the sign stands before or after the number. */
const AMOUNT = new RegExp(
  `(?<![\\p{L}\\d]|\\d[.,'’])(?:(${SIGNS}|${SHORT})\\s*(${NUMBER})|` +
    `(${NUMBER})\\s*(${SIGNS}|${SHORT})(?!\\p{L}))`,
  'giu',
)

/** An amount inside a text, with its spelling and position. */
export type Written = Amount & { readonly written: string; readonly index: number }

/** All amounts of a text, in order. */
export function amountsIn(text: string): readonly Written[] {
  return [...text.matchAll(AMOUNT)].flatMap((found): readonly Written[] => {
    const [written, before, after = '', number = after, sign = before] = found
    const cents = centsOf(number.replace(/[.,][-–]+$/, ''))
    const currency = currencyOf(sign ?? '')
    return cents === null ? [] : [{ written, index: found.index, cents, currency }]
  })
}

/**
 * Normalizes blanks and quotes, which typesetting replaces one for one; indices stay valid. A line end is no blank: it
 * separates paragraphs.
 */
const normalizeTypography = (text: string) => text.replace(/[’‘]/g, "'").replace(/[^\S\n]/g, ' ')

export function equalsTypeset(shown: string, typed: string): boolean {
  return normalizeTypography(shown) === normalizeTypography(typed)
}

/** Text typed on a typeset page; around the edit the blanks and quotes of `before` are restored. */
export function withoutTypesetting(shown: string, before: string): string {
  const [now, then] = [normalizeTypography(shown), normalizeTypography(before)]
  const most = Math.min(now.length, then.length)
  let start = 0
  while (start < most && now[start] === then[start]) start += 1
  let end = 0
  while (end < most - start && now.at(-1 - end) === then.at(-1 - end)) end += 1
  const typed = shown.slice(start, shown.length - end).replace(/\u00a0/g, ' ')
  return before.slice(0, start) + typed + before.slice(before.length - end)
}

/** Restores the blanks and quotes of `before` in a text that was typed on a typeset page. */
export function restoreTypography(value: FieldValue, before: FieldValue | undefined): FieldValue {
  const texts = (partsOfText(before) ?? []).filter((part) => typeof part === 'string')
  const restored = (part: Part) =>
    typeof part === 'string' ? withoutTypesetting(part, texts.shift() ?? '') : part
  return textOf((partsOfText(value) ?? []).map(restored))
}
