// A text with something kept elsewhere in it: a setting, a price. In the editor each is a chip that is
// moved over as one character; what she types never becomes one.
import { paragraphsIn } from '../../../../lib/paragraphs'
import type { Amount, Block, FieldValue } from '../api/content-api'
import { wording } from '../messages'
import { equal, getIn, isList, isObjectValue } from './field-path'
import { sanitizeText, visibleText } from './sanitize-text'

const { amount: own } = wording

export type Part = string | { readonly [kind: string]: FieldValue }

/** What chips show: the settings by name, and the blocks for their prices. */
export type ChipContext = {
  readonly settings: Readonly<Record<string, unknown>>
  readonly settingLabels: Readonly<Record<string, string>>
  readonly blocks: readonly Block[]
}

export function isText(word: FieldValue | undefined): boolean {
  return typeof word === 'string' || (isObjectValue(word) && isList(word.text))
}

/** It names the day of the last change, which the server alone knows. */
export function isDated(word: FieldValue | undefined): boolean {
  return (partsOfText(word) ?? []).some((part) => typeof part !== 'string' && 'changed' in part)
}

/** Null for what is no text. */
export function partsOfText(word: FieldValue | undefined): readonly Part[] | null {
  if (typeof word === 'string') return [word]
  if (!isObjectValue(word) || !isList(word.text)) return null
  return word.text.filter((part): part is Part => typeof part === 'string' || isObjectValue(part))
}

/** Of several paragraphs each; chips stay in theirs. Null for what is no text. */
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

/** With another text in the place of one of its paragraphs. */
export function withParagraph(
  word: FieldValue | undefined,
  index: number,
  other: FieldValue,
): FieldValue {
  const all = (paragraphsOf(word) ?? []).map((one, place) => (place === index ? other : one))
  return textOf(
    all.flatMap((one, place): readonly Part[] => [
      ...(place === 0 ? [] : ['\n\n']),
      ...(partsOfText(one) ?? []),
    ]),
  )
}

/** The plain form where nothing is left but typed words. */
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

/** As a reader would see it. */
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

/** The names of the settings that a text stands on. */
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
      // A card of the same name may say a price in words.
      if (isObjectValue(amount) && 'cents' in amount) {
        return amount.cents === 0 ? own.free : amountText(amount)
      }
    }
  }
  return '€'
}

/** As the site shows it, but for what costs nothing. */
export function amountText(word: FieldValue | undefined): string {
  if (!isObjectValue(word) || typeof word.cents !== 'number') return ''
  const whole = Math.trunc(word.cents / 100)
  const cents = Math.abs(word.cents % 100)
  const grouped = String(whole).replace(/\B(?=(\d{3})+$)/g, '.')
  const number = cents === 0 ? grouped : `${grouped},${String(cents).padStart(2, '0')}`
  return `${number}\u00a0${word.currency === 'CHF' ? 'CHF' : '€'}`
}

/** `95`, `95,50`, `1.200`, and as the Swiss write it `1'200`: null for what is no amount. */
export function centsOf(number: string): number | null {
  const bare = number.trim().replace(/(?<=\d)[.'’\s](?=\d{3}(\D|$))/g, '')
  const found = /^(-?)(\d{1,7})(?:[.,](\d{1,2}))?$/.exec(bare)
  if (found === null) return null
  const [, sign, whole = '0', rest = ''] = found
  const cents = Number(whole) * 100 + Number(rest.padEnd(2, '0'))
  return sign === '-' ? -cents : cents
}

export type Currency = 'EUR' | 'CHF'

function currencyOf(sign: string): Currency {
  return /^(?:€|eur)/i.test(sign) ? 'EUR' : 'CHF'
}

const SIGNS = '€|EUR|euro|CHF|franchi'
const SIGN = `(${SIGNS}|S?Fr\\.?)?`
const TYPED = new RegExp(`^${SIGN} ?(-?\\d[\\d.,'’ ]*?)(?:[.,][-–]+)? ?${SIGN}$`, 'iu')

const FREE = /^(?:gratis|gratuit[oaie])$/i

/**
 * What is typed as a price: `95`, `95,50 €`, `CHF 1'200`, `120.- Fr.`; its currency is null where no
 * sign says one. Null for what is no amount, or of a currency that the site does not know.
 */
export function typedAmount(text: string): { cents: number; currency: Currency | null } | null {
  if (FREE.test(text.trim())) return { cents: 0, currency: null }
  const found = TYPED.exec(text.replace(/\s+/g, ' ').trim())
  const cents = centsOf(found?.[2] ?? '')
  const [currency = null, other = currency] = [found?.[1], found?.[3]].flatMap((sign) =>
    sign === undefined ? [] : [currencyOf(sign)],
  )
  return cents === null || other !== currency ? null : { cents, currency }
}

const NUMBER = "\\d+(?:[.'’]\\d{3}(?!\\d))*(?:[.,]\\d{1,2})?(?![.,'’]?\\d)"
/** `95 €`, `€ 95`, `95 euro`, `CHF 1'200`: with a sign before the number or after it. */
const AMOUNT = new RegExp(
  `(?<![\\p{L}\\d]|\\d[.,'’])(?:(${SIGNS})\\s*(${NUMBER})|` +
    `(${NUMBER})\\s*(${SIGNS})(?!\\p{L}))`,
  'giu',
)

/** An amount within words, as it is written there. */
export type Written = Amount & { readonly written: string; readonly index: number }

/** Every amount of a text, in its order. */
export function amountsIn(text: string): readonly Written[] {
  return [...text.matchAll(AMOUNT)].flatMap((found): readonly Written[] => {
    const [written, before, after = '', number = after, sign = before] = found
    const cents = centsOf(number)
    const currency = currencyOf(sign ?? '')
    return cents === null ? [] : [{ written, index: found.index, cents, currency }]
  })
}

/** Typesetting puts other blanks and quotes in the place of those that were typed, one for one. */
const plain = (text: string) => text.replace(/[’‘]/g, "'").replace(/\s/g, ' ')

export function equalsTypeset(shown: string, typed: string): boolean {
  return plain(shown) === plain(typed)
}

/** What she made of `before` on a typeset page: around what she typed, her own blanks and quotes. */
export function withoutTypesetting(shown: string, before: string): string {
  const [now, then] = [plain(shown), plain(before)]
  const most = Math.min(now.length, then.length)
  let start = 0
  while (start < most && now[start] === then[start]) start += 1
  let end = 0
  while (end < most - start && now.at(-1 - end) === then.at(-1 - end)) end += 1
  const typed = shown.slice(start, shown.length - end).replace(/\u00a0/g, ' ')
  return before.slice(0, start) + typed + before.slice(before.length - end)
}

export const CHIP = 'data-words-chip'

/** The text as nodes to type between; chips are of one piece. */
export function toDomNodes(doc: Document, word: FieldValue, known: ChipContext): readonly Node[] {
  return (partsOfText(word) ?? []).map((part) => {
    if (typeof part === 'string') return doc.createTextNode(part)
    const chip = doc.createElement('span')
    chip.setAttribute(CHIP, JSON.stringify(part))
    chip.setAttribute('contenteditable', 'false')
    chip.textContent = shownPart(part, known)
    return chip
  })
}

/**
 * A text alone is written into the one that stands there: another node in its place has rules that look at
 * what an element holds (`:empty`, `:has()`) worked out anew around it, with every letter of the sheet.
 */
export function patchDom(element: Element, nodes: readonly Node[]): void {
  const [next] = nodes
  const standing = element.firstChild
  const isText = (node: Node | null | undefined) => node?.nodeType === Node.TEXT_NODE
  const isOne = nodes.length === 1 && element.childNodes.length === 1
  if (isOne && isText(next) && isText(standing) && next?.nodeValue !== '') {
    if (standing !== null) standing.nodeValue = next?.nodeValue ?? ''
  } else element.replaceChildren(...nodes)
}

/** What stands in an element that was typed in; chips that were not there are words. */
export function fromDom(element: Element, before: FieldValue | undefined): FieldValue {
  const had = partsOfText(before) ?? []
  const parts = [...element.childNodes].map((node): Part => {
    // By its number: an element of the frame is none of this window's classes.
    const chip = node.nodeType === Node.ELEMENT_NODE ? chipOf(node as Element) : null
    const isKnown = chip !== null && had.some((part) => equal(part as FieldValue, chip))
    return isKnown ? (chip as Part) : visibleText(sanitizeText(node.textContent ?? '', false))
  })
  const texts = had.filter((part) => typeof part === 'string')
  const joined = partsOfText(textOf(parts)) ?? []
  return textOf(
    joined.map((part) =>
      typeof part === 'string' ? withoutTypesetting(part, texts.shift() ?? '') : part,
    ),
  )
}

function chipOf(element: Element): FieldValue | null {
  try {
    return JSON.parse(element.getAttribute(CHIP) ?? 'null') as FieldValue
  } catch {
    return null
  }
}
