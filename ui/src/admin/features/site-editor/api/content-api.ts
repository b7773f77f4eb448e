// The blocks of words as the server hands them out, and the calls that read and write them.
import { call, callText, callVersioned } from '../../../api/client'
import { useSiteStatus } from '../../../api/site-status'

export type FieldType =
  | 'line'
  | 'paragraphs'
  | 'richText'
  | 'amount'
  | 'integer'
  | 'year'
  | 'link'
  | 'picture'
  | 'choice'
  | 'entry'
  | 'list'

export type Field = {
  readonly name: string
  readonly label: string
  readonly type: FieldType
  readonly required?: boolean
  /** Characters of a text, entries of a list, the size of a number. */
  readonly max?: number
  readonly min?: number
  readonly choices?: readonly (string | { readonly value: string; readonly label: string })[]
  /** Where the entries are that it is one of, by their ids: `block:list`. */
  readonly of?: string
  /** Of each entry of a list. */
  readonly fields?: readonly Field[]
}

/** What a field holds, as JSON: a text, a number, an entry, a list of them. */
export type FieldValue =
  | string
  | number
  | boolean
  | null
  | readonly FieldValue[]
  | { readonly [name: string]: FieldValue }

export type ObjectValue = { readonly [name: string]: FieldValue }

export type Amount = { readonly cents: number; readonly currency: string }

export type ImageValue = {
  readonly path: string
  readonly alt: string
  readonly decorative: boolean
  readonly focusX: number
  readonly focusY: number
}

export type Block = {
  readonly id: string
  readonly label: string
  /** `/servizi`, `*`, `/evento/{id}`, `/blog/{slug}` */
  readonly pages: readonly string[]
  readonly fields: readonly Field[]
  readonly value: ObjectValue
  readonly default: ObjectValue
  readonly changed: boolean
  /** The default is another since she wrote her own. */
  readonly defaultChanged?: boolean
  readonly hideable: boolean
  readonly hidden: boolean
  readonly toConfirm: boolean
  /** The names of the fields whose words she is asked about: whether they are true. */
  readonly asked: readonly string[]
  /** How many things it says that she is asked about; while it is open, those left to answer. */
  readonly statements: number
  readonly confirmed: boolean
  readonly updatedAt: string | null
  readonly version: string
}

export type Version = {
  readonly version: string
  readonly value: ObjectValue | null
  readonly hidden: boolean
  readonly savedAt: string
  readonly account: string | null
}

/** What is sent of a block; a value of null goes back to the default. */
export type BlockChange = {
  readonly value?: ObjectValue | null
  readonly hidden?: boolean
  readonly confirmed?: boolean
}

const ROOT = '/api/admin/words'

export async function readBlocks(): Promise<readonly Block[]> {
  return (await call<{ blocks: readonly Block[] }>('GET', ROOT)).blocks
}

export type Changes = Readonly<Record<string, BlockChange & { readonly version: string }>>

export type WriteResult = {
  readonly blocks: readonly Block[]
  /** How many pages of the site show something new. */
  readonly pages: number
  readonly milliseconds: number
}

/** All or nothing; each change names the version that it was written over. */
export async function writeBlocks(changes: Changes): Promise<readonly Block[]> {
  return (await timedWrite(changes)).blocks
}

/** As `writeBlocks`, with what it took. */
export async function timedWrite(changes: Changes): Promise<WriteResult> {
  const { answer, milliseconds } = await callVersioned<Omit<WriteResult, 'milliseconds'>>(
    'PUT',
    ROOT,
    {
      blocks: changes,
    },
  )
  tellWritten()
  return { ...answer, milliseconds: Math.max(1, Math.round(milliseconds)) }
}

export type VersionsAnswer = { readonly versions: readonly Version[] }

/** The newest first, that which stands among them. */
export async function readVersions(id: string): Promise<readonly Version[]> {
  const answer = await call<VersionsAnswer>('GET', versionsPath(id), undefined, true)
  return answer.versions
}

/** Over what was compared with it: refused where that is not what stands any more. */
export async function restoreVersion(over: Block, version: string): Promise<Block> {
  const path = `${versionsPath(over.id)}/${encodeURIComponent(version)}/restore`
  const { answer } = await callVersioned<Block>('POST', path, undefined, `"${over.version}"`)
  tellWritten()
  return answer
}

/** Other words leave another number of them to confirm, which stands elsewhere in the panel too. */
function tellWritten(): void {
  void useSiteStatus.getState().load(true)
}

export function blockPath(id: string): string {
  return `${ROOT}/${encodeURIComponent(id)}`
}

export function versionsPath(id: string): string {
  return `${blockPath(id)}/versions`
}

/** The whole page with these drafts in it, its words marked with where they come from. */
export function renderPreview(
  page: string,
  blocks: Readonly<Record<string, BlockChange>>,
  isUnasked: boolean,
): Promise<string> {
  return callText('POST', `${ROOT}/preview`, { page, blocks }, isUnasked)
}
