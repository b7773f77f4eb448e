// What a block of words is made of. The type of its value and of what components get follow from
// the definition; the binary reads the same definitions as JSON.

import type { IconNode } from 'lucide'
import type { Picture } from '../../lib/picture'
import type { TextSetting } from '../settings'
import type { IconName } from './icons'

export type SettingName = TextSetting

/** A piece of a text: typed words, or an object that stands for something kept elsewhere. */
export type Part =
  | string
  | { readonly setting: SettingName }
  /** The price of an offer, by the id of its entry. */
  | { readonly price: string }
  /** The day on which she last changed the block; these words until then. */
  | { readonly changed: string }
  /** The first whose settings are all known; nothing when there is none. */
  | { readonly either: readonly (readonly Part[])[] }

/** Words as they are kept. */
export type Text = string | { readonly text: readonly Part[] }

/** An address, or the setting that holds it. */
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

/** A block's value as it is kept. */
export type ValueOf<Fs> = {
  readonly [Name in Exclude<keyof Fs, OptionalNames<Fs>>]: Kept<Fs[Name]>
} & { readonly [Name in OptionalNames<Fs>]?: Kept<Fs[Name]> | null }

/** Rich text, read. */
export type Inline<Leaf = string> =
  | Leaf
  | { readonly b: readonly Inline<Leaf>[] }
  | { readonly i: readonly Inline<Leaf>[] }
  | { readonly a: string; readonly of: readonly Inline<Leaf>[] }
  | { readonly br: true }
/** Points of lists hold blocks again. */
export type Block<Leaf = string> =
  | { readonly p: readonly Inline<Leaf>[] }
  | { readonly ul: readonly (readonly Block<Leaf>[])[] }
  | { readonly ol: readonly (readonly Block<Leaf>[])[]; readonly start?: number }

/** An amount with its sign, and the number to reckon with. */
export type ShownAmount = Amount & { readonly text: string }

/** A picture of hers, or none: then the page draws its own. `alt` is never shown beside a drawing. */
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
                  ? readonly (ShownOf<Inner> & { readonly id: string })[]
                  : never

/** A block as components get it. */
export type ShownOf<Fs> = { readonly [Name in keyof Fs]: Seen<Fs[Name]> }

export type BlockDefinition = {
  readonly id: string
  /** Italian. */
  readonly label: string
  /** Paths of the pages that show it; `*` for all, `{id}` and `{slug}` for every one of a kind. */
  readonly pages: readonly string[]
  readonly fields: Fields
  readonly value: object
  /** Whether pages live without it. */
  readonly hideable: boolean
  /** Of what speaks of her life or of others, the fields whose words she has to find true. */
  readonly toConfirm: readonly string[]
  /** Whether somebody else is quoted: that they agreed is asked whatever it says. */
  readonly quotes: boolean
}

type Options<Hideable extends boolean, Name> = {
  readonly hideable: Hideable
  readonly toConfirm?: readonly Name[]
  readonly quotes?: boolean
}

/** One block: the only place that says what it holds. */
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

/** Several sentences that stand together. */
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

/** What nobody has set is drawn by the page itself. */
export function picture(label: string) {
  return { type: 'picture', label, required: false } as const
}

export function choice<const Choices extends readonly string[]>(label: string, choices: Choices) {
  return { type: 'choice', label, required: true, choices } as const
}

/** One of the entries of a list of another block: `block:list`. */
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

/** The same field, which may be empty. */
export function optional<const F extends Field>(
  field: F,
): Omit<F, 'required'> & { readonly required: false } {
  return { ...field, required: false }
}

/** A button or a link: its words, and under the same name with `Link` where it leads. */
export function button<const Name extends string>(name: Name, label: string) {
  return {
    [name]: line(label, 60),
    [`${name}Link`]: link(`${label}: dove porta`),
  } as {
    readonly [Key in Name]: ReturnType<typeof line>
  } & { readonly [Key in `${Name}Link`]: ReturnType<typeof link> }
}
