// Visit statistics in the server's format.
import { pageNames, statisticsMessages } from './messages'

export type Period = 'days' | 'months'

export type StatisticsReport = {
  readonly views: number
  readonly visitors: number
  readonly phone: number
  readonly email: number
  readonly message: number
}

export type PageRow =
  | { readonly is: 'page'; readonly path: string; readonly title: string | null }
  | { readonly is: 'removed'; readonly path: string }
  | { readonly is: 'others' }

export type SourceRow =
  | { readonly is: 'host'; readonly host: string }
  | { readonly is: 'direct' | 'others' }

export type Statistics = {
  readonly counting: boolean
  readonly isBehindCache: boolean
  readonly offSince: string | null
  readonly since: string | null
  readonly parts: readonly (StatisticsReport & { readonly from: string })[]
  readonly sum: StatisticsReport
  readonly before: StatisticsReport | null
  readonly sources: readonly (SourceRow & { readonly views: number })[]
  readonly pages: readonly (PageRow & { readonly views: number })[]
  readonly contacts: readonly (PageRow & Pick<StatisticsReport, 'phone' | 'email' | 'message'>)[]
}

const { names, cards } = statisticsMessages

export function pageName(row: PageRow): string {
  if (row.is === 'others') return names.others
  if (row.is === 'removed') return names.removed
  return row.title ?? pageNames[row.path] ?? row.path
}

/** Names of services that people know by another name than their host. */
const SERVICES: Readonly<Record<string, string>> = {
  'facebook.com': 'Facebook',
  'instagram.com': 'Instagram',
  'whatsapp.com': 'WhatsApp',
  'mail.google.com': 'Gmail',
  'google.com': 'Google',
  'youtube.com': 'YouTube',
  't.me': 'Telegram',
  'linkedin.com': 'LinkedIn',
  newsletter: 'Newsletter',
}

export function sourceName(row: SourceRow): string {
  return row.is === 'host' ? (SERVICES[row.host] ?? row.host) : names[row.is]
}

export function isEvent(row: PageRow): boolean {
  return 'path' in row && row.path.startsWith('/evento/')
}

const numbers = new Intl.NumberFormat('it-IT')

export function numberText(n: number): string {
  return numbers.format(n)
}

// The server counts days and months in Italian time and sends bare dates, therefore UTC here.
const dayFormat = new Intl.DateTimeFormat('it-IT', {
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
})
const monthFormat = new Intl.DateTimeFormat('it-IT', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

export function partName(period: Period, from: string): string {
  return (period === 'days' ? dayFormat : monthFormat).format(new Date(`${from}T00:00:00Z`))
}

/** Change from the previous period in percent, as text. */
export function changeText(now: number, before: number | undefined): string {
  if (before === undefined || before === 0) return cards.none
  const change = Math.round((100 * (now - before)) / before)
  if (change === 0) return cards.same
  return change > 0 ? cards.more(numberText(change)) : cards.less(numberText(-change))
}
