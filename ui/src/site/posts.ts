// The list of articles, page by page: the first is published, the others are asked for.

import { secondAfter } from '../lib/dates'
import type { Item } from './data'

export type ListedPost = Pick<
  Item<'blog'>,
  'id' | 'slug' | 'title' | 'excerpt' | 'category' | 'image' | 'createdAt' | 'updatedAt'
>

export type PostPage = { readonly posts: readonly ListedPost[]; readonly hasMore: boolean }

/** As many as there are placeholders while a page is on its way. */
export const pagePosts = 6

export const listedFields = [
  'id',
  'slug',
  'title',
  'excerpt',
  'category',
  'image',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof ListedPost)[]

export function listed(post: ListedPost): ListedPost {
  const { id, slug, title, excerpt, category, image, createdAt, updatedAt } = post
  return { id, slug, title, excerpt, category, image, createdAt, updatedAt }
}

/**
 * Where the page after these is. Articles may share their second with the last one shown, so it
 * is asked for again, with room for those that come a second time and one to see if more follow.
 */
export function nextAddress(shown: readonly ListedPost[]): string {
  const before = secondAfter(shown.at(-1)?.createdAt ?? '')
  const again = shown.filter((post) => Date.parse(post.createdAt) < Date.parse(before)).length
  return `/api/blog?before=${encodeURIComponent(before)}&limit=${pagePosts + again + 1}`
}

/** What an answer adds to the articles shown. */
export function pageAfter(shown: readonly ListedPost[], answer: readonly ListedPost[]): PostPage {
  const known = new Set(shown.map((post) => post.id))
  const fresh = answer.filter((post) => !known.has(post.id))
  return { posts: fresh.slice(0, pagePosts), hasMore: fresh.length > pagePosts }
}

/** What the page has now with what was read of it before, newest first. */
export function joined(now: PostPage, before: PostPage): PostPage {
  const known = new Set(now.posts.map((post) => post.id))
  const older = before.posts.filter((post) => !known.has(post.id))
  return { posts: [...now.posts, ...older], hasMore: before.hasMore }
}

export async function fetchPageAfter(shown: readonly ListedPost[]): Promise<PostPage> {
  const answer = await fetch(nextAddress(shown))
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
  const posts: readonly ListedPost[] = await answer.json()
  return pageAfter(shown, posts)
}
