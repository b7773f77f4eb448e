// Typed access to the generated tables of collections and settings; no code per collection.
import { kinds, settings } from '../../kinds/kinds.gen'
import { readPrice } from '../../lib/amount'
import { isEmailAddress } from '../../lib/email-address'
import { visibleText } from '../../lib/invisible-characters'
import { lengthProblem } from '../../lib/text-length'
import { completeWebAddress, isWebAddress } from '../../lib/web-address'
import type { PublishSchedule } from './schedule'

export type Kind = keyof typeof kinds
export type FieldName<K extends Kind> = keyof (typeof kinds)[K]['fields']
export type SettingName = keyof typeof settings

export type FieldType =
  | { readonly type: 'line' | 'lines' | 'markdown'; readonly max: number }
  | { readonly type: 'url' | 'email' | 'phone' | 'price' | 'slug' | 'picture' }
  | { readonly type: 'choice'; readonly words: readonly string[] }
  /** A word of the list, or another short text that the admin writes. */
  | { readonly type: 'openChoice'; readonly words: readonly string[]; readonly max: number }
  | {
      readonly type: 'integer'
      readonly min: number
      readonly max: number
      readonly default: number
    }
  /** An optional whole number from 0. */
  | { readonly type: 'count'; readonly max: number }
  | { readonly type: 'boolean'; readonly default: boolean }

export type FieldSpec = FieldType & {
  readonly label: string
  readonly required: boolean
  readonly audience: 'everyone' | 'detail' | 'admin'
}

export type KindSpec = {
  readonly bornPublished: boolean
  readonly picture: boolean
  /** Sorted by date, not by hand. */
  readonly dated: boolean
  /** Set when each item has a page. */
  readonly page: { readonly prefix: string; readonly key: string } | null
  readonly fields: Readonly<Record<string, FieldSpec>>
}

export type SettingSpec = {
  readonly group: SettingGroup
  readonly askedAtStart: boolean
  readonly default: string | null
  readonly field: FieldSpec
}

export type SettingGroup = (typeof settings)[SettingName]['group']

export const kindSpecs: Readonly<Record<Kind, KindSpec>> = kinds
export const settingSpecs: Readonly<Record<SettingName, SettingSpec>> = settings

export const SETTING_NAMES = Object.keys(settingSpecs).filter(
  (name): name is SettingName => name in settingSpecs,
)

export type Picture = {
  readonly url: string
  readonly width: number
  readonly height: number
  readonly placeholder: string
  readonly widths: readonly number[]
  readonly focusX: number
  readonly focusY: number
  readonly bytes: { readonly original: number; readonly served: number }
}

export type Value = string | number | boolean | null

/** An item of any collection: common fields, and those of its collection. */
export type Item = {
  readonly id: string
  readonly published: boolean
  readonly sortOrder: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly image?: Picture | null
  /** Scheduled publishing; in lists of collections with pages. */
  readonly plan?: PublishSchedule | null
  readonly [field: string]: Value | Picture | PublishSchedule | undefined
}

/** Form values by field name. */
export type Values = Readonly<Record<string, Value>>

export function fieldOf(item: Item, name: string): Value {
  const value = item[name]
  return typeof value === 'object' || value === undefined ? null : value
}

export function textOf(item: Item, name: string): string {
  const value = item[name]
  return typeof value === 'string' ? value : ''
}

/** Display name of an item. */
export function titleOf(item: Item, untitled: string): string {
  return [textOf(item, 'title'), textOf(item, 'name'), untitled].find((text) => text !== '') ?? ''
}

/** Initial value of a field in a new form. */
export function initialValue(field: FieldSpec): Value {
  if (field.type === 'integer' || field.type === 'boolean') return field.default
  return field.type === 'choice' || field.type === 'openChoice' ? null : ''
}

/** Form values of an item, or of a new one for null. */
export function formValues(kind: Kind, item: Item | null): Values {
  const spec = kindSpecs[kind]
  const own = Object.entries(spec.fields).map(([name, field]) => {
    const value = item === null ? initialValue(field) : (fieldOf(item, name) ?? initialValue(field))
    return [name, value] as const
  })
  const published = item?.published ?? spec.bornPublished
  const dated = spec.dated ? { createdAt: item?.createdAt ?? '' } : {}
  const order = item === null ? {} : { sortOrder: item.sortOrder }
  return { ...Object.fromEntries(own), ...dated, ...order, published }
}

/** Path of an item's public page; null when its collection has no pages. */
export function pagePath(kind: Kind, item: Item): string | null {
  const page = kindSpecs[kind].page
  return page === null ? null : page.prefix + textOf(item, page.key)
}

/** Client-side validation messages, by field name. */
export function problemsOf(
  kind: Kind,
  values: Values,
  words: ProblemWords,
): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [name, field] of Object.entries(kindSpecs[kind].fields)) {
    const problem = problemOf(field, values[name] ?? null, words)
    if (problem !== null) found[name] = problem
  }
  return found
}

export type ProblemWords = {
  count: string
  required: string
  url: string
  email: string
  price: string
  slug: string
}

export function problemOf(field: FieldSpec, value: Value, words: ProblemWords): string | null {
  if (field.type === 'count') return isCount(value, field.max) ? null : words.count
  const text = typeof value === 'string' ? visibleText(value).trim() : ''
  if (field.required && text === '' && typeof value !== 'number') return words.required
  if (text === '') return null
  if ('max' in field && typeof field.max === 'number' && field.type !== 'integer') {
    const tooLong = lengthProblem(text, field.max)
    if (tooLong !== null) return tooLong
  }
  if (field.type === 'url' && !isWebAddress(completeWebAddress(text))) return words.url
  if (field.type === 'email' && !isEmailAddress(text)) return words.email
  if (field.type === 'price' && readPrice(text) === null) return words.price
  if (field.type === 'slug' && !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(text)) return words.slug
  return null
}

/** Input that is no number stays text in the form, so that it can be corrected. */
function isCount(value: Value, max: number): boolean {
  return value === null || value === '' || (typeof value === 'number' && value <= max)
}

/** Request body: trimmed texts, completed URLs, empty texts as null. */
export function bodyOf(
  values: Values,
  fields: Readonly<Record<string, FieldSpec>>,
): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (typeof value !== 'string') return [name, value]
      const text =
        fields[name]?.type === 'url' ? completeWebAddress(visibleText(value)).trim() : value.trim()
      return [name, text === '' ? null : text]
    }),
  )
}

/** The input of a field in a form. */
export type FieldWords = {
  /** Replaces the name from the field table. */
  label?: string
  placeholder?: string
  help?: string
  /** Width of the field in a row of a wide screen. */
  size?: 'half' | 'third'
  /** Offers to try the telephone number as visitors will use it. */
  tries?: 'call' | 'message'
}

export type FieldWording = FieldWords & { label: string }
