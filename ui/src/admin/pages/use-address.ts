// The address of a page that stands for many: the first event, the latest article.
import { useEffect, useState } from 'preact/hooks'
import { call } from '../api'
import type { SitePage } from './site-pages'

const found = new Map<string, Promise<string | null>>()

/** Null while it is not known, and where there is none. */
export function useAddress({ pattern }: SitePage): string | null {
  const isOne = !pattern.includes('{')
  const [address, setAddress] = useState(isOne ? pattern : null)
  useEffect(() => {
    if (isOne) return
    const asked = found.get(pattern) ?? first(pattern)
    found.set(pattern, asked)
    void asked.then(setAddress)
  }, [isOne, pattern])
  return address
}

type Listed = { readonly id: string; readonly slug?: string }

async function first(pattern: string): Promise<string | null> {
  const list = pattern.startsWith('/evento') ? '/api/events' : '/api/blog'
  try {
    const [one] = await call<readonly Listed[]>('GET', list)
    return one === undefined
      ? null
      : pattern.replace('{id}', one.id).replace('{slug}', one.slug ?? '')
  } catch {
    return null
  }
}
