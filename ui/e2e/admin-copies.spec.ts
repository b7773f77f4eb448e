// Tests of the Backup area and the data that leaves the server: copies, the published site in a bucket, a CDN.

import { execFileSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expectToast, openArea, originOf } from './admin-screen'
import { binary, start } from './program'
import { type Storage, storageServer } from './storage-server'
import { type AtEnd, account, test as base, expect, expectAccessible } from './test'

const forbidden = 'lo spazio non permette di scrivere'

const test = base.extend<{ storage: Storage }>({
  storage: async ({ atEnd }, use) => {
    const storage = await storageServer()
    atEnd(storage.end)
    await use(storage)
  },
})

type Started = { folder: string; options: string[]; env?: Record<string, string>; atEnd: AtEnd }

/** Starts a server with these options and opens its Backup area. */
async function openBackup(page: Page, { folder, options, env = {}, atEnd }: Started) {
  const data = join(folder, 'respiro.redb')
  copyFileSync(process.env.RESPIRO_TEMPLATE ?? '', data)
  const program = await start(data, options, '127.0.0.1:0', env)
  atEnd(program.stop)
  const headers = { origin: program.origin }
  const signed = await page.request.post(`${program.origin}/api/auth/login`, {
    data: account,
    headers,
  })
  expect(signed.status()).toBe(200)
  await page.goto(`${program.origin}/admin`)
  await openArea(page, 'backup', 'Backup')
}

function card(page: Page, title: string): Locator {
  return page.locator('section').filter({
    has: page.getByRole('heading', { name: title, exact: true }),
  })
}

async function save(page: Page, phone: string) {
  const origin = originOf(page)
  const saved = await page.request.put(`${origin}/api/admin/settings`, {
    headers: { origin },
    data: { phone },
  })
  expect(saved.status()).toBe(200)
}

/** Regression: a copy that takes hours was shown as running, without its progress. */
test('copies elsewhere show how far they are, what they take up and why they fail', async ({
  page,
  storage,
  folder,
  atEnd,
}) => {
  storage.slow(100)
  const told = execFileSync(binary, ['backup-key', '--to-stdout']).toString()
  const recipient = /age1\w+/.exec(told)?.[0] ?? ''
  const options = ['--backup-s3', 's3://secchio/sito']
  const env = { ...storage.env, RESPIRO_BACKUP_RECIPIENT: recipient }
  await openBackup(page, { folder, options, env, atEnd })
  const copies = card(page, 'Copie altrove')
  await expect(copies.getByText('In corso', { exact: true })).toBeVisible()
  await expect(copies).toContainText(/Copia in corso: \d+ di \d+ parti\./)
  await expectAccessible(page)
  storage.slow(0)
  await expect(copies.getByText('Al passo', { exact: true })).toBeVisible({ timeout: 60_000 })
  await expect(copies).not.toContainText('parti.')
  await expect(copies).toContainText('s3://secchio/sito')
  await expect(copies).toContainText(/verificata \(.+ fa\)/)
  await expect(copies).toContainText(/Spazio usato\s*\d+(,\d)? [KM]B/)
  storage.refuse(true)
  await copies.getByRole('button', { name: 'Fai una copia adesso' }).click()
  await expectToast(page, 'La copia non è riuscita', 'alert', forbidden)
  await expect(copies.getByText('Non riuscite', { exact: true })).toBeVisible()
  await expect(copies).toContainText(`L’ultima copia non è riuscita: ${forbidden}.`)
  await expectAccessible(page)
  storage.refuse(false)
  await copies.getByRole('button', { name: 'Fai una copia adesso' }).click()
  await expect(copies.getByText('Al passo', { exact: true })).toBeVisible({ timeout: 60_000 })
})

test('the site in a bucket says up to when it is the same, and why it is behind', async ({
  page,
  storage,
  folder,
  atEnd,
}) => {
  const options = ['--publish-s3', 's3://secchio/sito']
  await openBackup(page, { folder, options, env: storage.env, atEnd })
  const mirror = card(page, 'Sito di riserva')
  const shows = (text: string | RegExp) =>
    expect(async () => {
      await page.reload()
      await expect(mirror).toContainText(text, { timeout: 2_000 })
    }).toPass({ timeout: 120_000 })
  await shows('Uguale al sito:')
  expect([...storage.objects.keys()]).toContain('sito/index.html')
  storage.refuse(true)
  await save(page, '+39 031 123456')
  await shows(new RegExp(`Indietro di .+: ${forbidden}\\.`))
  await expectAccessible(page)
  storage.refuse(false)
  await shows('Uguale al sito:')
})

test('a cache in front is told when she asks for it, and the card says whether it heard', async ({
  page,
  folder,
  atEnd,
}) => {
  const asked: string[] = []
  let status = 200
  const cache = createServer((request, response) => {
    asked.push(request.method ?? '')
    response.writeHead(status).end()
  })
  await new Promise<void>((done) => cache.listen(0, '127.0.0.1', done))
  atEnd(() => {
    cache.closeAllConnections()
    cache.close()
  })
  const url = `http://127.0.0.1:${(cache.address() as AddressInfo).port}/`
  const options = ['--cdn', '--cdn-purge', url, '--cdn-purge-method', 'PURGE']
  await openBackup(page, { folder, options, atEnd })
  const front = card(page, 'Copia veloce (CDN)')
  await expect(front).toContainText('Le novità si vedono entro pochi secondi.')
  const before = asked.length
  await front.getByRole('button', { name: 'Aggiorna adesso' }).click()
  await expectToast(page, 'La copia veloce si sta aggiornando')
  await expect.poll(() => asked.length).toBeGreaterThan(before)
  expect(new Set(asked)).toEqual(new Set(['PURGE']))
  status = 500
  await front.getByRole('button', { name: 'Aggiorna adesso' }).click()
  const behind = 'L’ultimo aggiornamento non è arrivato alla copia veloce:'
  await expect(front).toContainText(behind, { timeout: 60_000 })
  await expectAccessible(page)
})
