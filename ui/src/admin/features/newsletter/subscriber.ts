// A newsletter subscriber in the server's format.

export type SubscriberState = 'pending' | 'collected' | 'confirmed' | 'unsubscribed' | 'unreachable'

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
}

/** Subscribers in `state` whose address contains `query`. */
export function found(
  list: readonly Subscriber[],
  state: SubscriberState | 'all',
  query: string,
): readonly Subscriber[] {
  const wanted = query.trim().toLowerCase()
  return list.filter(
    (one) => (state === 'all' || one.state === state) && one.email.includes(wanted),
  )
}
