// Turns a User-Agent header into a readable device name.
import { browsers, systems, unknownDevice } from '../../../kinds/lazy-constants.gen'

type Table = readonly (readonly [mark: string, name: string])[]

export function deviceText(userAgent: string): string {
  const found = [nameOf(browsers, userAgent), nameOf(systems, userAgent)]
  return found.filter((name) => name !== undefined).join(' su ') || unknownDevice
}

function nameOf(table: Table, userAgent: string): string | undefined {
  return table.find(([mark]) => userAgent.includes(mark))?.[1]
}
