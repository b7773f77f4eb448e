// Checks an item before it is published: open questions about its date, and the mark of a copy in its title.
import type { Item, Kind, Values } from '../../api/schema'
import { listMessages } from './list-messages'
import { unsettledDate } from './parse-event-date'

/** The mark that `duplicate` appends to a title. */
const COPY = /\(copia\)\s*$/i

/** Returns messages by field name; empty if the item may be published. A published item with unchanged values passes. */
export async function publishProblems(
  kind: Kind,
  values: Values,
  saved: Item | null,
): Promise<Readonly<Record<string, string>>> {
  const { dateTexts } = listMessages[kind]
  const { title } = values
  const isShown = saved?.published === true && saved.title === title
  const copy: Record<string, string> =
    typeof title === 'string' && COPY.test(title) && !isShown
      ? { title: 'Finisce ancora con «(copia)»: toglilo, poi pubblica.' }
      : {}
  return dateTexts === undefined
    ? copy
    : { ...copy, ...(await unsettledDate(values, dateTexts, saved)) }
}
