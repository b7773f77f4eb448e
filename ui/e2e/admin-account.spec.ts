// Tests of authentication: sign-in and its responses, sign-out, password, other devices, second factor.

import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectFailure, fail } from './admin-faults'
import { ask, expect, test } from './admin-kit'
import { expectToast, openArea, originOf } from './admin-screen'
import { italian } from './italian'
import { start } from './program'
import { account } from './template'
import { totp } from './totp'

async function fillSignIn(page: Page, password: string) {
  await page.getByLabel(italian.eMail).fill(account.email)
  await page.getByRole('textbox', { name: italian.password }).fill(password)
  await page.getByRole('button', { name: italian.accedi }).click()
}

test('nothing is shown before signing in; a wrong password is named, a right one opens', async ({
  page,
  site,
}) => {
  await page.goto(`${site.origin}/admin`)
  await expect(page.getByRole('heading', { name: 'Entra nel pannello' })).toBeVisible()
  await expect(page.getByText("Quest'area è riservata a chi gestisce il sito.")).toBeVisible()
  await expect(page.getByRole('button', { name: italian.accedi })).toBeDisabled()
  await fillSignIn(page, 'sbagliata-di-sicuro')
  await expect(page.getByRole('alert')).toContainText('E-mail o password non corrett')
  await expect(page.getByLabel(italian.eMail)).toHaveValue(account.email)
  const field = page.getByRole('textbox', { name: italian.password })
  await expect(field).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Mostra la password' }).click()
  await expect(field).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Nascondi la password' }).click()
  await fillSignIn(page, account.password)
  await expect(page.getByRole('heading', { level: 1, name: /^Buon/ })).toBeVisible()
})

test('the lake beside the form fills its half of the window, and is a band on a phone', async ({
  page,
  site,
}) => {
  await page.goto(`${site.origin}/admin`)
  const art = page.getByRole('banner').locator('img')
  const drawn = () => art.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0)
  await expect.poll(drawn).toBe(true)
  await expect(art).toHaveCSS('object-fit', 'cover')
  for (const [width, height] of [
    [1440, 900],
    [375, 667],
  ] as const) {
    await page.setViewportSize({ width, height })
    // The layout follows the new size a frame later.
    const artHeight = async () => (await art.boundingBox())?.height ?? 0
    const isLaidOut = (art: number) => (width > 1000 ? art === height : art < height / 4)
    await expect.poll(async () => isLaidOut(await artHeight())).toBe(true)
    const form = await page.getByLabel(italian.eMail).boundingBox()
    const box = await art.boundingBox()
    expect(box).toMatchObject({ x: 0, y: 0 })
    if (width > 1000) {
      expect(box?.width).toBeGreaterThan(width * 0.45)
      expect(form?.x).toBeGreaterThan(box?.width ?? width)
    } else {
      expect(box?.width).toBe(width)
      expect(box?.height).toBeGreaterThan(120)
      expect(form?.y).toBeGreaterThan(box?.height ?? height)
    }
  }
})

test('too many tries are asked to wait', async ({ page, fresh }) => {
  await page.goto(`${fresh.origin}/admin`)
  let tries = 0
  const alert = page.getByRole('alert')
  await expect(async () => {
    tries += 1
    const answer = page.waitForResponse(/\/api\/auth\/login$/)
    await fillSignIn(page, `sbagliata-${tries}`)
    expect((await answer).status()).toBe(429)
  }).toPass({ intervals: [50], timeout: 25_000 })
  await expect(alert).toContainText('Troppi tentativi. Riprova tra qualche minuto.')
  expect(tries).toBeGreaterThan(3)
})

test('without a connection signing in says so and can be tried again', async ({ page, site }) => {
  await page.goto(`${site.origin}/admin`)
  await page.route(/\/api\/auth\/login$/, (route) => route.abort('internetdisconnected'))
  await fillSignIn(page, account.password)
  await expect(page.getByRole('alert')).toContainText(
    'Connessione assente. Controlla la rete e riprova.',
  )
  await page.unroute(/\/api\/auth\/login$/)
  await page.getByRole('button', { name: italian.accedi }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Buon/ })).toBeVisible()
})

test('a server that cannot be reached is said so, not mistaken for a lost session', async ({
  page,
  house,
}) => {
  await page.route(/\/api\/auth\/session$/, (route) => route.abort('internetdisconnected'))
  await page.goto(`${house.origin}/admin`)
  await expect(page.getByText('Connessione assente. Controlla la rete e riprova.')).toBeVisible()
  await page.unroute(/\/api\/auth\/session$/)
  await page.getByRole('button', { name: italian.riprova }).click()
  await expect(page.getByRole('heading', { name: 'Entra nel pannello' })).toBeVisible()
})

test('who signs out is told, and what was on the screen is gone', async ({ admin }) => {
  const leave = admin.getByRole('button', { name: italian.esci, exact: true })
  await admin.getByLabel(`Menu: ${account.email}`).click()
  const heal = await fail(admin, 'POST', /\/logout$/, 'offline')
  await leave.click()
  await expectFailure(admin, 'L’uscita non è riuscita', 'offline')
  await heal()
  if (await leave.isHidden()) await admin.getByLabel(`Menu: ${account.email}`).click()
  await leave.click()
  await expect(admin.getByText('Sei fuori dal pannello. A presto.')).toBeVisible()
  await admin.reload()
  await expect(admin.getByRole('button', { name: italian.accedi })).toBeVisible()
  const answer = await admin.request.get(`${originOf(admin)}/api/admin/events`)
  expect(answer.status()).toBe(401)
})

test('the password changes when the old one is known; the new one signs in', async ({ admin }) => {
  const changed = 'acqua-calma-e-vento'
  await openArea(admin, 'account', 'Account')
  const save = admin.getByRole('button', { name: 'Salva' })
  await admin.getByLabel('Password attuale').fill('non-la-ricordo-più')
  await admin.getByLabel('Nuova password').fill('corta')
  await expect(save).toBeDisabled()
  await admin.getByLabel('Nuova password').fill(changed)
  await save.click()
  await expect(
    admin
      .getByRole('main')
      .getByText(/password.*(non|errat)/i)
      .first(),
  ).toBeVisible()
  await admin.getByLabel('Password attuale').fill(account.password)
  await admin.getByLabel('Nuova password').fill(changed)
  await save.click()
  await expectToast(admin, 'Password aggiornata')
  await admin.getByLabel(`Menu: ${account.email}`).click()
  await admin.getByRole('button', { name: italian.esci, exact: true }).click()
  await fillSignIn(admin, account.password)
  await expect(admin.getByRole('alert')).toContainText('E-mail o password non corrett')
  await fillSignIn(admin, changed)
  await expect(admin.getByRole('heading', { level: 1, name: italian.account })).toBeVisible()
})

test('the first start makes the account and asks what is missing in four steps', async ({
  page,
  folder,
  atEnd,
}) => {
  const program = await start(join(folder, 'respiro.redb'))
  atEnd(program.stop)
  await page.goto(program.setupLink ?? '')
  await expect(page.getByRole('heading', { name: italian.creaIlTuoAccesso })).toBeVisible()
  await page.getByLabel(italian.eMail).fill(account.email)
  const begin = page.getByRole('button', { name: italian.continua })
  await page.getByRole('textbox', { name: italian.password }).fill('corta')
  await expect(begin).toBeDisabled()
  await page.getByRole('textbox', { name: italian.password }).fill(account.password)
  await begin.click()

  await expect(page.getByText(italian.passo1Di4)).toBeVisible()
  await expectStep(page, 'Chi sei')
  await page.getByLabel(italian.nomeECognome).fill('Anna Prova')
  await begin.click()
  await expect(page.getByText(italian.passo2Di4)).toBeVisible()
  await expectStep(page, 'Come ti contattano')
  await page.getByLabel(italian.eMailPerIVisitatori).fill('nessuna')
  await begin.click()
  await expect(page.getByText(/Scrivi un indirizzo completo/)).toBeVisible()
  await page.getByLabel(italian.eMailPerIVisitatori).fill('anna@example.com')
  await page.getByLabel(italian.telefono).fill('+39 031 555 000')
  await page.route(/\/settings$/, (route) => route.abort('internetdisconnected'))
  await begin.click()
  await expectToast(
    page,
    "Errore nell'aggiornamento",
    'alert',
    'Connessione assente. Controlla la rete e riprova.',
  )
  await page.unroute(/\/settings$/)
  // Regression: the refusal stayed over the step before, where nothing is wrong.
  await page.goBack()
  await expect(page.getByText(italian.passo1Di4)).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await begin.click()
  await expect(page.getByText(italian.passo2Di4)).toBeVisible()
  await begin.click()
  await expect(page.getByText('Passo 3 di 4')).toBeVisible()
  await page.getByLabel('Partita IVA').fill('0123456789')
  await begin.click()
  await expect(page.locator('#vatNumber-problem')).toHaveText(
    'La partita IVA ha 11 cifre: qui sono 10.',
  )
  await page.getByLabel('Partita IVA').fill('01234567897')
  await begin.click()
  await expectStep(page, 'Le intelligenze artificiali')
  const robots = async () => (await page.request.get(`${program.origin}/robots.txt`)).text()
  expect(await robots()).not.toContain('GPTBot')
  await expect(page.getByLabel('Che cosa possono fare')).toHaveValue(
    'Possono citarti, non addestrarsi',
  )
  await begin.click()
  await answerFacts(page)
  expect(await robots()).toContain('User-agent: GPTBot')
  await expect(page.getByRole('heading', { level: 1, name: /^Buon/ })).toBeVisible()
  await expect(page).toHaveTitle('Casa · Admin Panel')
  await page.getByRole('link', { name: italian.testimonianzeCorsisti }).click()
  await expect(page.getByRole('heading', { level: 1, name: italian.adminPanel })).toBeVisible()
  await expect(page).toHaveTitle('Contenuti · Admin Panel')
  await expect(
    page.getByText('14 frasi del sito parlano di te: controlla che siano vere.'),
  ).toBeVisible()
  const home = await (await page.request.get(program.origin)).text()
  expect(home).not.toContain('una psicologa')
  await expect(
    page.getByText(/Al sito mancano ancora: Dove lavori, Numero WhatsApp, Indirizzo/),
  ).toBeVisible()
  const contacts = await (await page.request.get(`${program.origin}/contatti`)).text()
  for (const part of ['+39 031 555 000', 'anna@example.com', '01234567897'])
    expect(contacts).toContain(part)
  // What was answered is not asked again.
  await page.getByRole('button', { name: italian.completaAdesso }).click()
  await expect(page.getByText('Passo 1 di 3')).toBeVisible()
})

/** Expects the next step: the focus is on its heading, which screen readers announce, and the page has its title. */
async function expectStep(page: Page, title: string) {
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeFocused()
  await expect(page).toHaveTitle(`${title} · Admin Panel`)
}

/** Answers the statements about the practitioner: true, hidden on the site at once, or postponed. */
async function answerFacts(page: Page) {
  await expectStep(page, 'È tutto vero?')
  await expect(page.getByText('Frasi da 1 a 5 di 22')).toBeVisible()
  await page.getByRole('button', { name: italian.eVero }).click()
  await expect(page.getByText('Frasi da 6 a 13 di 22')).toBeVisible()
  await expect(page.locator('section', { hasText: 'Frasi da 6 a 13 di 22' })).toBeFocused()
  await page.getByRole('button', { name: 'Avanti' }).click()
  await page.getByRole('button', { name: 'Avanti' }).click()
  await expect(page.getByRole('region', { name: 'La citazione della psicologa' })).toContainText(
    'Frase 18 di 22',
  )
  await page.getByRole('button', { name: 'Nascondi' }).click()
  await expect(page.getByText('Frasi da 19 a 20 di 22')).toBeVisible()
  await page.getByRole('button', { name: italian.eVero }).click()
  await expect(page.getByText('Frasi da 21 a 22 di 22')).toBeVisible()
  await page.getByRole('button', { name: italian.loFaccioDopo }).click()
}

test('other devices are seen and signed out from here, one or all', async ({ admin, fresh }) => {
  const signIn = async (userAgent: string) => {
    const answer = await fetch(`${fresh.origin}/api/auth/login`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: fresh.origin,
        'user-agent': userAgent,
      },
      body: JSON.stringify(account),
    })
    return (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
  }
  const firefox = await signIn('Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0')
  const cookie = await signIn('Altro')
  const status = async (of: string) =>
    (await fetch(`${fresh.origin}/api/admin/events`, { headers: { cookie: of } })).status
  await openArea(admin, 'account', 'Account')
  const here = admin.getByRole('listitem').filter({ hasText: 'Questo dispositivo' })
  await expect(here).toContainText('Ultima attività: adesso')
  const offline = await fail(admin, 'DELETE', /\/sessions\//, 'offline')
  await admin.getByRole('button', { name: 'Esci da qui' }).first().click()
  await expectFailure(admin, "Errore nell'aggiornamento", 'offline')
  await offline()
  const laptop = admin.getByRole('listitem').filter({ hasText: 'Firefox su Linux' })
  await laptop.getByRole('button', { name: 'Esci da qui' }).click()
  await expectToast(admin, 'Accesso chiuso')
  await expect(laptop).toHaveCount(0)
  expect([await status(firefox), await status(cookie)]).toEqual([401, 200])
  await admin.getByRole('button', { name: 'Esci da tutti gli altri' }).click()
  await expectToast(admin, 'Accessi chiusi ovunque tranne qui')
  await expect(admin.getByRole('button', { name: 'Esci da qui' })).toHaveCount(0)
  expect(await status(cookie)).toBe(401)
  await ask(admin, 'GET', '/api/admin/events')
})

test('the second factor is asked once it is on; a recovery code stands in for the telephone', async ({
  admin,
}) => {
  // The server hashes six passwords, and each hash is slow by design.
  test.slow()
  await openArea(admin, 'account', 'Account')
  await admin.getByRole('button', { name: italian.attiva }).click()
  const dialog = admin.getByRole('dialog', { name: italian.attivaLaVerifica })
  // Groups of four characters, for reading and typing by hand.
  const written = (await dialog.getByText(/^([A-Z2-7]{4} )+[A-Z2-7]{1,4}$/).textContent()) ?? ''
  const secret = written.replaceAll(' ', '')
  await dialog.getByLabel('Le sei cifre che mostra l’app').fill('000000')
  await dialog.getByRole('button', { name: 'Conferma' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await dialog.getByLabel('Le sei cifre che mostra l’app').fill(totp(secret, Date.now()))
  await dialog.getByRole('button', { name: 'Conferma' }).click()
  const codes = admin.getByRole('dialog', { name: 'Codici di recupero' })
  // `allTextContents` does not wait, and a busy machine takes a while to create the codes.
  await expect(codes).toBeVisible()
  const recovery = await codes.getByRole('listitem').allTextContents()
  expect(recovery.length).toBeGreaterThanOrEqual(8)
  await codes.getByRole('button', { name: 'Li ho conservati' }).click()
  await expect(admin.getByText(italian.attiva, { exact: true })).toBeVisible()

  await admin.getByLabel(`Menu: ${account.email}`).click()
  await admin.getByRole('button', { name: italian.esci, exact: true }).click()
  await fillSignIn(admin, account.password)
  // Typed on: the digits went into the password field.
  await expect(admin.getByLabel('Codice di verifica')).toBeFocused({ timeout: 60_000 })
  await admin.keyboard.type('123456')
  await expect(admin.getByLabel('Codice di verifica')).toHaveValue('123456')
  await admin.getByRole('button', { name: italian.accedi }).click()
  await expect(admin.getByRole('alert')).toBeVisible()
  await admin.getByLabel('Codice di verifica').fill(recovery[0] ?? '')
  await admin.getByRole('button', { name: italian.accedi }).click()
  await expect(admin.getByRole('heading', { level: 1, name: italian.account })).toBeVisible()
  await admin.getByLabel(`Menu: ${account.email}`).click()
  await admin.getByRole('button', { name: italian.esci, exact: true }).click()
  await fillSignIn(admin, account.password)
  await admin.getByLabel('Codice di verifica').fill(recovery[0] ?? '')
  await admin.getByRole('button', { name: italian.accedi }).click()
  await expect(admin.getByRole('alert'), 'a recovery code serves once').toBeVisible()
  await admin.getByLabel('Codice di verifica').fill(recovery[1] ?? '')
  await admin.getByRole('button', { name: italian.accedi }).click()
  await expect(admin.getByRole('heading', { level: 1, name: italian.account })).toBeVisible()

  await admin.getByRole('button', { name: 'Disattiva' }).focus()
  await admin.keyboard.press('Enter')
  await expect(admin.getByRole('textbox', { name: italian.laTuaPassword })).toBeFocused()
  await admin.keyboard.press('Escape')
  await expect(admin.getByRole('button', { name: 'Disattiva' })).toBeFocused()
  await admin.keyboard.press('Enter')
  const off = admin.getByRole('dialog', { name: 'Disattiva la verifica' })
  await off.getByRole('textbox', { name: italian.laTuaPassword }).fill(account.password)
  await off.getByRole('button', { name: 'Disattiva' }).click()
  await expectToast(admin, 'Verifica in due passaggi disattivata')
})
