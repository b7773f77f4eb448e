// Checks whether the site contains what Italian law requires: a reminder, not legal advice.

import { fill } from '../../../../lib/interpolate'
import { dayText } from '../../../../lib/panel-date-format'
import type { Block, ObjectValue } from '../api/content-api'
import { wording } from '../messages'
import { flatten } from '../model/field-path'
import { type ChipContext, isText, partsOfText, shownText } from '../model/rich-value'

const { items } = wording.legal
const { legalMissingVat, legalMissing, legalLastChange } = wording.list
const PRIVACY = 'legal.privacy'
/** The law requires it on the home page; the footer is on every page. */
const FOOT = 'footer.legal'

export type LegalCheck = {
  readonly name: keyof typeof items
  readonly isThere: boolean
  /** Id of the block where it belongs; null: in the settings. */
  readonly block: string | null
}

type Asked = {
  readonly name: keyof typeof items
  readonly block: string
  /** All of them have to match. */
  readonly words: readonly RegExp[]
}

const ASKED: readonly Asked[] = [
  {
    name: 'law4',
    block: FOOT,
    words: [/legge\s+(14 gennaio 2013,?\s+)?n\.?\s*4\b|\b4\/2013/i],
  },
  { name: 'controller', block: PRIVACY, words: [/titolare/i] },
  {
    name: 'purposes',
    block: PRIVACY,
    words: [/finalit|perch[eé]|scopo|scopi\b/i, /base giuridica|consenso|interesse|contratt/i],
  },
  { name: 'retention', block: PRIVACY, words: [/conserv|per quanto tempo/i] },
  { name: 'rights', block: PRIVACY, words: [/diritt/i, /garante/i] },
  { name: 'withdrawal', block: 'legal.terms', words: [/recess|recedere/i, /14|quattordici/i] },
  { name: 'cookies', block: 'legal.cookies', words: [/preferenze/i] },
]

/** `blocks` contain the drafts. */
export function legalChecks(
  blocks: readonly Block[],
  draftIn: (block: Block) => ObjectValue,
  known: ChipContext,
): readonly LegalCheck[] {
  const text = (id: string) => {
    const block = blocks.find((one) => one.id === id)
    return block === undefined ? '' : wholeText(block, draftIn(block), known)
  }
  const has = (name: string) => {
    const value = known.settings[name]
    return typeof value === 'string' && value.trim() !== ''
  }
  const says = (said: string, name: string) =>
    has(name) && signsIn(said).includes(signsIn(String(known.settings[name])))
  // The rendered text counts, not the settings: a chip can be removed from the text.
  const isVatSaid = TAX_NUMBERS.some((name) => says(text(FOOT), name)) || VAT.test(text(FOOT))
  const isReachable =
    REACHED_BY.some((name) => says(text(PRIVACY), name)) || WAY.test(text(PRIVACY))
  const isKnown = REACHED_BY.some(has)
  return [
    { name: 'vat', isThere: isVatSaid, block: TAX_NUMBERS.some(has) ? FOOT : null },
    ...ASKED.map(({ name, block, words }): LegalCheck => {
      const isSaid = words.every((word) => word.test(text(block)))
      const isWhole = isSaid && (name !== 'controller' || isReachable)
      return { name, isThere: isWhole, block: isSaid && !isWhole && !isKnown ? null : block }
    }),
  ]
}

/** Without a VAT number the codice fiscale stands in its place. */
const TAX_NUMBERS = ['vatNumber', 'taxCode']
const REACHED_BY = ['email', 'phone', 'address']
/** An e-mail address or phone number typed into the text. */
const WAY = /[^\s@]+@[^\s@]+\.\p{L}{2,}|\+\d[\d\s./()-]{7,}/u
/** Italian or Swiss VAT number. */
const VAT = /\biva\b[^\d\n]{0,12}\d{11}\b|\bCHE[-\s]?\d{3}\.?\d{3}\.?\d{3}\b/i

/** Removes separators, so that groupings do not matter. */
function signsIn(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\d@]/gu, '')
}

/**
 * One line for a legal page: its first missing item, or the day of its last change. The privacy page reports the
 * items that are missing in the settings and the footer.
 */
export function legalNote(legal: Block, checks: readonly LegalCheck[]): string {
  const isOwn = ({ block }: LegalCheck) =>
    (block === null || block === FOOT ? PRIVACY : block) === legal.id
  const missing = checks.find((check) => !check.isThere && isOwn(check))
  if (missing?.name === 'vat') return legalMissingVat
  if (missing !== undefined) return fill(legalMissing, { what: items[missing.name] })
  const date = legal.changed ? dayText(legal.updatedAt ?? '') : dayOfProgram(legal)
  return date === '' ? '' : fill(legalLastChange, { date })
}

/** Day of the default text; used until the admin changes the page. */
function dayOfProgram({ fields, value }: Block): string {
  const parts = flatten(fields, value).flatMap(({ word }) => partsOfText(word) ?? [])
  const days = parts.flatMap((part) => (typeof part === 'string' ? [] : [part.changed]))
  return days.find((day) => typeof day === 'string') ?? ''
}

function wholeText(block: Block, value: ObjectValue, known: ChipContext): string {
  return flatten(block.fields, value)
    .filter(({ word }) => isText(word))
    .map(({ word }) => shownText(word, known))
    .join('\n')
}
