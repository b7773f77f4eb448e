// The panel in dark mode, in every engine. A file of its own: the colour scheme is set when the browser starts.

import { expect, phone, test } from './test'
import { slowMs } from './user'

test.use({ isDark: true })

test('every area of the panel opens quietly, light on dark', async ({ admin }) => {
  await admin.resize(phone)
  for (const area of [
    'contenuti',
    'pagine',
    'blog',
    'visite',
    'newsletter',
    'impostazioni',
    'backup',
    'cestino',
    'account',
    'avvisi',
  ]) {
    await admin.open(`/admin#/${area}`)
    await admin.until(`document.querySelector('main h1, main h2') !== null`, slowMs)
    expect(
      await admin.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      ),
      area,
    ).toBe(0)
  }
  expect(await admin.evaluate(() => getComputedStyle(document.body).backgroundColor)).toMatch(
    /^rgb\((\d|[1-5]\d), /,
  )
})
