// Content blocks as the API returns them, and the calls that read and write them.
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
  /** Limit for the characters of a text, the entries of a list, or the value of a number. */
  readonly max?: number
  readonly min?: number
  readonly choices?: readonly (string | { readonly value: string; readonly label: string })[]
  /** `block:list` with the entries that can be chosen, by id. */
  readonly of?: string
  /** Fields of each entry of a list. */
  readonly fields?: readonly Field[]
}

/** The value of a field as JSON: a text, a number, an entry, a list of them. */
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
  /** `/servizi`, `*` for all pages, `/evento/{id}`, `/blog/{slug}`. */
  readonly pages: readonly string[]
  readonly fields: readonly Field[]
  readonly value: ObjectValue
  readonly default: ObjectValue
  readonly changed: boolean
  /** The default has changed since the admin replaced it. */
  readonly defaultChanged?: boolean
  readonly hideable: boolean
  readonly hidden: boolean
  readonly toConfirm: boolean
  /** Names of the fields whose statements the admin has to confirm as true. */
  readonly asked: readonly string[]
  /** Number of statements to confirm; while some are unconfirmed, the number of those. */
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

/** A change to a block; a value of null resets it to the default. */
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
  /** Number of site pages that have changed. */
  readonly pages: number
  readonly milliseconds: number
}

/** Writes all changes or none; each one names the version it is based on. */
export async function writeBlocks(changes: Changes): Promise<readonly Block[]> {
  return (await timedWrite(changes)).blocks
}

/** Like `writeBlocks`, with the number of changed pages and the duration. */
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

/** Newest first; includes the published version. */
export async function readVersions(id: string): Promise<readonly Version[]> {
  const answer = await call<VersionsAnswer>('GET', versionsPath(id), undefined, true)
  return answer.versions
}

/** Restores a version over the block it was compared with; the server answers 412 if that has changed. */
export async function restoreVersion(over: Block, version: string): Promise<Block> {
  const path = `${versionsPath(over.id)}/${encodeURIComponent(version)}/restore`
  const { answer } = await callVersioned<Block>('POST', path, undefined, `"${over.version}"`)
  tellWritten()
  return answer
}

/** Reloads the site status: a write changes the number of texts to confirm that the panel shows. */
function tellWritten(): void {
  void useSiteStatus.getState().load(true)
}

export function blockPath(id: string): string {
  return `${ROOT}/${encodeURIComponent(id)}`
}

export function versionsPath(id: string): string {
  return `${blockPath(id)}/versions`
}

/** Renders a page with drafts to HTML; markers in its texts name their fields. */
export function renderPreview(
  page: string,
  blocks: Readonly<Record<string, BlockChange>>,
  isUnasked: boolean,
): Promise<string> {
  return callText('POST', `${ROOT}/preview`, { page, blocks }, isUnasked)
}
