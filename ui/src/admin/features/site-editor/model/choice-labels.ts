// Labels for values that are ids: icons, colours, conditions and entries of other lists.

import type { Choice } from '../../../ui/fields/choice-field'
import type { Block, Field, FieldValue } from '../api/content-api'
import { wording } from '../messages'
import { idOf } from './draft-diff'
import { entryTitle, getIn, isList, isObjectValue } from './field-path'

const { appearance: own } = wording
const NAMES: Readonly<Record<string, string>> = {
  ...own.icons,
  ...own.colors,
  ...own.scrims,
  ...own.when,
  ...own.compare,
  ...own.drawings,
  ...own.countries,
}

/** A value without a translation gets `label`, or itself. */
export function choiceLabel(value: string, label = value): string {
  return Object.hasOwn(NAMES, value) ? (NAMES[value] ?? label) : label
}

/** Published entries only: a new one gets its id when it is published. */
function entriesOf({ of = '' }: Field, blocks: readonly Block[]): readonly Choice[] {
  const [id, path = ''] = of.split(':')
  const block = blocks.find((one) => one.id === id)
  const entries = block === undefined ? undefined : getIn(block.value, path)
  const fields = block?.fields.find(({ name }) => name === path)?.fields ?? []
  return (isList(entries) ? entries : []).flatMap((entry) => {
    const value = idOf(entry)
    return value === null ? [] : [{ value, label: entryTitle(entry, fields, value) }]
  })
}

/** All entries; an empty or deleted current value is added as the first choice. */
export function entryChoices(
  field: Field,
  word: FieldValue,
  blocks: readonly Block[],
): readonly Choice[] {
  const all = entriesOf(field, blocks)
  const value = typeof word === 'string' ? word : ''
  if (all.some((one) => one.value === value)) return all
  return [{ value, label: value === '' ? own.chooseEntry : own.entryGone }, ...all]
}

export function entryName(field: Field, word: FieldValue, blocks: readonly Block[]): string {
  const label = entriesOf(field, blocks).find(({ value }) => value === word)?.label
  return label ?? (word === '' ? '' : own.entryGone)
}

/** For an entry that refers to another one, the title of that other entry. */
export function titleOfEntry(
  entry: FieldValue | undefined,
  fields: readonly Field[],
  fallback: string,
  blocks: readonly Block[],
): string {
  const named = fields.find(({ type }) => type === 'entry')
  if (named === undefined || !isObjectValue(entry)) return entryTitle(entry, fields, fallback)
  return entryName(named, entry[named.name] ?? '', blocks) || fallback
}
