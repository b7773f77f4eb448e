// What the renderer hands to the pages. The items' types follow from the generated table of kinds.

import type { kinds, settings } from '../kinds/kinds.gen'
import type { Picture } from '../lib/picture'
import type { Words } from './content'

export type { Picture } from '../lib/picture'

type Kinds = typeof kinds
export type Kind = keyof Kinds
type Fields<K extends Kind> = Kinds[K]['fields']

type ValueOf<Field> = Field extends { type: 'integer' }
  ? number
  : Field extends { type: 'boolean' }
    ? boolean
    : Field extends { words: readonly (infer Word)[] }
      ? Word
      : string

type Stated<Field> = Field extends { required: true } | { type: 'integer' | 'boolean' }
  ? ValueOf<Field>
  : ValueOf<Field> | null

type PublicFields<K extends Kind> = {
  readonly [Name in keyof Fields<K> as Fields<K>[Name] extends { audience: 'admin' }
    ? never
    : Name]: Stated<Fields<K>[Name]>
}

type Understood<K extends Kind> = K extends 'events'
  ? { readonly schedule: Schedule | null }
  : K extends 'blog'
    ? {
        readonly contentHtml: string | null
        /** Its headings, each with the id it has in the HTML. */
        readonly contentSections: readonly Section[]
        readonly contentWords: number
      }
    : unknown

/** A published item of a kind. */
export type Item<K extends Kind> = PublicFields<K> &
  Understood<K> & {
    readonly id: string
    readonly createdAt: string
    readonly updatedAt: string
  } & (Kinds[K] extends { picture: true } ? { readonly image: Picture | null } : unknown)

export type Section = { readonly id: string; readonly text: string }

/** When an event is, where its free text was understood. */
export type Schedule = {
  readonly start: string
  readonly end: string | null
  readonly allDay: boolean
  /** Every further time of a repeated event, in their order. */
  readonly others: readonly { readonly start: string; readonly end: string | null }[]
}

type SettingNames = keyof typeof settings

/** The site's identity, as the practitioner filled it in. */
export type Settings = {
  readonly [Name in SettingNames]:
    | ((typeof settings)[Name]['field'] extends { type: 'picture' } ? Picture : string)
    | null
}

/** The items that a page asked for, and whether the list goes on after them. */
export type Found<K extends Kind> = { readonly items: readonly Item<K>[]; readonly more: boolean }

/** What the binary gives a page: what every page reads, and what its own `reads` found. */
export type Input = {
  readonly site: SiteData
  readonly path: string
  /** For a page of a part of a list: which, from 1. */
  readonly number: number
  readonly reads: Readonly<Record<string, Found<never>>>
  /** What one reader alone gets to see; read by the pages of personal links. */
  readonly given?: unknown
  /** For a host of plain files, which takes nothing in and counts nobody. */
  readonly isStatic?: true
}

/** Something that a page reads. It is made anew when that changes, and only then. */
export type Read = {
  readonly name: string
  readonly of: Kind
  /** The fields that the page shows; all where absent. */
  readonly fields?: readonly string[]
  /** Of events: those whose day is not over, or the others, the latest first. */
  readonly when?: 'upcoming' | 'past'
} & (
  | {
      /** The page's own item; where `when` does not fit it, nothing. */
      readonly how: 'each'
    }
  | { readonly how: 'first'; readonly count: number }
  | {
      readonly how: 'parts'
      /** Items of the first part, where it holds others than the rest. */
      readonly first?: number
      readonly size: number
      /** The address of every part but the first. */
      readonly rest: string
      /** No page until the list is longer than this. */
      readonly over?: number
    }
  /** Those that follow the page's own item in its list, of the same word in a field first. */
  | { readonly how: 'near'; readonly count: number; readonly by: string }
  /** Those that follow the page's own item among the ones that `when` fits. */
  | { readonly how: 'after'; readonly count: number }
  /** The one before the page's own item in its list, and the one after. */
  | { readonly how: 'beside' }
)

/** What a read of this kind found. */
export function found<K extends Kind>({ reads }: Input, name: string, _of: K): Found<K> {
  return reads[name] ?? { items: [], more: false }
}

/** What every page reads, for its head, header and footer. */
export type SiteData = {
  readonly publicUrl: string
  readonly demo: boolean
  readonly countsVisits: boolean
  /** Copies leave the machine. */
  readonly copiesElsewhere: boolean
  /** Whether a testimonial that visitors see was asked for by a personal link. */
  readonly showsAsked: boolean
  /** She has given the site photographs of her own: what is still drawn keeps quiet. */
  readonly photographed: boolean
  readonly settings: Settings
  /** The blocks that the page shows; the heads' own are left out in browsers. */
  readonly words: Words
}

/** What every page reads. */
export function siteOf({ site, isStatic }: Input): SiteData {
  return isStatic ? { ...site, countsVisits: false } : site
}

/** An item without the fields that only its own page shows: a list would carry them for nothing. */
export function without<T, Name extends keyof T>(
  item: T,
  ...names: readonly Name[]
): Omit<T, Name> {
  const copy = { ...item }
  for (const name of names) delete copy[name]
  return copy
}
