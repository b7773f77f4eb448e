// Texts that describe a conflict between two versions of a block.
import { conflictMessages } from '../../../conflicts/messages'
import type { Block, Field, FieldValue, ObjectValue } from '../api/content-api'
import { wording } from '../messages'
import { titleOfEntry } from '../model/choice-labels'
import { fieldAt, isList, isObjectValue, parsePath } from '../model/field-path'
import { formatValue } from '../model/format-value'
import type { BlockConflict } from '../model/merge-block'
import { equalsIgnoringId, keyed } from '../model/merge-list'
import type { ChipContext } from '../model/rich-value'

const { entries: own } = wording

/** `Sessioni di coppia, Prezzo`: with the entry, because each entry has a field of that name. */
export function conflictLabel(
  { fields, label }: Block,
  clash: BlockConflict,
  known: ChipContext,
): string {
  const names = parsePath(clash.field).map(String)
  // Each list in the path contains one of these entries.
  const lists = names.flatMap((_, index) => {
    const field = fieldAt(fields, names.slice(0, index + 1).join('.'))
    return field?.type === 'list' ? [field] : []
  })
  const entries = [
    ...clash.within,
    ...(clash.kind === 'removed' ? [clash.mine ?? clash.other] : []),
  ]
  const titles = entries.map((entry, index) =>
    titleOfEntry(entry ?? undefined, lists[index]?.fields ?? [], own.new, known.blocks),
  )
  const last = clash.kind === 'removed' ? [] : [fieldAt(fields, clash.field)?.label ?? label]
  return [...titles, ...last].join(', ')
}

/** The text of one side. */
export function conflictText(
  { fields }: Block,
  clash: BlockConflict,
  side: 'mine' | 'other',
  known: ChipContext,
): string {
  const field = fieldAt(fields, clash.field)
  const inner = field?.fields ?? []
  switch (clash.kind) {
    case 'word':
      return formatValue(clash[side], known, field)
    case 'count':
      return clash[side]
        .map((entry) => titleOfEntry(entry, inner, own.new, known.blocks))
        .join('\n')
    case 'removed': {
      const entry = clash[side]
      if (entry === null) return conflictMessages.removed
      const changed = inner.filter(
        ({ name }) => !equalsIgnoringId(entry[name], clash.ground?.[name]),
      )
      return changed
        .map((one) => `${one.label}: ${wholeText(entry[one.name], known, one)}`)
        .join('\n')
    }
  }
}

/** For a list, the texts of all its entries. */
function wholeText(word: FieldValue | undefined, known: ChipContext, field: Field): string {
  if (!isList(word)) return formatValue(word, known, field)
  const texts = (entry: FieldValue) =>
    (field.fields ?? []).map((one) =>
      isObjectValue(entry) ? wholeText(entry[one.name], known, one) : formatValue(entry, known),
    )
  return word.map((entry) => texts(entry).filter(Boolean).join(' · ')).join('\n')
}

/** Why the conflict is about a whole list; null for other conflicts. */
export function conflictNote({ fields }: Block, clash: BlockConflict): string | null {
  if (clash.kind !== 'count') return null
  const { min = 0, max = 0 } = fieldAt(fields, clash.field) ?? {}
  const { tooMany, tooFew } = conflictMessages
  return clash.isMost ? tooMany(clash.total, max) : tooFew(clash.total, min)
}

/** Number of fields that are equal on both sides. */
export function sameCount(fields: readonly Field[], mine: ObjectValue, other: ObjectValue): number {
  return fields.reduce((sum, field) => {
    const [here, there] = [mine[field.name] ?? null, other[field.name] ?? null]
    if (field.type !== 'list') return sum + (equalsIgnoringId(here, there) ? 1 : 0)
    if (!isList(here) || !isList(there)) return sum
    const { trios } = keyed({ ground: [], mine: here, other: there })
    return trios.reduce(
      (all, trio) =>
        trio.mine && trio.other ? all + sameCount(field.fields ?? [], trio.mine, trio.other) : all,
      sum,
    )
  }, 0)
}
