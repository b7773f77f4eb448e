// Tests of passkeys with a virtual authenticator of the browser: adding, signing in without the password, removing.

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectToast } from './admin-screen'
import { authenticator } from './authenticator'
import { italian } from './italian'
import { freePort, start } from './program'
import { account } from './template'
import { expect, expectAccessible, test } from './test'

async function signOut(page: Page) {
  await page.getByLabel(`Menu: ${account.email}`).click()
  await page.getByRole('button', { name: italian.esci, exact: true }).click()
}

/** Runs with a server at `localhost`: browsers allow no passkeys at an IP address. */
async function atLocalhost(use: (origin: string) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), 'respiro-passkey-'))
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const data = join(folder, 'respiro.redb')
  copyFileSync(process.env.RESPIRO_TEMPLATE ?? '', data)
  const program = await start(data, ['--public-url', origin], `127.0.0.1:${port}`)
  try {
    await use(origin)
  } finally {
    await program.stop()
    rmSync(folder, { recursive: true })
  }
}

async function signIn(page: Page, origin: string) {
  await page.goto(`${origin}/admin#/account`)
  await page.getByLabel(italian.eMail).fill(account.email)
  await page.getByRole('textbox', { name: italian.password }).fill(account.password)
  await page.getByRole('button', { name: italian.accedi, exact: true }).click()
}

test('a passkey opens the panel without the password until it is removed', async ({ page }) => {
  await atLocalhost(async (origin) => {
    const device = await authenticator(page)
    await signIn(page, origin)
    const add = page.getByRole('button', { name: 'Aggiungi una passkey' })
    await add.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Aggiungi una passkey' })
    await expect(dialog.getByLabel('Nome della passkey')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(add).toBeFocused()
    await page.keyboard.press('Enter')
    await dialog.getByLabel('Nome della passkey').fill('Il mio telefono')
    const password = dialog.getByRole('textbox', { name: italian.laTuaPassword })
    await password.fill('non è questa')
    await dialog.getByRole('button', { name: italian.continua }).click()
    await expect(dialog.getByText('La password attuale non è corretta')).toBeVisible()
    await expectAccessible(page)

    await device.verifies(false)
    await password.fill(account.password)
    await dialog.getByRole('button', { name: italian.continua }).click()
    await expect(dialog.getByRole('alert')).toContainText('non ha creato la passkey')
    await device.verifies(true)
    await dialog.getByRole('button', { name: italian.continua }).click()
    await expectToast(page, 'Passkey aggiunta')
    await expect(page.getByText('Il mio telefono', { exact: true })).toBeVisible()
    await expect(page.getByText(/mai usata/)).toBeVisible()

    await add.click()
    await password.fill(account.password)
    await dialog.getByRole('button', { name: italian.continua }).click()
    await expect(dialog.getByRole('alert')).toContainText('ha già una passkey')
    await dialog.getByRole('button', { name: italian.annulla }).click()

    await signOut(page)
    const enter = page.getByRole('button', { name: 'Accedi con una passkey' })
    await device.verifies(false)
    await enter.click()
    await expect(page.getByRole('alert')).toContainText('non ha fornito una passkey')
    await device.verifies(true)
    const sent = page.waitForRequest(/\/api\/auth\/passkey$/)
    await enter.click()
    await expect(page.getByText(/ultimo accesso/)).toBeVisible()
    const again = await page.request.post(`${origin}/api/auth/passkey`, {
      data: (await sent).postDataJSON(),
      headers: { origin },
    })
    expect(again.status(), 'an answer serves once').toBe(401)

    await page.getByRole('button', { name: 'Rimuovi: Il mio telefono' }).click()
    const question = page.getByRole('alertdialog', { name: /Rimuovere la passkey/ })
    await question.getByRole('button', { name: 'Rimuovi' }).click()
    await expectToast(page, 'Passkey rimossa')
    await expect(page.getByText('Il mio telefono')).toHaveCount(0)
    await signOut(page)
    await enter.click()
    await expect(page.getByRole('alert')).toContainText('Questa passkey non apre il pannello')
  })
})

// Browsers before Safari 18.4, Chrome 129 and Firefox 119.
test('without the JSON methods of the browser a passkey is added and opens the panel', async ({
  page,
}) => {
  await page.addInitScript(() => {
    for (const name of ['parseCreationOptionsFromJSON', 'parseRequestOptionsFromJSON'])
      Reflect.deleteProperty(PublicKeyCredential, name)
    Reflect.deleteProperty(PublicKeyCredential.prototype, 'toJSON')
  })
  await atLocalhost(async (origin) => {
    await authenticator(page)
    await signIn(page, origin)
    await page.getByRole('button', { name: 'Aggiungi una passkey' }).click()
    const dialog = page.getByRole('dialog', { name: 'Aggiungi una passkey' })
    await dialog.getByLabel('Nome della passkey').fill('Un telefono del 2023')
    await dialog.getByRole('textbox', { name: italian.laTuaPassword }).fill(account.password)
    await dialog.getByRole('button', { name: italian.continua }).click()
    await expectToast(page, 'Passkey aggiunta')
    await signOut(page)
    await page.getByRole('button', { name: 'Accedi con una passkey' }).click()
    await expect(page.getByText(/ultimo accesso/)).toBeVisible()
  })
})

test('at a bare address there is no offer that cannot work', async ({ page, site }) => {
  await page.goto(`${site.origin}/admin`)
  await expect(page.getByRole('button', { name: italian.accedi, exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Accedi con una passkey' })).toHaveCount(0)
  const answer = await page.request.post(`${site.origin}/api/auth/passkey/options`, {
    headers: { origin: site.origin },
  })
  expect(answer.status()).toBe(409)
})
