import { expect, it } from 'vitest'
import { appendPosts, type ListedPost, nextAddress, pageAfter, pagePosts } from './article-list'

function post(id: string, createdAt: string): ListedPost {
  return {
    id,
    slug: id,
    title: id,
    excerpt: null,
    category: null,
    image: null,
    createdAt,
    updatedAt: createdAt,
  }
}

it('asks again for the second of the last article, with room for those already shown', () => {
  const shown = [
    post('c', '2025-03-03T10:00:00Z'),
    post('b', '2025-03-01T10:00:00Z'),
    post('a', '2025-03-01T10:00:00Z'),
  ]
  expect(nextAddress(shown)).toBe('/api/blog?before=2025-03-01T10%3A00%3A01.000Z&limit=9')
})

it('loses no article of the same second, shows none twice, and knows when there are no more', () => {
  const all = Array.from({ length: 15 }, (_, index) => post(`p${index}`, '2025-03-01T10:00:00Z'))
  let shown = all.slice(0, pagePosts)
  let hasMore = true
  while (hasMore) {
    const limit = Number(new URLSearchParams(nextAddress(shown).split('?')[1]).get('limit'))
    const next = pageAfter(shown, all.slice(0, limit))
    shown = [...shown, ...next.posts]
    hasMore = next.hasMore
  }
  expect(shown).toEqual(all)
})

it('joins what was read before with what is new, each once', () => {
  const [d, c, b, a] = ['d', 'c', 'b', 'a'].map((id) => post(id, '2025-03-01T10:00:00Z')) as [
    ListedPost,
    ListedPost,
    ListedPost,
    ListedPost,
  ]
  const before = { posts: [c, b, a], hasMore: false }
  const now = { posts: [d, c], hasMore: true }
  expect(appendPosts(now, before)).toEqual({ posts: [d, c, b, a], hasMore: false })
})
