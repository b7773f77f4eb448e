// The texts of a shared event: its facts, and the message that goes with its address.
import { type Item, textOf } from '../../api/schema'

/** Day, time and place as they are written, without those that are empty. */
export function factsOf(item: Item): readonly string[] {
  const isOnline = textOf(item, 'mode') === 'Online'
  const place = textOf(item, 'location') || (isOnline ? 'Online' : '')
  return [textOf(item, 'date'), timeText(textOf(item, 'time')), place].filter((text) => text !== '')
}

/** `ore 20:30`; a time in words stays as it is. */
function timeText(time: string): string {
  return /^\d/.test(time) ? `ore ${time}` : time
}

/** The message: title, facts, what it is about, and where to read on. */
export function shareText(item: Item, url: string): string {
  const facts = factsOf(item).join('\n')
  const parts = [textOf(item, 'title'), facts, textOf(item, 'description'), url]
  return parts.filter((part) => part !== '').join('\n\n')
}
