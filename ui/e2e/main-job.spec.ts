// The main job, as a person does it: first start, set-up, contents, pictures, an event, a restart.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Page, test as plain } from '@playwright/test'
import { start } from './program'
import { account, expect, test } from './test'

const pictures = ['gallery-1.jpg', 'gallery-2.jpg', 'gallery-3.jpg'].map((name) =>
  resolve('../src/demo/pictures', name),
)

async function addTestimonial(page: Page) {
  await page.getByRole('button', { name: 'Aggiungi Testimonianza' }).click()
  const dialog = page.getByRole('dialog', { name: 'Nuova Testimonianza' })
  const submit = dialog.getByRole('button', { name: 'Aggiungi Testimonianza' })
  await expect(submit).toBeDisabled()
  await dialog.getByLabel('Nome').fill('Giulia R.')
  await expect(submit).toBeDisabled()
  await dialog
    .getByRole('textbox', { name: 'Testimonianza' })
    .fill("Un'ora che resta. <b>Davvero</b>.")
  await submit.click()
  await expect(page.getByText('Testimonianza aggiunta con successo!')).toBeVisible()
  await expect(dialog).toBeHidden()
}

async function addPhotos(page: Page) {
  await page.getByRole('tab', { name: /Galleria Fotografica/ }).click()
  await page.getByRole('button', { name: 'Aggiungi Foto' }).click()
  const dialog = page.getByRole('dialog', { name: 'Nuove Foto' })
  await dialog.locator('input[type=file]').setInputFiles(pictures)
  await dialog.getByRole('button', { name: 'Carica Foto' }).click()
  await expect(page.getByText('3 foto caricate con successo!')).toBeVisible({ timeout: 60_000 })
}

async function addAndPublishEvent(page: Page) {
  await page.getByRole('tab', { name: /Eventi/ }).click()
  await page.getByRole('button', { name: 'Aggiungi Evento' }).click()
  const dialog = page.getByRole('dialog', { name: 'Nuovo Evento' })
  await dialog.locator('input[type=file]').setInputFiles(pictures.slice(0, 1))
  await dialog.getByLabel('Titolo').fill('Serata sul lago')
  await dialog.getByLabel('Data').fill('12 Giugno 2027')
  await dialog.getByLabel('Orario').fill('20:30')
  await dialog.getByRole('button', { name: 'Carica Evento' }).click()
  await expect(page.getByText('1 eventi caricati con successo!')).toBeVisible({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Modifica: Serata sul lago' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Pubblica Evento' }).click()
  await expect(page.getByText('Evento pubblicato con successo!')).toBeVisible()
}

async function expectEverythingPublic(page: Page, origin: string) {
  await page.goto(`${origin}/testimonianze`)
  await expect(page.getByText('Giulia R.')).toBeVisible()
  await expect(page.getByText('Un’ora che resta. <b>Davvero</b>.')).toBeVisible()
  await expect(page.getByText('Corsista Rebirthing').first()).toBeVisible()
  await expect(page.getByText('Foto gallery-3', { exact: false }).first()).toBeAttached()
  await page.goto(`${origin}/eventi`)
  await page
    .getByRole('link', { name: /Serata sul lago/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'Serata sul lago' })).toBeVisible()
  await expect(page.getByText('12 Giugno 2027').first()).toBeVisible()
  const picture = page.locator('main img[src*="/objects/uploads/"]').first()
  await expect(picture).toBeVisible()
  const width = await picture.evaluate(async (image) => {
    const element = image as HTMLImageElement
    await element.decode()
    return element.naturalWidth
  })
  expect(width).toBeGreaterThan(100)
}

plain('from an empty data file to a published site that survives a restart', async ({ page }) => {
  plain.setTimeout(120_000)
  const folder = mkdtempSync(join(tmpdir(), 'respiro-e2e-'))
  const file = join(folder, 'respiro.redb')
  let program = await start(file)
  expect(program.setupLink).not.toBeNull()
  await page.goto(program.setupLink ?? '')
  await page.getByLabel('E-mail').fill(account.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(account.password)
  await page.getByRole('button', { name: 'Continua' }).click()
  await expect(page.getByText('Passo 1 di 3')).toBeVisible()
  await page.getByRole('button', { name: 'Lo faccio dopo' }).click()
  await expect(page.getByRole('heading', { name: 'Admin Panel' })).toBeVisible()
  await addTestimonial(page)
  await addPhotos(page)
  await addAndPublishEvent(page)
  await expectEverythingPublic(page, program.origin)
  await program.stop()
  program = await start(file)
  expect(program.setupLink).toBeNull()
  await expectEverythingPublic(page, program.origin)
  // The session is in the data file and lives on: signing in again is for another browser.
  await page.context().clearCookies()
  await page.goto(`${program.origin}/admin`)
  await page.getByLabel('E-mail').fill(account.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(account.password)
  await page.getByRole('button', { name: 'Accedi' }).click()
  await expect(page.getByRole('button', { name: 'Modifica: Giulia R.' })).toBeVisible()
  await program.stop()
  rmSync(folder, { recursive: true })
})

test('a set-up link serves once', async ({ fresh, request }) => {
  const answer = await request.post(`${fresh.origin}/api/auth/setup`, {
    data: { token: 'a'.repeat(52), email: 'b@example.com', password: 'respiro-lento-2' },
    headers: { origin: fresh.origin },
  })
  expect(answer.status()).toBeGreaterThanOrEqual(400)
  expect(answer.status()).toBeLessThan(500)
})
