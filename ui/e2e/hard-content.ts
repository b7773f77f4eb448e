// Fills a running site with realistic difficult content; `hard-content/` lists it with its sources.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { account } from './test'

type Entry = Record<string, unknown> & { readonly picture?: string | null }

type HardContent = {
  readonly practitioner: Record<string, string>
  readonly courseTestimonials: readonly Entry[]
  readonly events: readonly Entry[]
  readonly photoGallery: readonly Entry[]
  readonly specialThanks: readonly Entry[]
  readonly mediaFeatures: readonly Entry[]
  readonly blog: readonly Entry[]
}

const folder = resolve(import.meta.dirname, 'hard-content')

export const hardContent: HardContent = JSON.parse(
  readFileSync(resolve(folder, 'content.json'), 'utf8'),
)

const listByKind = {
  'course-testimonials': hardContent.courseTestimonials,
  events: hardContent.events,
  'photo-gallery': hardContent.photoGallery,
  'special-thanks': hardContent.specialThanks,
  'media-features': hardContent.mediaFeatures,
  blog: hardContent.blog,
}

/** Pictures of the settings; items have pictures of their own. */
const pictureBySetting = {
  heroImageOne: 'coffee.jpg',
  heroImageTwo: 'portrait-tall.jpg',
  portraitImage: 'portrait-tall.jpg',
}

/** Replaces the items of every kind and the settings; the account of the template must exist. */
export async function fillWithHardContent(origin: string): Promise<void> {
  const ask = await signedIn(origin)
  for (const [kind, entries] of Object.entries(listByKind)) {
    for (const { id } of await ask<{ id: string }[]>('GET', `/api/admin/${kind}`))
      await ask('DELETE', `/api/admin/${kind}/${id}`)
    for (const { picture, ...fields } of entries) {
      const imageUrl = picture ? await upload(ask, picture) : undefined
      const published = { published: true, ...fields, ...(imageUrl && { imageUrl }) }
      await ask('POST', `/api/admin/${kind}`, published)
    }
  }
  const pictures: Record<string, string> = {}
  for (const [setting, name] of Object.entries(pictureBySetting))
    pictures[setting] = await upload(ask, name)
  await ask('PUT', '/api/admin/settings', { ...hardContent.practitioner, ...pictures })
}

type Ask = <Answer>(method: string, path: string, data?: object) => Promise<Answer>

async function signedIn(origin: string): Promise<Ask> {
  const headers = { origin, 'content-type': 'application/json' }
  const body = JSON.stringify(account)
  const login = await fetch(`${origin}/api/auth/login`, { method: 'POST', headers, body })
  const cookie = login.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  return async <Answer>(method: string, path: string, data?: object) => {
    const answer = await fetch(origin + path, {
      method,
      headers: { ...headers, cookie },
      ...(data && { body: JSON.stringify(data) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return (text === '' ? null : JSON.parse(text)) as Answer
  }
}

/** Uploads a picture. Returns the path under which it is stored. */
async function upload(ask: Ask, name: string): Promise<string> {
  const { uploadURL } = await ask<{ uploadURL: string }>('POST', '/api/admin/upload')
  const body = readFileSync(resolve(folder, name))
  const stored = await fetch(uploadURL, { method: 'PUT', body })
  if (!stored.ok) throw new Error(`${name}: ${stored.status} ${await stored.text()}`)
  return `/objects/uploads/${new URL(uploadURL).pathname.split('/').at(-1)}`
}
