// Tests of the confirmation before a sensitive operation. A restart of the server ends the ten minutes of a sign-in.

import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectToast } from './admin-screen'
import { authenticator } from './authenticator'
import { italian } from './italian'
import { freePort, start } from './program'
import { account } from './template'
import { expect, expectAccessible, test } from './test'

const CONFIRM = 'Conferma che sei tu'

async function signIn(page: Page, origin: string, area: 'Account' | 'Backup') {
  await page.goto(`${origin}/admin#/${area.toLowerCase()}`)
  await page.getByLabel(italian.eMail).fill(account.email)
  await page.getByRole('textbox', { name: italian.password }).fill(account.password)
  await page.getByRole('button', { name: italian.accedi, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: area })).toBeVisible()
}

function programOn(folder: string, port: number) {
  const data = join(folder, 'respiro.redb')
  const origin = `http://localhost:${port}`
  return start(data, ['--public-url', origin], `127.0.0.1:${port}`)
}

test('a backup is downloaded by keyboard once the password is confirmed, then for ten minutes without', async ({
  page,
  folder,
}) => {
  copyFileSync(process.env.RESPIRO_TEMPLATE ?? '', join(folder, 'respiro.redb'))
  const port = await freePort()
  const origin = `http://localhost:${port}`
  let program = await programOn(folder, port)
  try {
    await signIn(page, origin, 'Backup')
    await program.stop()
    program = await programOn(folder, port)

    const link = page.getByRole('link', { name: 'Scarica la copia' })
    await link.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: CONFIRM })
    const password = dialog.getByRole('textbox', { name: italian.laTuaPassword })
    await expect(password).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(link).toBeFocused()
    await expect(page.getByRole('alert')).toContainText('Scrivi la tua password')

    await page.keyboard.press('Enter')
    await expect(password).toBeFocused()
    await page.keyboard.type('non è questa')
    await page.keyboard.press('Enter')
    await expect(dialog.getByText('La password attuale non è corretta')).toBeVisible()
    await expect(password).toBeFocused()
    await password.fill(account.password)
    const download = page.waitForEvent('download')
    await page.keyboard.press('Enter')
    expect((await download).suggestedFilename()).toMatch(/^respiro-.*\.redb$/)
    await expect(dialog).toHaveCount(0)

    await page.goto(`${origin}/admin#/account`)
    await page.getByRole('button', { name: italian.attiva, exact: true }).click()
    await expect(page.getByRole('dialog', { name: italian.attivaLaVerifica })).toBeVisible()
    await expect(dialog).toHaveCount(0)
  } finally {
    await program.stop()
  }
})

test('the request is repeated after a passkey, and a password typed beside it is not asked twice', async ({
  page,
  folder,
}) => {
  copyFileSync(process.env.RESPIRO_TEMPLATE ?? '', join(folder, 'respiro.redb'))
  const port = await freePort()
  const origin = `http://localhost:${port}`
  let program = await programOn(folder, port)
  const dialog = page.getByRole('dialog', { name: CONFIRM })
  try {
    const device = await authenticator(page)
    await signIn(page, origin, 'Account')
    await program.stop()
    program = await programOn(folder, port)

    await page.getByRole('button', { name: 'Aggiungi una passkey' }).click()
    const add = page.getByRole('dialog', { name: 'Aggiungi una passkey' })
    await add.getByLabel('Nome della passkey').fill('Il mio telefono')
    await add.getByRole('textbox', { name: italian.laTuaPassword }).fill(account.password)
    await add.getByRole('button', { name: italian.continua }).click()
    await expectToast(page, 'Passkey aggiunta')
    await expect(dialog).toHaveCount(0)

    await program.stop()
    program = await programOn(folder, port)
    await page.getByRole('button', { name: 'Rimuovi: Il mio telefono' }).click()
    const question = page.getByRole('alertdialog', { name: /Rimuovere la passkey/ })
    await question.getByRole('button', { name: 'Rimuovi' }).click()
    await expect(dialog).toBeVisible()
    const passkey = dialog.getByRole('button', { name: 'Usa una passkey' })
    await device.verifies(false)
    await passkey.click()
    await expect(dialog.getByRole('alert')).toContainText('non ha fornito una passkey')
    await device.verifies(true)
    await passkey.click()
    await expectToast(page, 'Passkey rimossa')
    await expect(dialog).toHaveCount(0)
    await expect(page.getByText('Il mio telefono')).toHaveCount(0)
  } finally {
    await program.stop()
  }
})
