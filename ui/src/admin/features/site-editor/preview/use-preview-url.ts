// The address to preview for a page pattern: the first event, the latest article.
import { useEffect, useState } from 'preact/hooks'
import { call } from '../../../api/client'
import type { SitePage } from '../model/editable-pages'

/** Why there is no address: the request is running, there is no item, or the request failed. */
export type NotFound = { readonly why: 'asked' | 'none' | 'failed'; readonly again: () => void }

/** Addresses of the last answers, by pattern; each visit asks again. */
const found = new Map<string, string>()

export function usePreviewUrl({ pattern }: SitePage): string | NotFound {
  const [asked, setAsked] = useState<{ of: string; address: Answer }>()
  const [turn, setTurn] = useState(0)
  const isFixed = !pattern.includes('{')
  useEffect(() => {
    if (isFixed) return
    let current = true
    setAsked(undefined)
    void first(pattern).then((address) => {
      if (current) setAsked({ of: pattern, address })
    })
    return () => {
      current = false
    }
  }, [isFixed, pattern, turn])
  if (isFixed) return pattern
  const again = () => setTurn(turn + 1)
  const isAnswered = asked?.of === pattern
  // The last answer, until the list has been read again: its item may have been deleted since.
  const address = isAnswered ? asked.address : found.get(pattern)
  if (typeof address === 'string') return address
  if (!isAnswered) return { why: 'asked', again }
  return { why: asked.address === null ? 'none' : 'failed', again }
}

/** Null if there is no item, undefined if the request failed. */
type Answer = string | null | undefined
type Listed = { readonly id: string; readonly slug?: string }

async function first(pattern: string): Promise<Answer> {
  const list = pattern.startsWith('/evento') ? '/api/events' : '/api/blog'
  try {
    const [one] = await call<readonly Listed[]>('GET', list)
    if (one === undefined) {
      found.delete(pattern)
      return null
    }
    const address = pattern.replace('{id}', one.id).replace('{slug}', one.slug ?? '')
    found.set(pattern, address)
    return address
  } catch {
    // Without a connection the page that was shown last is still the best guess.
    return found.get(pattern)
  }
}
