// SPF, DKIM and DMARC in the newsletter area. The server's answers are those of the test: its own would ask name servers.

import { startWithMail } from './mail-server'
import { account, expect, expectAccessible, test } from './test'

const letter = [
  'Delivered-To: anna@example.com',
  'Authentication-Results: mx.example.com; dkim=pass header.d=example.org',
  'From: Respiro <sito@example.org>',
  '',
  'Parole che restano nel browser',
].join('\r\n')

const before = {
  domain: 'example.org',
  spf: {
    state: 'missing',
    found: null,
    wanted: { name: 'example.org', value: 'v=spf1 include:_spf.aruba.it ~all' },
  },
  dkim: { state: 'untested', found: null, wanted: null },
  dmarc: {
    state: 'missing',
    found: null,
    wanted: { name: '_dmarc.example.org', value: 'v=DMARC1; p=none' },
  },
}
const good = { state: 'good', found: 'x', wanted: null }
const after = { domain: 'example.org', spf: good, dkim: good, dmarc: good }

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]) {
  test(`the line for the provider, and green after a letter, ${viewport.width} pixels wide`, async ({
    page,
    folder,
    atEnd,
  }) => {
    const subjects: string[] = []
    const origin = await startWithMail(page, folder, atEnd, (text) => {
      subjects.push(/^Subject: (.*)$/m.exec(text)?.[1] ?? '')
    })
    const sent: (string | null)[] = []
    await page.route(/\/api\/admin\/sender-check$/, async (route) => {
      const body: { letter: string | null } = route.request().postDataJSON()
      sent.push(body.letter)
      await route.fulfill({ json: body.letter === null ? before : after })
    })
    await page.setViewportSize(viewport)
    await page.goto(`${origin}/admin#/newsletter`)
    const heading = page.getByRole('heading', { name: 'La posta del sito arriva?' })
    const card = page.locator('section', { has: heading })
    await expect(card.getByRole('button', { name: 'Controlla' })).toBeVisible()
    expect(sent, 'nothing is asked before the press').toEqual([])
    await card.getByRole('button', { name: 'Controlla' }).click()
    await expect(card.getByText('v=spf1 include:_spf.aruba.it ~all')).toBeVisible()
    await expect(card.getByText('_dmarc.example.org')).toBeVisible()
    await expect(card.getByText('Serve la lettera di prova, qui sotto.')).toBeVisible()
    await expectAccessible(page)
    await card.getByRole('button', { name: 'Manda la lettera di prova' }).click()
    await expect(page.getByText(`Prova inviata a ${account.email}`)).toBeVisible()
    await expect.poll(() => subjects).toEqual(['Prova degli avvisi di 127.0.0.1'])
    await card.getByLabel('La lettera, tutta').fill(letter)
    await card.getByRole('button', { name: 'Leggi la lettera' }).click()
    await expect(card.getByText('A posto')).toHaveCount(3)
    expect(sent[1]).toContain('Authentication-Results')
    expect(sent[1]).not.toContain('Parole')
    await expectAccessible(page)
  })
}

test('a letter that is not whole is refused where it was pasted', async ({
  page,
  folder,
  atEnd,
}) => {
  const origin = await startWithMail(page, folder, atEnd, () => undefined)
  await page.goto(`${origin}/admin#/newsletter`)
  await page.route(/\/api\/admin\/sender-check$/, async (route) => {
    const body: { letter: string | null } = route.request().postDataJSON()
    if (body.letter === null) await route.fulfill({ json: before })
    else await route.continue()
  })
  await page.getByRole('button', { name: 'Controlla' }).click()
  await page.getByLabel('La lettera, tutta').fill('Ciao Anna')
  await page.getByRole('button', { name: 'Leggi la lettera' }).click()
  await expect(page.getByText(/Non è la lettera intera/)).toBeVisible()
})
