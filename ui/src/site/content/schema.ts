// The schema of content blocks. The types of stored values and of what components get follow from
// the definitions; the server reads the same definitions as JSON.

import type { IconNode } from 'lucide'
import type { Picture } from '../../lib/picture'
import type { TextSetting } from '../settings'
import type { IconName } from './icons'

export type SettingName = TextSetting

/** A piece of a text: typed text, or a reference to a value stored elsewhere. */
export type Part =
  | string
  | { readonly setting: SettingName }
  /** Price of an offer, by the id of its entry. */
  | { readonly price: string }
  /** Date on which the practitioner last changed the block; the text in `changed` until then. */
  | { readonly changed: string }
  /** The first alternative whose references are all known; '' when there is none. */
  | { readonly either: readonly (readonly Part[])[] }

/** A text as stored. */
export type Text = string | { readonly text: readonly Part[] }

/** A link target, or the setting that holds it. */
export type Link = string | { readonly setting: SettingName }

export type Amount = { readonly cents: number; readonly currency: 'EUR' | 'CHF' }

export type PictureValue = {
  readonly path: string
  readonly alt: string | null
  readonly decorative: boolean
  readonly focusX: number
  readonly focusY: number
}

export type Field =
  | ({ readonly type: 'line' | 'paragraphs' | 'richText'; readonly max: number } & Common)
  | ({ readonly type: 'integer'; readonly min: number; readonly max: number } & Common)
  | ({ readonly type: 'amount' | 'year' | 'link' | 'picture' } & Common)
  | ({ readonly type: 'choice'; readonly choices: readonly string[] } & Common)
  /** An entry of another list, by its id. */
  | ({ readonly type: 'entry'; readonly of: string } & Common)
  | ({
      readonly type: 'list'
      readonly min: number
      readonly max: number
      readonly fields: Fields
    } & Common)

type Common = { readonly label: string; readonly required: boolean }
export type Fields = { readonly [name: string]: Field }

type Kept<F> = F extends { type: 'line' | 'paragraphs' | 'richText' }
  ? Text
  : F extends { type: 'integer' | 'year' }
    ? number
    : F extends { type: 'amount' }
      ? Amount
      : F extends { type: 'link' }
        ? Link
        : F extends { type: 'picture' }
          ? PictureValue
          : F extends { type: 'choice'; choices: readonly (infer Choice)[] }
            ? Choice
            : F extends { type: 'entry' }
              ? string
              : F extends { type: 'list'; fields: infer Inner }
                ? readonly (ValueOf<Inner> & { readonly id?: string })[]
                : never

type OptionalNames<Fs> = {
  [Name in keyof Fs]: Fs[Name] extends { required: false } ? Name : never
}[keyof Fs]

/** The value of a block as stored. */
export type ValueOf<Fs> = {
  readonly [Name in Exclude<keyof Fs, OptionalNames<Fs>>]: Kept<Fs[Name]>
} & { readonly [Name in OptionalNames<Fs>]?: Kept<Fs[Name]> | null }

/** Parsed rich text. */
export type Inline<Leaf = string> =
  | Leaf
  | { readonly b: readonly Inline<Leaf>[] }
  | { readonly i: readonly Inline<Leaf>[] }
  | { readonly a: string; readonly of: readonly Inline<Leaf>[] }
  | { readonly br: true }
/** List items contain blocks again. */
export type Block<Leaf = string> =
  | { readonly p: readonly Inline<Leaf>[] }
  | { readonly ul: readonly (readonly Block<Leaf>[])[] }
  | { readonly ol: readonly (readonly Block<Leaf>[])[]; readonly start?: number }

/** An amount with its formatted text. */
export type ShownAmount = Amount & { readonly text: string }

/**
 * An uploaded picture; null when the page shows a drawing instead. `alt` is the source marker of
 * the field, which is empty outside the editor.
 */
export type ShownPicture = { readonly picture: Picture | null; readonly alt: string }

type Seen<F> = F extends { type: 'line' | 'link' | 'entry' }
  ? string
  : F extends { type: 'paragraphs' }
    ? readonly string[]
    : F extends { type: 'richText' }
      ? readonly Block[]
      : F extends { type: 'integer' | 'year' }
        ? number
        : F extends { type: 'amount' }
          ? ShownAmount
          : F extends { type: 'picture' }
            ? ShownPicture
            : F extends { choices: readonly IconName[] }
              ? IconNode
              : F extends { type: 'choice'; choices: readonly (infer Choice)[] }
                ? Choice
                : F extends { type: 'list'; fields: infer Inner }
                  ? readonly (ViewOf<Inner> & { readonly id: string })[]
                  : never

/** The value of a block as components get it. */
export type ViewOf<Fs> = { readonly [Name in keyof Fs]: Seen<Fs[Name]> }

export type BlockDefinition = {
  readonly id: string
  /** Italian. */
  readonly label: string
  /**
   * Paths of the pages that show the block; `*` for all, `{id}` and `{slug}` for the page of every
   * item.
   */
  readonly pages: readonly string[]
  readonly fields: Fields
  readonly value: object
  /** Whether the practitioner can hide the block. */
  readonly hideable: boolean
  /** Fields with statements about the practitioner or others that she has to confirm as true. */
  readonly toConfirm: readonly string[]
  /**
   * Whether the block quotes another person, whose consent has to be confirmed whatever the text.
   */
  readonly quotes: boolean
}

type Options<Hideable extends boolean, Name> = {
  readonly hideable: Hideable
  readonly toConfirm?: readonly Name[]
  readonly quotes?: boolean
}

/** Defines a block. */
export function block<
  const Id extends string,
  const Fs extends Fields,
  Hideable extends boolean = false,
>(
  id: Id,
  label: string,
  pages: readonly string[],
  fields: Fs,
  value: ValueOf<Fs>,
  options?: Options<Hideable, keyof Fs & string>,
) {
  return {
    id,
    label,
    pages,
    fields,
    value,
    hideable: (options?.hideable ?? false) as Hideable,
    toConfirm: options?.toConfirm ?? [],
    quotes: options?.quotes ?? false,
  }
}

export function line<const Max extends number = 120>(label: string, max?: Max) {
  return { type: 'line', label, required: true, max: max ?? 120 } as const
}

export function paragraphs(label: string, max = 4000) {
  return { type: 'paragraphs', label, required: true, max } as const
}

/** A line of several sentences. */
export function sentences(label: string, max = 600) {
  return { type: 'line', label, required: true, max } as const
}

export function richText(label: string, max = 6000) {
  return { type: 'richText', label, required: true, max } as const
}

export function amount(label: string) {
  return { type: 'amount', label, required: true } as const
}

export function integer(label: string, min: number, max: number) {
  return { type: 'integer', label, required: true, min, max } as const
}

export function link(label: string) {
  return { type: 'link', label, required: true } as const
}

/** An optional picture: without it the page shows a drawing. */
export function picture(label: string) {
  return { type: 'picture', label, required: false } as const
}

export function choice<const Choices extends readonly string[]>(label: string, choices: Choices) {
  return { type: 'choice', label, required: true, choices } as const
}

/** An entry of a list in another block; `of` is `block:list`. */
export function entry(label: string, of: string) {
  return { type: 'entry', label, required: true, of } as const
}

export function list<const Fs extends Fields>(
  label: string,
  fields: Fs,
  { min = 0, max = 24 }: { readonly min?: number; readonly max?: number } = {},
) {
  return { type: 'list', label, required: true, min, max, fields } as const
}

/** Makes a field optional. */
export function optional<const F extends Field>(
  field: F,
): Omit<F, 'required'> & { readonly required: false } {
  return { ...field, required: false }
}

/**
 * A button or link: its label under `name`, its target under the same name with `Link` appended.
 */
export function button<const Name extends string>(name: Name, label: string) {
  return {
    [name]: line(label, 60),
    [`${name}Link`]: link(`${label}: dove porta`),
  } as {
    readonly [Key in Name]: ReturnType<typeof line>
  } & { readonly [Key in `${Name}Link`]: ReturnType<typeof link> }
}
