// 'È vero', kept on this device: the version of each block that she found to be true.
import { browserShelf } from '../drafts'
import { usePages } from './pages-store'

export type Confirmed = Readonly<Record<string, string>>

const KEY = 'respiro-words-confirmed'

export function readConfirmed(): Confirmed {
  try {
    const kept: unknown = JSON.parse(browserShelf()?.getItem(KEY) ?? '{}')
    return typeof kept === 'object' && kept !== null ? (kept as Confirmed) : {}
  } catch {
    return {}
  }
}

export function keepConfirmed(confirmed: Confirmed): void {
  usePages.setState({ confirmed })
  try {
    browserShelf()?.setItem(KEY, JSON.stringify(confirmed))
  } catch {
    // Then it is asked again at the next visit.
  }
}
