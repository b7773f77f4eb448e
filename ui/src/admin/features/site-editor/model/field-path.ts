// Field paths inside the value of a block: `offers[2].price`, as in the server's error responses.
import { moved } from '../../../../lib/reorder'
import { SETTING_NAMES, settingSpecs } from '../../../api/schema'
import type { Field, FieldValue, ObjectValue } from '../api/content-api'
import { stripMarkdown } from './strip-markdown'

type Step = string | number

export function parsePath(path: string): readonly Step[] {
  const found = path.match(/[^.[\]]+|\[\d+\]/g) ?? []
  return found.map((step) => (step.startsWith('[') ? Number(step.slice(1, -1)) : step))
}

export function formatPath(steps: readonly Step[]): string {
  return steps.reduce<string>((path, step) => {
    if (typeof step === 'number') return `${path}[${step}]`
    return path === '' ? step : `${path}.${step}`
  }, '')
}

/** Undefined for a path that does not exist. */
export function getIn(value: FieldValue, path: string): FieldValue | undefined {
  return parsePath(path).reduce<FieldValue | undefined>(stepInto, value)
}

export function stepInto(value: FieldValue | undefined, step: Step): FieldValue | undefined {
  if (typeof step === 'number') return Array.isArray(value) ? value[step] : undefined
  return isObjectValue(value) && Object.hasOwn(value, step) ? value[step] : undefined
}

/** A copy with `word` at `path`; a path through a missing entry changes nothing. */
export function setIn(value: ObjectValue, path: string, word: FieldValue): ObjectValue {
  return replaceAt(value, parsePath(path), word) as ObjectValue
}

function replaceAt(value: FieldValue, steps: readonly Step[], word: FieldValue): FieldValue {
  const [step, ...rest] = steps
  if (step === undefined) return word
  if (typeof step === 'number') {
    if (!isList(value) || step >= value.length) return value
    return value.map((one, index) => (index === step ? replaceAt(one, rest, word) : one))
  }
  if (!isObjectValue(value)) return value
  return { ...value, [step]: replaceAt(value[step] ?? null, rest, word) }
}

export function isObjectValue(value: FieldValue | undefined): value is ObjectValue {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isList(value: FieldValue | undefined): value is readonly FieldValue[] {
  return Array.isArray(value)
}

/** Deep equality of JSON values, regardless of key order. */
export function equal(one: FieldValue | undefined, other: FieldValue | undefined): boolean {
  if (one === other) return true
  if (isList(one) && isList(other)) {
    return one.length === other.length && one.every((word, index) => equal(word, other[index]))
  }
  if (!isObjectValue(one) || !isObjectValue(other)) return false
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every((name) => equal(one[name], other[name]))
}

/** The definition of the field at a path; undefined for an unknown path. */
export function fieldAt(fields: readonly Field[], path: string): Field | undefined {
  const names = parsePath(path).filter((step) => typeof step === 'string')
  let within: readonly Field[] = fields
  let field: Field | undefined
  for (const name of names) {
    field = within.find((one) => one.name === name)
    if (field === undefined) return undefined
    within = field.fields ?? []
  }
  return field
}

/** The path of the innermost entry that contains `path`; null outside of lists. */
export function entryOf(path: string): string | null {
  const end = path.lastIndexOf(']')
  return end < 0 ? null : path.slice(0, end + 1)
}

/** Splits the path of an entry into its list and its index. */
export function listOf(entry: string): { readonly list: string; readonly index: number } | null {
  const found = /^(.*)\[(\d+)\]$/.exec(entry)
  return found === null ? null : { list: found[1] ?? '', index: Number(found[2]) }
}

/** The default texts with the admin's pictures: resetting a text must not remove a picture. */
export function withPicturesOf(
  own: ObjectValue,
  fields: readonly Field[],
  original: ObjectValue,
): ObjectValue {
  const rest = fields.flatMap(({ name, type, fields: inside = [] }) => {
    const [word, hers] = [original[name], own[name]]
    if (type === 'picture') return hers === undefined ? [] : [[name, hers] as const]
    if (!isList(word) || !isList(hers)) return []
    const entries = word.map((entry) => {
      if (!isObjectValue(entry) || entry.id === undefined) return entry
      const twin = hers.find((one) => isObjectValue(one) && one.id === entry.id)
      return isObjectValue(twin) ? withPicturesOf(twin, inside, entry) : entry
    })
    return [[name, entries] as const]
  })
  return { ...original, ...Object.fromEntries(rest) }
}

/** A new entry: empty texts and no id, because the server assigns ids. */
export function emptyEntry(fields: readonly Field[]): ObjectValue {
  return Object.fromEntries(fields.map((field) => [field.name, emptyWord(field)]))
}

function emptyWord(field: Field): FieldValue {
  switch (field.type) {
    case 'amount':
      return { cents: 0, currency: 'EUR' }
    case 'integer':
      return field.min ?? 0
    case 'year':
      return new Date().getFullYear()
    case 'list':
      return Array.from({ length: field.min ?? 0 }, () => emptyEntry(field.fields ?? []))
    case 'choice':
      return choicesOf(field)[0]?.value ?? ''
    case 'picture':
      return null
    default:
      return ''
  }
}

/** A newly uploaded picture. The former alternative text does not describe it, so it starts empty. */
export function pictureOf(path: string): ObjectValue {
  return { path, alt: '', decorative: false, focusX: 50, focusY: 50 }
}

export function choicesOf(field: Field): readonly { value: string; label: string }[] {
  return (field.choices ?? []).map((one) =>
    typeof one === 'string' ? { value: one, label: one } : one,
  )
}

export function withEntry(
  value: ObjectValue,
  list: string,
  index: number,
  entry: FieldValue,
): ObjectValue {
  const entries = getIn(value, list)
  if (!isList(entries)) return value
  return setIn(value, list, [...entries.slice(0, index), entry, ...entries.slice(index)])
}

export function withoutEntry(value: ObjectValue, list: string, index: number): ObjectValue {
  const entries = getIn(value, list)
  if (!isList(entries)) return value
  return setIn(
    value,
    list,
    entries.filter((_, place) => place !== index),
  )
}

export function withMoved(value: ObjectValue, list: string, from: number, to: number): ObjectValue {
  const entries = getIn(value, list)
  return isList(entries) ? setIn(value, list, moved(entries, from, to)) : value
}

const TITLES = ['title', 'name']

/** The title of an entry, after the year of a milestone; otherwise the first text that is not blank. */
export function entryTitle(
  entry: FieldValue | undefined,
  fields: readonly Field[],
  fallback: string,
): string {
  if (!isObjectValue(entry)) return fallback
  const texts = fields
    .filter(({ type }) => type === 'line' || type === 'paragraphs' || type === 'richText')
    .flatMap(({ name, type }) => {
      const text = namedText(entry[name])
      const word = type === 'richText' ? stripMarkdown(text).replace(/^\s*• /, '') : text
      return word.trim() === '' ? [] : [{ name, word }]
    })
  const titled = texts.find(({ name }) => TITLES.includes(name))
  const year = titled && texts.find(({ name }) => name === 'year')
  const [{ word } = { word: fallback }] = titled === undefined ? texts : [titled]
  return startOf(year === undefined ? word : `${year.word}, ${word}`)
}

/** Cache of names by list; values are immutable, so it needs no invalidation. */
const toldApart = new WeakMap<readonly FieldValue[], readonly string[]>()

/** The title of each entry, numbered if it is not unique; the list's label and a number without a title. */
export function entryNames(
  entries: readonly FieldValue[],
  { label, fields = [] }: Pick<Field, 'label' | 'fields'>,
): readonly string[] {
  const kept = toldApart.get(entries)
  if (kept !== undefined) return kept
  const naming = fields.filter(({ name }) => name === 'year' || TITLES.includes(name))
  const titles = entries.map((entry) => entryTitle(entry, naming, ''))
  const names = titles.map((title, index) => {
    const isOnly = titles.filter((other) => other === title).length === 1
    return title !== '' && isOnly ? title : `${title || label} ${index + 1}`
  })
  toldApart.set(entries, names)
  return names
}

/** A setting in a title is named by its label: the line of a telephone number is 'Telefono'. */
function namedText(word: FieldValue | undefined): string {
  if (typeof word === 'string') return word
  if (isList(word)) return word.map(namedText).join('')
  if (!isObjectValue(word)) return ''
  if (isList(word.either)) return namedText(word.either[0])
  const setting = SETTING_NAMES.find((name) => name === word.setting)
  return setting === undefined ? namedText(word.text) : settingSpecs[setting].field.label
}

const START_MAX = 80

/** Shortens a text to a name, because screen readers read names in full. */
export function startOf(text: string): string {
  const letters = [...text.replace(/\s+/g, ' ').trim()]
  return letters.length > START_MAX ? `${letters.slice(0, START_MAX).join('')}…` : letters.join('')
}

export type LeafField = { readonly path: string; readonly field: Field; readonly word: FieldValue }

/** All fields of a value with their paths, in the order of the form. */
export function flatten(
  fields: readonly Field[],
  value: ObjectValue,
  before = '',
): readonly LeafField[] {
  return fields.flatMap((field) => {
    const path = before === '' ? field.name : `${before}.${field.name}`
    const word = value[field.name] ?? null
    if (field.type !== 'list') return [{ path, field, word }]
    if (!isList(word)) return []
    return word.flatMap((entry, index) =>
      isObjectValue(entry)
        ? flatten(field.fields ?? [], entry, `${path}[${index}]`)
        : [{ path: `${path}[${index}]`, field, word: entry }],
    )
  })
}

/** The DOM id of a field in the form. */
export function fieldId(block: string, path: string): string {
  return `w-${block}-${path.replace(/\[(\d+)\]\.?/g, '-$1-').replaceAll('.', '-')}`
}
