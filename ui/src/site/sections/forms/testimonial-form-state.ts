// What the program gives to the page of a personal link, and what the page keeps on the device.

export type Written = {
  readonly name: string
  readonly profession: string
  readonly rating: string
  readonly text: string
}

export type Fault =
  | 'name'
  | 'nameLong'
  | 'professionLong'
  | 'stars'
  | 'body'
  | 'bodyLong'
  | 'link'
  | 'consent'

export type Trouble = 'limit' | 'server' | 'network'

/** The form, to be filled in or to be mended. */
export type Given = {
  readonly activity: string
  /** The last day of the link, in words. */
  readonly until: string
  readonly consent: {
    readonly box: string
    readonly declaration: string
    readonly elsewhere: string
    /** Says which text was agreed to. */
    readonly key: string
  }
  readonly longest: { readonly name: number; readonly profession: number; readonly text: number }
  readonly values: Written
  /** Whether the box was ticked, for this very text. */
  readonly agreed: boolean
  readonly faults: readonly Fault[]
  readonly trouble: Trouble | null
  readonly minutes: number | null
}

/** What a script is answered: another screen, or the form with what is wrong. */
export type Sent =
  | ({ readonly screen: '/testimonianza/write' } & Given)
  | { readonly screen: '/testimonianza/thanks'; readonly name: string }
  | { readonly screen: string }

const fieldOf: Readonly<Record<Fault, keyof Written | 'consent'>> = {
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

/** Faults by the field that they are about. */
export function faultsOf(field: FieldName, faults: readonly Fault[]): readonly Fault[] {
  return faults.filter((fault) => fieldOf[fault] === field)
}

export function fieldsWith(faults: readonly Fault[]): readonly FieldName[] {
  return [...new Set(faults.map((fault) => fieldOf[fault]))]
}

const prefix = 'respiro-testimonianza:'
const names = ['name', 'profession', 'rating', 'text'] as const

export type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The draft of one link; the end of its address tells it from others and opens nothing. */
export function draftKey(path: string): string {
  return prefix + path.slice(-8)
}

/** Whether there is something in it that somebody would miss. */
export function isEmpty(written: Written): boolean {
  return names.every((name) => written[name].trim() === '')
}

/** False when the browser keeps nothing. */
export function keepDraft(shelf: Shelf | null, path: string, written: Written): boolean {
  try {
    if (isEmpty(written)) shelf?.removeItem(draftKey(path))
    else shelf?.setItem(draftKey(path), JSON.stringify(written))
    return shelf !== null
  } catch {
    return false
  }
}

export function readDraft(shelf: Shelf | null, path: string): Written | null {
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

export function forgetDraft(shelf: Shelf | null, path: string): void {
  try {
    shelf?.removeItem(draftKey(path))
  } catch {
    // What keeps nothing has nothing to forget.
  }
}

/** The device's own memory; null where the browser refuses it. */
export function shelfOf(): Shelf | null {
  try {
    return localStorage
  } catch {
    return null
  }
}
