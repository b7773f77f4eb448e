// Tests of drafts on the server: begun on one device and finished on another, kept when the server refuses them.

import { spawn } from 'node:child_process'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { ask, makeTestimonial } from './admin-kit'
import { openArea, openKind, openUpload, originOf } from './admin-screen'
import { italian } from './italian'
import { drawnMs, publish, reset } from './pages-kit'
import { binary } from './program'
import { type AtEnd, account, expect, test } from './test'

const bruno = { email: 'bruno.verdi@example.com', password: 'respiro-lento-e-profondo' }
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604'

/** Signs in on another device. */
async function device(
  browser: Browser,
  origin: string,
  atEnd: AtEnd,
  { userAgent = PHONE, who = account } = {},
): Promise<Page> {
  const context: BrowserContext = await browser.newContext({ userAgent, locale: 'it-IT' })
  atEnd(() => context.close())
  const page = await context.newPage()
  const answer = await page.request.post(`${origin}/api/auth/login`, {
    data: who,
    headers: { origin },
  })
  expect(answer.status()).toBe(200)
  await page.goto(`${origin}/admin`)
  return page
}

type Listed = { drafts: { place: string }[] }

/** Waits until the server has this many drafts. */
async function stored(page: Page, count: number) {
  const drafts = async () => (await ask<Listed>(page, 'GET', '/api/admin/drafts')).drafts.length
  await expect.poll(drafts, { timeout: drawnMs }).toBe(count)
}

function openNew(page: Page) {
  return openUpload(page, 'course-testimonials')
}

test('a form begun on the phone is offered once on the laptop, with day and device', async ({
  admin,
  browser,
  atEnd,
}) => {
  test.slow()
  const phone = await device(browser, originOf(admin), atEnd)
  const begun = await openNew(phone)
  await begun.getByLabel(italian.nome).fill('Dal telefono')
  await stored(phone, 1)
  const dialog = await openNew(admin)
  await expect(dialog.getByText(/C’è del testo .* \(da Safari su iPhone\)/)).toBeVisible()
  await dialog.getByRole('button', { name: italian.riprendi }).click()
  await expect(dialog.getByLabel(italian.nome)).toHaveValue('Dal telefono')
  // The laptop's own draft takes the place of the phone's.
  await expect
    .poll(async () => (await ask<Listed>(admin, 'GET', '/api/admin/drafts')).drafts)
    .toEqual([expect.objectContaining({ isThisDevice: true })])
  const next = await openNew(await device(browser, originOf(admin), atEnd))
  await expect(next.getByText(/\(da Chrome su Linux\)/)).toBeVisible()
  await next.getByRole('button', { name: italian.scarta }).click()
  await stored(phone, 0)
})

test('two devices that edit one text of a page are told, and it is finished on the other', async ({
  admin,
  browser,
  atEnd,
}) => {
  test.slow()
  const origin = originOf(admin)
  const title = { name: italian.aperturaTitolo }
  const phone = await device(browser, origin, atEnd, { userAgent: `${PHONE} CriOS/130` })
  for (const page of [admin, phone]) {
    await page.goto(`${origin}/admin#/pagine/servizi`)
    await expect(page.frameLocator('iframe').getByRole('textbox', title)).toBeVisible({
      timeout: drawnMs,
    })
  }
  await admin.frameLocator('iframe').getByRole('textbox', title).fill('Dal computer')
  await stored(admin, 1)
  await phone.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(
    phone.getByText(/Stai scrivendo qui anche da Chrome su Linux, dall.*: continua da una parte/),
  ).toBeVisible()
  await phone.reload()
  await expect(phone.getByText(/mai pubblicate \(da Chrome su Linux\)/)).toBeVisible({
    timeout: drawnMs,
  })
  await phone.getByRole('button', { name: italian.riprendi }).click()
  await expect(phone.frameLocator('iframe').getByRole('textbox', title)).toHaveText(
    'Dal computer',
    { timeout: drawnMs },
  )
  await publish(phone)
  await reset(phone, 'servizi.hero')
})

for (const [status, text] of [
  [507, 'Il sito non ha più spazio: la bozza resta in questo browser'],
  [413, 'Bozza troppo grande: resta in questo browser'],
  [401, 'Sessione scaduta: la bozza resta in questo browser'],
] as const) {
  test(`a draft that is refused with ${status} stays, is told beside 'Pubblica' and is sent later`, async ({
    admin,
  }) => {
    test.slow()
    await admin.route('**/api/admin/drafts/*', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status, json: { title: 'No' } })
        : route.continue(),
    )
    const dialog = await openNew(admin)
    const field = dialog.getByLabel(italian.nome)
    await field.fill('Resta qui')
    const footer = dialog.locator('footer').getByText(text)
    await expect(footer).toBeVisible({ timeout: drawnMs })
    expect(await admin.evaluate(() => JSON.stringify({ ...localStorage }))).toContain('Resta qui')
    await admin.unroute('**/api/admin/drafts/*')
    await field.fill('Resta qui, e poi arriva')
    await stored(admin, 1)
    await expect(footer).toHaveCount(0)
  })
}

test('a draft of another person is named and not shown', async ({
  fresh,
  admin,
  browser,
  atEnd,
}) => {
  test.slow()
  await addAccount(fresh.data, bruno)
  await makeTestimonial(admin, 'Lina')
  const edit = async (page: Page) => {
    await openKind(page, 'course-testimonials')
    // The list was read before the item was made.
    await page.reload()
    await page.getByRole('button', { name: 'Modifica: Lina' }).click()
    return page.getByRole('dialog')
  }
  const other = await device(browser, originOf(admin), atEnd, { who: bruno })
  const his = await edit(other)
  await his.getByRole('textbox', { name: italian.testimonianza }).fill('Parole di Bruno')
  await stored(other, 1)
  const dialog = await edit(admin)
  await expect(dialog.getByText(/Bruno sta modificando, dall.*\d+:\d\d\./)).toBeVisible()
  await expect(dialog.getByText('Parole di Bruno')).toHaveCount(0)
  await expect(dialog.getByRole('button', { name: italian.riprendi })).toHaveCount(0)
})

/** Signs out, and in as another account, without leaving the page. */
async function changeAccount(page: Page, from: typeof account, to: typeof account) {
  await page.getByLabel(`Menu: ${from.email}`).click()
  await page.getByRole('button', { name: italian.esci, exact: true }).click()
  await page.getByLabel(italian.eMail).fill(to.email)
  await page.getByRole('textbox', { name: italian.password }).fill(to.password)
  await page.getByRole('button', { name: italian.accedi, exact: true }).click()
  await expect(page.getByLabel(`Menu: ${to.email}`)).toBeVisible()
}

// Regression: the next account in the browser was offered what the server had not taken, and stored it as its own.
test('what the server has not taken stays with its account when another one signs in', async ({
  fresh,
  admin,
}) => {
  test.slow()
  await addAccount(fresh.data, bruno)
  const drafts = '**/api/admin/drafts/*'
  await admin.route(drafts, (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 507, json: { title: 'No' } })
      : route.continue(),
  )
  const hers = await openNew(admin)
  await hers.getByLabel(italian.nome).fill('Di Anna')
  await expect(hers.locator('footer').getByText('Il sito non ha più spazio')).toBeVisible({
    timeout: drawnMs,
  })
  await admin.reload()
  await changeAccount(admin, account, bruno)
  await admin.unroute(drafts)
  const his = await openNew(admin)
  await expect(his.getByLabel(italian.nome)).toHaveValue('')
  await expect(his.getByRole('button', { name: italian.riprendi })).toHaveCount(0)
  await his.getByLabel(italian.nome).fill('Di Bruno')
  // What was left in the browser would be sent before it.
  await stored(admin, 1)
  await admin.reload()
  await changeAccount(admin, bruno, account)
  const again = await openNew(admin)
  await again.getByRole('button', { name: italian.riprendi }).click()
  await expect(again.getByLabel(italian.nome)).toHaveValue('Di Anna')
})

// Regression: Firefox asked the admin whether the site may store data, at each visit.
test('the browser is asked to keep what the panel stores once something is typed', async ({
  admin,
}) => {
  await admin.addInitScript(() => {
    const asked = { count: 0 }
    Object.assign(window, { asked })
    StorageManager.prototype.persist = async () => {
      asked.count += 1
      return true
    }
  })
  await admin.reload()
  const count = () =>
    admin.evaluate(() => (window as unknown as { asked: { count: number } }).asked.count)
  const dialog = await openNew(admin)
  expect(await count()).toBe(0)
  await dialog.getByLabel(italian.nome).fill('Resta')
  await dialog.getByLabel(italian.nome).press('End')
  await dialog.getByLabel(italian.nome).pressSequentially(' qui')
  await stored(admin, 1)
  expect(await count()).toBe(1)
})

function addAccount(data: string, { email, password }: typeof account): Promise<void> {
  const child = spawn(binary, ['admin', 'add', email, '--data', data], {
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  child.stdin?.end(`${password}\n`)
  return new Promise((done, fail) => {
    child.on('exit', (code) => (code === 0 ? done() : fail(new Error(`admin add: ${code}`))))
  })
}

test('settings that were typed and never saved are offered on another device', async ({
  admin,
  browser,
  atEnd,
}) => {
  test.slow()
  await openArea(admin, 'impostazioni', 'Impostazioni')
  await admin.getByLabel(italian.nomeECognome).first().fill('Anna di Nuovo')
  await stored(admin, 1)
  const phone = await device(browser, originOf(admin), atEnd)
  await openArea(phone, 'impostazioni', 'Impostazioni')
  await phone.getByRole('button', { name: italian.riprendi }).click()
  await expect(phone.getByLabel(italian.nomeECognome).first()).toHaveValue('Anna di Nuovo')
})

test('the draft of a page is shown by a link, and planned for a moment', async ({
  admin,
  browser,
}) => {
  test.slow()
  const origin = originOf(admin)
  await admin.goto(`${origin}/admin#/pagine/servizi`)
  const title = admin.frameLocator('iframe').getByRole('textbox', { name: italian.aperturaTitolo })
  await title.fill('Solo una prova', { timeout: drawnMs })
  await admin.getByRole('button', { name: /Una modifica non pubblicata/ }).click()
  const list = admin.getByRole('dialog', { name: 'Una modifica' })
  await list.getByRole('button', { name: 'Condividi' }).click()
  const link = admin.getByRole('textbox', { name: italian.linkDiAnteprima })
  await expect(link).toHaveValue(/\/anteprima\/drafts\./, { timeout: drawnMs })
  const visitor = await browser.newPage()
  await visitor.goto(await link.inputValue())
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Solo una prova')
  await visitor.goto(`${origin}/servizi`)
  await expect(visitor.getByRole('heading', { level: 1 })).not.toHaveText('Solo una prova')
  await visitor.close()
  await admin.keyboard.press('Escape')

  await list.getByRole('button', { name: 'Programma' }).click()
  const plan = admin.getByRole('dialog', { name: 'Programma le modifiche' })
  await plan.getByRole('button', { name: 'Salva il programma' }).click()
  await expect(plan.getByText('Scegli un giorno')).toBeVisible()
  await plan.getByRole('button', { name: italian.domaniAlle9 }).click()
  await plan.getByRole('button', { name: 'Salva il programma' }).click()
  await expect(plan).toHaveCount(0, { timeout: drawnMs })
  await admin.keyboard.press('Escape')
  const row = admin.getByText(/Servizi: le modifiche vanno sul sito da sé .* alle ore 9:00\./)
  await expect(row).toBeVisible()
  await admin.getByRole('button', { name: 'Togli il programma' }).click()
  await expect(row).toHaveCount(0)
})

test('what an earlier visit left in the browser goes to the server when the panel opens', async ({
  admin,
}) => {
  test.slow()
  await admin.evaluate(() => {
    const draft = { fields: { name: 'Rimasta' }, savedAt: '2026-01-02T10:00:00Z', basedOn: null }
    localStorage.setItem('respiro-draft:course-testimonials/new', JSON.stringify(draft))
  })
  await admin.reload()
  await stored(admin, 1)
  await expect.poll(() => admin.evaluate(() => localStorage.length)).toBe(0)
  const dialog = await openNew(admin)
  await dialog.getByRole('button', { name: italian.riprendi }).click()
  await expect(dialog.getByLabel(italian.nome)).toHaveValue('Rimasta')
})
