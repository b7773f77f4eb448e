// Tests of the question about the date, after the clock of the server has jumped.

import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { start } from './program'
import { account, expect, expectAccessible, test } from './test'

/** Environment of a program whose clock is ahead; needs the Debian package `faketime`. */
function ahead(days: number): Record<string, string> {
  const libraries = ['x86_64', 'aarch64'].map(
    (machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`,
  )
  const library = libraries.find((path) => existsSync(path))
  if (library === undefined) throw new Error('install the package faketime')
  return { LD_PRELOAD: library, FAKETIME: `+${days}d`, DONT_FAKE_MONOTONIC: '1' }
}

const notice = (page: Page) => page.getByRole('region', { name: 'La data del server' })

test('the panel asks once whether the date is right after the clock jumped', async ({
  page,
  folder,
  atEnd,
}) => {
  const data = join(folder, 'respiro.redb')
  copyFileSync(process.env.RESPIRO_TEMPLATE ?? '', data)
  const first = await start(data, [], '127.0.0.1:0', ahead(40))
  atEnd(first.stop)
  await signIn(page, first.origin)
  const day = new Intl.DateTimeFormat('it-IT', {
    timeZone: 'Europe/Rome',
    dateStyle: 'full',
  }).format(Date.now() + 40 * 24 * 60 * 60 * 1000)
  await expect(notice(page)).toContainText(`Oggi è ${day}: è giusto?`)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Newsletter' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Newsletter' })).toBeVisible()
  await notice(page).getByRole('button', { name: 'Sì, è giusto' }).click()
  await expect(notice(page)).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await first.stop()
  const second = await start(data, [], '127.0.0.1:0', ahead(40))
  atEnd(second.stop)
  await signIn(page, second.origin)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(notice(page)).toHaveCount(0)
})

async function signIn(page: Page, origin: string) {
  const answer = await page.request.post(`${origin}/api/auth/login`, {
    data: account,
    headers: { origin },
  })
  expect(answer.status()).toBe(200)
  const status = page.waitForResponse((one) => one.url().endsWith('/api/admin/status'))
  await page.goto(`${origin}/admin`)
  await status
}
