// Tests of the notifications of the practitioner: the bell, the list, the switches of the e-mails.

import type { Page } from '@playwright/test'
import { italian } from './italian'
import { startWithMail } from './mail-server'
import { account, expect, expectAccessible, test } from './test'

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; rv:133.0) Gecko/20100101 Firefox/133.0'

/** Signs in as a browser that the server does not know. Returns the headers of its further requests. */
async function signInElsewhere(origin: string): Promise<Record<string, string>> {
  const answer = await fetch(`${origin}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': FIREFOX, origin },
    body: JSON.stringify(account),
  })
  expect(answer.status).toBe(200)
  return {
    cookie: answer.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; '),
  }
}

const bell = (page: Page, label: string) => page.getByRole('link', { name: `Avvisi: ${label}` })

/** Marks all as read; the test's own sign-in counts as one from a new device. */
async function allRead(page: Page) {
  await bell(page, '1 nuovo').click()
  await page.getByRole('button', { name: 'Segna come letti' }).click()
  await expect(bell(page, 'nessuno nuovo')).toBeVisible()
}

test('a stranger who signed in is seen, shut out, and the password is next', async ({
  admin,
  fresh,
}) => {
  await allRead(admin)
  const stranger = await signInElsewhere(fresh.origin)
  const asked = () => fetch(`${fresh.origin}/api/admin/sessions`, { headers: stranger })
  expect((await asked()).status).toBe(200)
  await admin.reload()
  await bell(admin, '1 nuovo').click()
  await expect(admin.getByRole('heading', { level: 1, name: 'Avvisi' })).toBeVisible()
  const line = 'Accesso da un nuovo dispositivo: Firefox su Windows.'
  await expect(admin.getByText(line)).toBeVisible()
  await expectAccessible(admin)
  await admin.getByRole('button', { name: 'Non sono io' }).click()
  const dialog = admin.getByRole('alertdialog', { name: 'Metti al sicuro l’account' })
  await expectAccessible(admin)
  await dialog.getByRole('button', { name: 'Esci dagli altri' }).click()
  await expect(admin.getByRole('heading', { level: 1, name: italian.account })).toBeVisible()
  await expect(bell(admin, 'nessuno nuovo')).toBeVisible()
  expect((await asked()).status).toBe(401)
})

test('one’s own sign-in is no news after a press', async ({ admin, fresh }) => {
  await allRead(admin)
  await signInElsewhere(fresh.origin)
  await admin.reload()
  await admin.getByRole('button', { name: 'Sono io', exact: true }).click()
  await expect(bell(admin, 'nessuno nuovo')).toBeVisible()
  await expect(admin.getByRole('button', { name: 'Sono io', exact: true })).toHaveCount(0)
})

test('a notice that was shown is no longer new', async ({ admin, browser, fresh }) => {
  await allRead(admin)
  const headers = { origin: fresh.origin }
  const made = await admin.request.post(`${fresh.origin}/api/admin/testimonial-requests`, {
    data: { name: 'Marta', activity: 'Seminario', attended: true },
    headers,
  })
  const { url } = await made.json()
  const visitor = await browser.newPage()
  await visitor.goto(url)
  await visitor.getByLabel('Come vuoi firmare').fill('Marta')
  await visitor.getByRole('radio', { name: '4 stelle su 5' }).check()
  await visitor.getByLabel('Il tuo racconto').fill('Parole')
  await visitor.getByRole('checkbox').check()
  await visitor.getByRole('button', { name: 'Invia la testimonianza' }).click()
  await expect(visitor.getByRole('heading', { name: 'Grazie, Marta' })).toBeVisible()
  await visitor.close()
  await admin.goto(`${fresh.origin}/admin`)
  await bell(admin, '1 nuovo').click()
  await expect(admin.getByText('1 testimonianza nuova da leggere.')).toBeVisible()
  await expect(bell(admin, 'nessuno nuovo')).toBeVisible()
  await expect(admin.getByRole('button', { name: 'Segna come letti' })).toHaveCount(0)
})

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]) {
  test(`the month by e-mail is asked for by the account itself, ${viewport.width} pixels wide`, async ({
    page,
    folder,
    atEnd,
  }) => {
    const origin = await startWithMail(page, folder, atEnd, () => undefined)
    await page.setViewportSize(viewport)
    await page.goto(`${origin}/admin#/account`)
    const monthly = page.getByRole('switch', { name: 'Il mese in breve' })
    await expect(monthly).not.toBeChecked()
    await page.getByText('Il mese in breve', { exact: true }).click()
    await expect(page.getByText('Avvisi aggiornati')).toBeVisible()
    await page.reload()
    await expect(monthly).toBeChecked()
    await expect(
      page.getByRole('switch', { name: 'Disco quasi pieno o posta rifiutata' }),
    ).toBeChecked()
    await expectAccessible(page)
  })
}

const troubles = [
  { subject: 'month', text: 'Pagine aperte: 1234; il mese prima 900.\nDa fare: una frase.' },
  { subject: 'copies', text: '' },
  { subject: 'disk', text: 'resta libero meno del 10 %: 1,0 GB su 20,0' },
  { subject: 'mail', text: 'il server di posta rifiuta il mittente' },
]

test('the notices of the month and of the server say what to do', async ({ admin, fresh }) => {
  const notices = troubles.map((trouble, number) => ({
    ...trouble,
    number,
    firstAt: '2026-11-01T08:00:00Z',
    at: '2026-11-01T08:00:00Z',
    count: 1,
    moment: trouble.subject === 'month' ? '2026-09-30T22:00:00Z' : null,
    isRead: true,
    solvedAt: null,
    mailedAt: null,
  }))
  await admin.route(/\/api\/admin\/notices$/, (route) =>
    route.fulfill({ json: { notices, mails: true, failed: null, monthly: true } }),
  )
  await admin.goto(`${fresh.origin}/admin#/avvisi`)
  for (const line of [
    'Com’è andato il mese di ottobre 2026.',
    'Pagine aperte: 1234; il mese prima 900.',
    'Da una settimana non c’è una copia nuova.',
    'Ancora nessuna copia buona.',
    'Il disco del server è quasi pieno: resta libero meno del 10 %: 1,0 GB su 20,0.',
    'Un’e-mail del sito è stata rifiutata: il server di posta rifiuta il mittente.',
  ]) {
    await expect(admin.getByText(line)).toBeVisible()
  }
  await expect(admin.getByRole('link', { name: 'Guarda le visite' })).toBeVisible()
  await expect(admin.getByRole('button', { name: 'Copia per chi gestisce' })).toHaveCount(3)
  await expectAccessible(admin)
})

test('each e-mail has a switch, and a test shows whether it arrives', async ({
  page,
  folder,
  atEnd,
}) => {
  const subjects: string[] = []
  const origin = await startWithMail(page, folder, atEnd, (text) => {
    subjects.push(/^Subject: (.*)$/m.exec(text)?.[1] ?? '')
  })
  await page.goto(`${origin}/admin#/account`)
  const device = page.getByRole('switch', { name: 'Accesso da un nuovo dispositivo' })
  const backup = page.getByRole('switch', { name: 'Backup non riuscito' })
  await expect(device).toBeChecked()
  await page.getByText('Accesso da un nuovo dispositivo', { exact: true }).click()
  const question = page.getByRole('alertdialog', { name: 'Spegnere questo avviso?' })
  await question.getByRole('button', { name: italian.annulla }).click()
  await expect(device).toBeChecked()
  await page.getByText('Backup non riuscito', { exact: true }).click()
  await expect(page.getByText('Avvisi aggiornati')).toBeVisible()
  await page.reload()
  await expect(backup).not.toBeChecked()
  await expect(device).toBeChecked()
  await expect(page.getByText(`Arrivano a ${account.email}.`)).toBeVisible()
  await page.getByRole('button', { name: italian.mandaUnaProva }).click()
  await expect(page.getByText(`Prova inviata a ${account.email}`)).toBeVisible()
  await signInElsewhere(origin)
  await expect
    .poll(() => subjects)
    .toEqual([
      'Prova degli avvisi di 127.0.0.1',
      'Accesso al pannello di 127.0.0.1 da un nuovo dispositivo',
    ])
})
