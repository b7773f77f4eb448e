// Newsletters, their sending and their subscribers in the server's format.

export type State = 'draft' | 'scheduled' | 'sending' | 'paused' | 'stopped' | 'sent'

export type Failure = {
  readonly email: string
  readonly fate: 'waiting' | 'full' | 'unknown' | 'blocked' | 'uncertain' | 'skipped'
  readonly tries: number
  readonly at: string
  readonly reason: string
  readonly isMarked: boolean
}

export type Sending = {
  readonly state: State
  readonly scheduledAt: string | null
  readonly startedAt: string | null
  readonly endedAt: string | null
  readonly resumedAt: string | null
  readonly retryAt: string | null
  readonly isLate: boolean
  readonly isSlowed: boolean
  readonly pace: number
  readonly total: number
  readonly accepted: number
  readonly refused: number
  readonly uncertain: number
  readonly skipped: number
  readonly unsubscribed: number
  readonly waiting: number
  readonly trouble: { readonly code: string; readonly reason: string } | null
  /** Another newsletter that was started earlier is still being sent. */
  readonly waitsForOther?: boolean
  readonly failures?: readonly Failure[]
}

export type Row = {
  readonly id: string
  readonly subject: string | null
  readonly updatedAt: string
  readonly sending: Sending
}

export type Listed = {
  readonly newsletters: readonly Row[]
  readonly recipients: number
  readonly mails: boolean
  /** The mailbox of returned messages; null if none is configured. */
  readonly bounces: BounceMailbox | null
}

export type BounceMailbox = {
  readonly readAt: string | null
  readonly failingSince: string | null
  readonly reason: string | null
}

export type Preview = {
  readonly subject: string
  readonly sender: string
  readonly preheader: string
  readonly html: string
  readonly text: string
  readonly bytes: number
  readonly bytesMax: number
  readonly recipients: number
  readonly faults: readonly { readonly code: string; readonly text: string }[]
  readonly notes: readonly string[]
}

export function sendingPath(id: string, rest = ''): string {
  return `/api/admin/sendings/${id}${rest}`
}

export function isUnderWay(state: State): boolean {
  return state === 'sending' || state === 'paused'
}

export function isOpen(state: State): boolean {
  return state === 'draft' || state === 'scheduled'
}

export type SubscriberState = 'pending' | 'collected' | 'confirmed' | 'unsubscribed' | 'unreachable'

/** Messages to an address that came back, when they call for attention. */
export type Bounce = {
  readonly cause:
    | 'noMailbox'
    | 'noDomain'
    | 'mailboxClosed'
    | 'mailboxFull'
    | 'refused'
    | 'undelivered'
    | 'complaint'
  readonly at: string
  readonly messages: number
}

/** Which addresses the list shows. `returned`: those with messages that came back. */
export type SubscriberFilter = SubscriberState | 'all' | 'returned'

export type Subscriber = {
  readonly email: string
  readonly state: SubscriberState
  readonly createdAt: string
  readonly confirmedAt: string | null
  readonly consentText: string
  readonly consentVersion: string | null
  readonly page: string | null
  readonly way: 'form' | 'formOnly' | 'import' | 'unknown'
  readonly mailedAt: string | null
  readonly unsubscribedAt: string | null
  readonly bounce: Bounce | null
}

/** Subscribers that `filter` lets through, whose address contains `query`. */
export function findSubscribers(
  list: readonly Subscriber[],
  filter: SubscriberFilter,
  query: string,
): readonly Subscriber[] {
  const wanted = query.trim().toLowerCase()
  const passes = (one: Subscriber) =>
    filter === 'all' || (filter === 'returned' ? one.bounce !== null : one.state === filter)
  return list.filter((one) => passes(one) && one.email.includes(wanted))
}
