// Golden tests of names and formats that browsers store for months: renaming in the source must not change them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import { cachedFile, cacheFile } from './admin/api/upload-cache'
import {
  type DraftStorage,
  draftKey,
  draftsOfAccount,
  loadDrafts,
  newDraftKey,
  persistDraft,
} from './admin/drafts/draft-storage'
import {
  loadBlockDrafts,
  persistBlockDraft,
} from './admin/features/site-editor/model/block-draft-storage'
import { consentKey, consentOf, readConsent } from './lib/cookie-consent'
import * as testimonial from './site/sections/forms/testimonial-form-state'

/** All storage keys and event names that the source contains as a literal. */
const NAMES = [
  'cookie-consent',
  'respiro-article-side',
  'respiro-draft-of:',
  'respiro-draft:',
  'respiro-first-steps-later',
  'respiro-left',
  'respiro-pages-panel',
  'respiro-pictures',
  'respiro-release-seen',
  'respiro-stale-left',
  'respiro-sums-left',
  'respiro-testimonianza:',
  'respiro-words-left',
]

const SOURCE = import.meta.dirname

function sources(): readonly string[] {
  const names = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
  return files.map((name) => readFileSync(join(SOURCE, name), 'utf8'))
}

class Memory implements DraftStorage {
  readonly kept = new Map<string, string>()
  get length() {
    return this.kept.size
  }
  key = (index: number) => [...this.kept.keys()][index] ?? null
  getItem = (key: string) => this.kept.get(key) ?? null
  setItem = (key: string, text: string) => void this.kept.set(key, text)
  removeItem = (key: string) => void this.kept.delete(key)
}

let shelf = new Memory()
beforeEach(() => {
  shelf = new Memory()
})

it('keeps things in the browser below the golden names and no others', () => {
  const found = sources().flatMap((text) =>
    [...text.matchAll(/'((?:respiro-|cookie-consent)[a-z:-]*)'/g)].map(([, name]) => name),
  )
  expect([...new Set(found)].sort()).toEqual(NAMES)
})

it('reaches browser storage by the golden means only', () => {
  const means = /\b(localStorage|sessionStorage|indexedDB|BroadcastChannel|caches)\b(?=[.(]|$)/gm
  const found = sources().flatMap((text) => [...text.matchAll(means)].map(([, name]) => name))
  expect([...new Set(found)].sort()).toEqual(['caches', 'localStorage'])
})

const DRAFT = {
  fields: { title: 'Ciao' },
  savedAt: '2026-09-21T13:33:20.000Z',
  basedOn: '2026-09-20T13:33:20.000Z',
  ground: { title: 'Prima' },
}
const DRAFT_TEXT =
  '{"fields":{"title":"Ciao"},"savedAt":"2026-09-21T13:33:20.000Z",' +
  '"basedOn":"2026-09-20T13:33:20.000Z","ground":{"title":"Prima"}}'

it('writes and reads the golden draft of a form', () => {
  expect(draftKey('events/new')).toBe('respiro-draft:events/new')
  expect(newDraftKey('events/new')).toMatch(/^respiro-draft:events\/new@[0-9a-z]+-\d+-[0-9a-z]+$/)
  persistDraft(shelf, 'respiro-draft:events/new@1', DRAFT)
  expect([...shelf.kept]).toEqual([['respiro-draft:events/new@1', DRAFT_TEXT]])
  const [found] = loadDrafts(shelf, 'events/new')
  expect(found?.draft).toEqual(DRAFT)
})

it('stores the drafts of an account below its golden name', () => {
  const anna = draftsOfAccount(shelf, 'anna@example.com')
  persistDraft(anna, 'respiro-draft:events/new@1', DRAFT)
  expect([...shelf.kept]).toEqual([['respiro-draft-of:anna@example.com:events/new@1', DRAFT_TEXT]])
})

const BLOCK_TEXT =
  '{"fields":{"value":{"title":"Ciao"},"hidden":true},' +
  '"ground":{"value":{"title":"Prima"},"hidden":false,"sent":[{"value":{"title":"Altro"},"hidden":false}]},' +
  '"basedOn":"v1","savedAt":"2026-09-21T13:33:20.000Z"}'
const BLOCK = {
  draft: { value: { title: 'Ciao' }, hidden: true },
  ground: {
    value: { title: 'Prima' },
    hidden: false,
    sent: [{ value: { title: 'Altro' }, hidden: false }],
    version: 'v1',
  },
  savedAt: '2026-09-21T13:33:20.000Z',
}

it('writes and reads the golden draft of a block', () => {
  persistBlockDraft(shelf, 'home.hero', BLOCK)
  const [[key, text] = []] = [...shelf.kept]
  expect(key).toMatch(/^respiro-draft:words\/home\.hero@/)
  expect(text).toBe(BLOCK_TEXT)
  const [found] = loadBlockDrafts(shelf, 'home.hero')
  expect(found).toMatchObject(BLOCK)
})

it('writes and reads the golden draft of a testimonial', () => {
  const written = { name: 'Lina', profession: 'Medico', rating: '5', text: 'Bello' }
  testimonial.keepDraft(shelf, '/testimonianza/abcdefghijkl', written)
  expect([...shelf.kept]).toEqual([
    [
      'respiro-testimonianza:efghijkl',
      '{"name":"Lina","profession":"Medico","rating":"5","text":"Bello"}',
    ],
  ])
  expect(testimonial.readDraft(shelf, '/testimonianza/abcdefghijkl')).toEqual(written)
})

it('writes and reads the golden choice about cookies', () => {
  const now = 1_790_000_000_000
  const text =
    '{"necessary":true,"analytics":true,"marketing":false,"date":1790000000000,"version":1}'
  expect(consentKey).toBe('cookie-consent')
  expect(JSON.stringify(consentOf(true, false, now))).toBe(text)
  expect(readConsent(text, now + 1)).toEqual(consentOf(true, false, now))
})

it('keeps pictures in the golden cache with the golden headers', async () => {
  const opened: string[] = []
  const all = new Map<string, Response>()
  vi.stubGlobal('caches', {
    open: async (name: string) => {
      opened.push(name)
      return {
        put: async (path: string, answer: Response) => void all.set(path, answer),
        match: async (path: string) => all.get(path)?.clone(),
        keys: async () => [...all.keys()],
        delete: async (path: string) => all.delete(path),
      }
    },
  })
  await cacheFile('/objects/uploads/a', new File(['abc'], 'città.png', { type: 'image/png' }))
  const names = [...(all.get('/objects/uploads/a')?.headers.keys() ?? [])].sort()
  expect(names).toEqual(['content-type', 'x-bytes', 'x-kept-at', 'x-name'])
  const headers = {
    'content-type': 'image/png',
    'x-bytes': '3',
    'x-kept-at': '1790000000000',
    'x-name': 'citt%C3%A0.png',
  }
  all.set('/objects/uploads/b', new Response('abc', { headers }))
  const found = await cachedFile('/objects/uploads/b')
  expect([found?.name, found?.type, found?.size]).toEqual(['città.png', 'image/png', 3])
  expect([...new Set(opened)]).toEqual(['respiro-pictures'])
  vi.unstubAllGlobals()
})
