// Types of the data that the renderer passes to pages. Item types are derived from the generated
// table of collections.

import type { kinds, settings } from '../kinds/kinds.gen'
import type { Picture } from '../lib/picture'
import type { Words } from './content/blocks'
import type { SocialProfile } from './social-profiles'

export type { Picture } from '../lib/picture'

type Kinds = typeof kinds
export type Kind = keyof Kinds
type Fields<K extends Kind> = Kinds[K]['fields']

type ValueOf<Field> = Field extends { type: 'integer' | 'count' }
  ? number
  : Field extends { type: 'boolean' }
    ? boolean
    : Field extends { type: 'choice'; words: readonly (infer Word)[] }
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
        /** Headings of the text, each with its id in the HTML. */
        readonly contentSections: readonly Section[]
        readonly contentWords: number
      }
    : unknown

/** A published item of a collection. */
export type Item<K extends Kind> = PublicFields<K> &
  Understood<K> & {
    readonly id: string
    readonly createdAt: string
    readonly updatedAt: string
  } & (Kinds[K] extends { picture: true } ? { readonly image: Picture | null } : unknown)

export type Section = { readonly id: string; readonly text: string }

/** Dates of an event, when its free text could be parsed. */
export type Schedule = {
  readonly start: string
  readonly end: string | null
  readonly allDay: boolean
  /** Further dates of a repeated event, in order. */
  readonly others: readonly { readonly start: string; readonly end: string | null }[]
}

type SettingNames = keyof typeof settings

/** Settings of the site as the practitioner filled them in. */
export type Settings = {
  readonly [Name in SettingNames]:
    | ((typeof settings)[Name]['field'] extends { type: 'picture' } ? Picture : string)
    | null
}

/** Items that a read returned, and whether the list continues after them. */
export type Found<K extends Kind> = { readonly items: readonly Item<K>[]; readonly more: boolean }

/** Input of a page from the server: the site data and the results of the page's `reads`. */
export type Input = {
  readonly site: SiteData
  readonly path: string
  /** Page number in a paginated list, from 1. */
  readonly number: number
  readonly reads: Readonly<Record<string, Found<never>>>
  /** Data for a single visitor; only the pages behind personal links read it. */
  readonly given?: unknown
  /** Set in an export for a static host, which accepts no forms and counts no visits. */
  readonly isStatic?: true
}

/** A query of a page for items. The server re-renders the page only when the result changes. */
export type Read = {
  readonly name: string
  readonly of: Kind
  /** Fields that the page shows; all when absent. */
  readonly fields?: readonly string[]
  /** Events only. `upcoming`: the last day is not over. `past`: the others, latest first. */
  readonly when?: 'upcoming' | 'past'
} & (
  | {
      /** The item of the page's path; nothing when `when` does not match it. */
      readonly how: 'each'
    }
  | { readonly how: 'first'; readonly count: number }
  | {
      readonly how: 'parts'
      /** Number of items on the first page, when it differs from `size`. */
      readonly first?: number
      readonly size: number
      /** Path of every page but the first, with `{n}` for the page number. */
      readonly rest: string
      /** The pages exist only while the list is longer than this. */
      readonly over?: number
    }
  /**
   * Items that follow the page's own item in the list; first those with the same value in the field
   * `by`.
   */
  | { readonly how: 'near'; readonly count: number; readonly by: string }
  /** Items that follow the page's own item among those that match `when`. */
  | { readonly how: 'after'; readonly count: number }
  /** Items before and after the page's own item in the list. */
  | { readonly how: 'beside' }
)

/** Returns the result of the read `name`. */
export function found<K extends Kind>({ reads }: Input, name: string, _of: K): Found<K> {
  return reads[name] ?? { items: [], more: false }
}

/** Data that every page reads, for its head, header and footer. */
export type SiteData = {
  readonly publicUrl: string
  readonly demo: boolean
  readonly countsVisits: boolean
  /** Whether copies of the site are stored outside this machine. */
  readonly copiesElsewhere: boolean
  /** Part of the visitor's address in the server's access log; null while it logs no requests. */
  readonly requestLog: 'shortened' | 'full' | null
  /** Whether a visible testimonial was requested through a personal link. */
  readonly showsAsked: boolean
  /** Whether the settings or blocks show an uploaded photograph; placeholder art is muted then. */
  readonly photographed: boolean
  /** The practitioner's line above every page, on the days that she chose. */
  readonly banner?: string
  /** Further social profiles; absent without any. */
  readonly profiles?: readonly SocialProfile[]
  readonly settings: Settings
  /** Content blocks of the page; the browser gets them without those of the head. */
  readonly words: Words
}

/** Returns the site data of the input; a static host counts no visits. */
export function siteOf({ site, isStatic }: Input): SiteData {
  return isStatic ? { ...site, countsVisits: false } : site
}

type WithoutEmpty<T, Name extends keyof T> = Omit<T, Name> & {
  readonly [Key in Name]?: NonNullable<T[Key]>
}

/** Copies an item without those of the named fields that are empty. */
export function withoutEmpty<T, Name extends keyof T>(
  item: T,
  ...names: readonly Name[]
): WithoutEmpty<T, Name> {
  const empty = names.filter((name) => item[name] === null)
  return without(item, ...empty) as WithoutEmpty<T, Name>
}

/** Copies an item without the named fields, which would only enlarge the page data. */
export function without<T, Name extends keyof T>(
  item: T,
  ...names: readonly Name[]
): Omit<T, Name> {
  const copy = { ...item }
  for (const name of names) delete copy[name]
  return copy
}
