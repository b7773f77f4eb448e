// Tests the notices about the program itself: a newer release, a rehearsal, a retired machine.

import { copyFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { start } from './program'
import { account, expect, expectAccessible, test } from './test'

/** Sends one request to the control socket, as a command does. */
function control(data: string, request: unknown): Promise<string> {
  return new Promise((done, fail) => {
    const socket = connect(`${data}.sock`)
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk.toString()
    })
    socket.on('end', () => done(answer))
    socket.on('error', fail)
    socket.write(`${JSON.stringify(request)}\n`)
  })
}

test('the panel says once that a newer version was announced', async ({ admin, fresh }) => {
  const title = admin.getByText('C’è la versione 9.1.0')
  await expect(admin.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(title).toHaveCount(0)
  expect(await control(fresh.data, { 'announce-release': { version: '9.1.0' } })).toContain('done')
  await admin.reload()
  await expect(title).toBeVisible()
  await expectAccessible(admin)
  await admin.getByRole('button', { name: 'Ho capito' }).click()
  await expect(title).toHaveCount(0)
  await expect(admin.getByRole('heading', { level: 1 })).toBeFocused()
  await admin.reload()
  await expect(admin.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(title).toHaveCount(0)
  // The announced version is older than the one that runs: there is nothing to say.
  await control(fresh.data, { 'announce-release': { version: '0.0.1' } })
  const status = await admin.request.get(`${fresh.origin}/api/admin/status`)
  expect((await status.json()).newerRelease).toBeNull()
})

test('a rehearsal has its bar above the header of each page and of the panel', async ({
  page,
  folder,
  atEnd,
}) => {
  const data = join(folder, 'respiro.redb')
  copyFileSync(process.env.RESPIRO_TEMPLATE ?? '', data)
  const copy = await start(data, ['--rehearsal'])
  atEnd(copy.stop)
  const bar = page.getByRole('complementary').filter({ hasText: 'Prova: è una copia del sito' })
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    for (const path of ['/', '/contatti', '/manca', '/admin']) {
      await page.goto(copy.origin + path)
      await expect(bar).toBeVisible()
      const box = await bar.boundingBox()
      expect(box).toMatchObject({ x: 0, y: 0, width })
      if (path === '/admin') continue
      const header = await page.locator('header').first().boundingBox()
      expect(header?.y).toBe(box?.height)
    }
  }
  await expectAccessible(page)
  const answer = await page.request.post(`${copy.origin}/api/auth/login`, {
    data: account,
    headers: { origin: copy.origin },
  })
  expect(answer.status()).toBe(200)
  await page.goto(`${copy.origin}/admin`)
  await expect(bar).toBeVisible()
  await expectAccessible(page)
})

// Regression: an open page was as tall as the window, below the bar, and its foot was out of sight.
test('an open page of a rehearsal fits into the window', async ({ page, folder, atEnd }) => {
  const data = join(folder, 'respiro.redb')
  copyFileSync(process.env.RESPIRO_TEMPLATE ?? '', data)
  const copy = await start(data, ['--rehearsal'])
  atEnd(copy.stop)
  await page.request.post(`${copy.origin}/api/auth/login`, {
    data: account,
    headers: { origin: copy.origin },
  })
  for (const size of [
    { width: 390, height: 844 },
    { width: 1366, height: 768 },
  ]) {
    await page.setViewportSize(size)
    await page.goto(`${copy.origin}/admin#/pagine/contatti`)
    await expect(page.locator('iframe')).toBeVisible({ timeout: 30_000 })
    const high = () => page.evaluate(() => document.documentElement.scrollHeight)
    await expect.poll(high).toBe(size.height)
  }
})
