// The data that the server sends to the page of a personal link, and the draft that the page stores
// on the device.

export type Written = {
  readonly name: string
  readonly profession: string
  readonly rating: string
  readonly text: string
}

export type FieldFault =
  | 'name'
  | 'nameLong'
  | 'professionLong'
  | 'stars'
  | 'body'
  | 'bodyLong'
  | 'link'
  | 'consent'

export type SubmitFailure = 'limit' | 'server' | 'network'

/** Data of the form, empty or with faults to correct. */
export type FormState = {
  readonly activity: string
  /** The last day on which the link is valid, as text. */
  readonly until: string
  readonly consent: {
    readonly box: string
    readonly declaration: string
    readonly elsewhere: string
    /** Identifies the consent text that was agreed to. */
    readonly key: string
  }
  readonly longest: { readonly name: number; readonly profession: number; readonly text: number }
  readonly values: Written
  /** Whether the box was ticked for this version of the consent text. */
  readonly agreed: boolean
  readonly faults: readonly FieldFault[]
  readonly trouble: SubmitFailure | null
  readonly minutes: number | null
}

/** The response to a script: another screen, or the form with its faults. */
export type Sent =
  | ({ readonly screen: '/testimonianza/write' } & FormState)
  | { readonly screen: '/testimonianza/thanks'; readonly name: string }
  | { readonly screen: string }

export const fieldOf: Readonly<Record<FieldFault, keyof Written | 'consent'>> = {
  name: 'name',
  nameLong: 'name',
  professionLong: 'profession',
  stars: 'rating',
  body: 'text',
  bodyLong: 'text',
  link: 'text',
  consent: 'consent',
}

export type FieldName = keyof Written | 'consent'

/** Returns the faults of a field. */
export function faultsOf(field: FieldName, faults: readonly FieldFault[]): readonly FieldFault[] {
  return faults.filter((fault) => fieldOf[fault] === field)
}

export function fieldsWith(faults: readonly FieldFault[]): readonly FieldName[] {
  return [...new Set(faults.map((fault) => fieldOf[fault]))]
}

const prefix = 'respiro-testimonianza:'
const names = ['name', 'profession', 'rating', 'text'] as const

export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Storage key of a link's draft. The end of the path identifies the link and grants no access. */
export function draftKey(path: string): string {
  return prefix + path.slice(-8)
}

/** Whether all fields are empty. */
export function isEmpty(written: Written): boolean {
  return names.every((name) => written[name].trim() === '')
}

/** Stores the draft; false when the browser refuses storage. */
export function keepDraft(shelf: DraftStorage | null, path: string, written: Written): boolean {
  try {
    if (isEmpty(written)) shelf?.removeItem(draftKey(path))
    else shelf?.setItem(draftKey(path), JSON.stringify(written))
    return shelf !== null
  } catch {
    return false
  }
}

export function readDraft(shelf: DraftStorage | null, path: string): Written | null {
  try {
    const kept: unknown = JSON.parse(shelf?.getItem(draftKey(path)) ?? 'null')
    if (typeof kept !== 'object' || kept === null) return null
    const text = (name: string) => {
      const value = (kept as Record<string, unknown>)[name]
      return typeof value === 'string' ? value : ''
    }
    const written = {
      name: text('name'),
      profession: text('profession'),
      rating: text('rating'),
      text: text('text'),
    }
    return isEmpty(written) ? null : written
  } catch {
    return null
  }
}

export function forgetDraft(shelf: DraftStorage | null, path: string): void {
  try {
    shelf?.removeItem(draftKey(path))
  } catch {
    // Without storage there is no draft.
  }
}

/** Returns `localStorage`; null when the browser refuses it. */
export function getLocalStorage(): DraftStorage | null {
  try {
    return localStorage
  } catch {
    return null
  }
}
