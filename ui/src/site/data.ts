// What the renderer hands to the pages. The items' types follow from the generated table of kinds.

import type { kinds, settings } from '../kinds/kinds.gen'
import type { Picture } from '../lib/picture'

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
    ? { readonly contentHtml: string | null }
    : unknown

/** A published item of a kind. */
export type Item<K extends Kind> = PublicFields<K> &
  Understood<K> & {
    readonly id: string
    readonly createdAt: string
    readonly updatedAt: string
  } & (Kinds[K] extends { picture: true } ? { readonly image: Picture | null } : unknown)

/** When an event is, where its free text was understood. */
export type Schedule = {
  readonly start: string
  readonly end: string | null
  readonly allDay: boolean
}

type SettingNames = keyof typeof settings

/** The site's identity, as the practitioner filled it in. */
export type Settings = {
  readonly [Name in SettingNames]:
    | ((typeof settings)[Name]['field'] extends { type: 'picture' } ? Picture : string)
    | null
}

/** Everything published at one moment. */
export type Snapshot = SiteData & {
  readonly items: { readonly [K in Kind]: readonly Item<K>[] }
}

/** What every page reads, for its head, header and footer. */
export type SiteData = {
  readonly publicUrl: string
  readonly demo: boolean
  readonly settings: Settings
}

/** The part of a snapshot that every page reads. */
export function siteOf({ publicUrl, demo, settings }: SiteData): SiteData {
  return { publicUrl, demo, settings }
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
