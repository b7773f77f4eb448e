// The address to preview for a page pattern: the first event, the latest article.
import { useEffect, useState } from 'preact/hooks'
import { call } from '../../../api/client'
import type { SitePage } from '../model/editable-pages'

/** Why there is no address: the request is running, there is no item, or the request failed. */
export type NotFound = { readonly why: 'asked' | 'none' | 'failed'; readonly again: () => void }

/** Addresses by pattern. Misses are not cached: the first event may be added later. */
const found = new Map<string, string>()

export function usePreviewUrl({ pattern }: SitePage): string | NotFound {
  const [asked, setAsked] = useState<{ of: string; address: Answer }>()
  const [turn, setTurn] = useState(0)
  const known = pattern.includes('{') ? found.get(pattern) : pattern
  useEffect(() => {
    if (known !== undefined) return
    let current = true
    setAsked(undefined)
    void first(pattern).then((address) => {
      if (current) setAsked({ of: pattern, address })
    })
    return () => {
      current = false
    }
  }, [known, pattern, turn])
  if (known !== undefined) return known
  const again = () => setTurn(turn + 1)
  if (asked?.of !== pattern) return { why: 'asked', again }
  return { why: asked.address === null ? 'none' : 'failed', again }
}

/** Null if there is no item, undefined if the request failed. */
type Answer = string | null | undefined
type Listed = { readonly id: string; readonly slug?: string }

async function first(pattern: string): Promise<Answer> {
  const list = pattern.startsWith('/evento') ? '/api/events' : '/api/blog'
  try {
    const [one] = await call<readonly Listed[]>('GET', list)
    if (one === undefined) return null
    const address = pattern.replace('{id}', one.id).replace('{slug}', one.slug ?? '')
    found.set(pattern, address)
    return address
  } catch {
    return undefined
  }
}
