// Formats the value of any field as readable text.

import { fill } from '../../../../lib/interpolate'
import type { Field, FieldValue, ImageValue } from '../api/content-api'
import { wording } from '../messages'
import { choiceLabel, entryName, titleOfEntry } from './choice-labels'
import { isList, isObjectValue } from './field-path'
import { unreadIn } from './invalid-amounts'
import { amountText, type ChipContext, shownText } from './rich-value'

export function formatValue(
  word: FieldValue | undefined,
  known: ChipContext,
  field?: Field,
): string {
  if (word === null || word === undefined) return ''
  if (field?.type === 'choice' && typeof word === 'string') return choiceLabel(word)
  if (field?.type === 'entry') return entryName(field, word, known.blocks)
  if (typeof word !== 'object') return String(word)
  if (isList(word)) return word.map((entry) => formatValue(entry, known, field)).join('\n')
  if ('cents' in word) return unreadIn(word) ?? amountText(word)
  const picture = pictureIn(word)
  if (picture !== null) return pictureText(picture)
  if ('text' in word && isList(word.text)) return shownText(word, known)
  if (typeof word.setting === 'string') return shownText({ text: [word] }, known)
  const first = () => formatValue(firstOf(word), known)
  if (field?.type !== 'list') return first()
  return titleOfEntry(word, field.fields ?? [], first(), known.blocks)
}

export function pictureIn(word: FieldValue | undefined): ImageValue | null {
  return isObjectValue(word) && 'focusX' in word ? (word as unknown as ImageValue) : null
}

/** The description of a picture; its path says nothing to a reader. */
function pictureText({ alt, decorative, focusX, focusY }: ImageValue): string {
  const { altMissing, decorative: isDecorative, point } = wording.picture
  const said = decorative ? isDecorative : alt || altMissing
  if (focusX === 50 && focusY === 50) return said
  return `${said}\n${fill(point, { x: focusX, y: focusY })}`
}

function firstOf(entry: { readonly [name: string]: FieldValue }): FieldValue {
  const [first] = Object.entries(entry).filter(([name, word]) => name !== 'id' && word !== '')
  const { title = first?.[1] ?? '' } = entry
  return title
}
