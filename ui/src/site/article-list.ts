// The list of articles: the page contains the first ones, the others are fetched in batches.

import { secondAfter } from '../lib/site-date-format'
import type { Item } from './page-data'

export type ListedPost = Pick<
  Item<'blog'>,
  'id' | 'slug' | 'title' | 'excerpt' | 'category' | 'image' | 'createdAt' | 'updatedAt'
>

export type PostPage = { readonly posts: readonly ListedPost[]; readonly hasMore: boolean }

/** Articles per batch, and number of placeholders while one loads. */
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
 * Returns the address of the next batch. Articles may share their second with the last one shown,
 * so the request includes that second; the limit has room for the repeated articles and for one
 * more, which tells whether others follow.
 */
export function nextAddress(shown: readonly ListedPost[]): string {
  const before = secondAfter(shown.at(-1)?.createdAt ?? '')
  const again = shown.filter((post) => Date.parse(post.createdAt) < Date.parse(before)).length
  return `/api/blog?before=${encodeURIComponent(before)}&limit=${pagePosts + again + 1}`
}

/** Returns the new articles of a response. */
export function pageAfter(shown: readonly ListedPost[], answer: readonly ListedPost[]): PostPage {
  const known = new Set(shown.map((post) => post.id))
  const fresh = answer.filter((post) => !known.has(post.id))
  return { posts: fresh.slice(0, pagePosts), hasMore: fresh.length > pagePosts }
}

/** Appends the articles restored from the history entry to those in the page, newest first. */
export function appendPosts(now: PostPage, before: PostPage): PostPage {
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
