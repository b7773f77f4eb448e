// Tests the main workflow: first start, set-up, content, pictures, an event, a restart.

import { join, resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { italian } from './italian'
import { withMotion } from './motion'
import { start } from './program'
import { account, expect, test } from './test'

test.use(withMotion)

const pictures = ['gallery-1.jpg', 'gallery-2.jpg', 'gallery-3.jpg'].map((name) =>
  resolve('../src/importers/demo/pictures', name),
)

async function addTestimonial(page: Page) {
  await page.getByRole('button', { name: italian.aggiungiTestimonianza }).click()
  const dialog = page.getByRole('dialog', { name: italian.nuovaTestimonianza })
  const submit = dialog.getByRole('button', { name: italian.aggiungiTestimonianza })
  await expect(submit).toBeDisabled()
  await dialog.getByLabel(italian.nome).fill('Giulia R.')
  await expect(submit).toBeDisabled()
  await dialog
    .getByRole('textbox', { name: italian.testimonianza })
    .fill("Un'ora che resta. <b>Davvero</b>.")
  await submit.click()
  await expect(page.getByText(italian.testimonianzaAggiuntaConSuccesso)).toBeVisible()
  await expect(dialog).toBeHidden()
}

async function addPhotos(page: Page) {
  await page.getByRole('tab', { name: /Galleria Fotografica/ }).click()
  await page.getByRole('button', { name: italian.aggiungiFoto }).click()
  const dialog = page.getByRole('dialog', { name: italian.nuoveFoto })
  await dialog.locator('input[type=file]').setInputFiles(pictures)
  await dialog.getByRole('button', { name: italian.caricaFoto }).click()
  await expect(page.getByText('3 foto caricate con successo!')).toBeVisible({ timeout: 60_000 })
}

async function addAndPublishEvent(page: Page) {
  await page.getByRole('tab', { name: /Eventi/ }).click()
  await page.getByRole('button', { name: 'Aggiungi Evento' }).click()
  const dialog = page.getByRole('dialog', { name: italian.nuovoEvento })
  await dialog.locator('input[type=file]').setInputFiles(pictures.slice(0, 1))
  await dialog.getByLabel(italian.titolo).fill('Serata sul lago')
  await dialog.getByLabel(italian.data).fill('12 Giugno 2027')
  await dialog.getByLabel(italian.orario).fill('20:30')
  await dialog.getByRole('button', { name: italian.caricaEvento }).click()
  await expect(page.getByText('1 eventi caricati con successo!')).toBeVisible({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Modifica: Serata sul lago' }).click()
  await page.getByRole('dialog').getByRole('button', { name: italian.pubblicaEvento }).click()
  await expect(page.getByText(italian.eventoPubblicatoConSuccesso)).toBeVisible()
  // The closed dialog leaves its history entry a moment later, which would cancel the next address.
  await page.waitForFunction(() => history.state?.layer === undefined)
}

async function expectEverythingPublic(page: Page, origin: string) {
  await page.goto(`${origin}/testimonianze`)
  await expect(page.getByText('Giulia R.')).toBeVisible()
  await expect(page.getByText('Un’ora che resta. <b>Davvero</b>.')).toBeVisible()
  await expect(page.getByText(italian.corsistaRebirthing).first()).toBeVisible()
  await expect(page.locator('main img[src*="/objects/uploads/"]').first()).toBeAttached()
  // A title that is only the name of the file is not for visitors.
  await expect(page.getByText('Foto gallery-3', { exact: false })).toHaveCount(0)
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

test('from an empty data file to a published site that survives a restart', async ({
  page,
  folder,
  atEnd,
}) => {
  test.setTimeout(120_000)
  const file = join(folder, 'respiro.redb')
  let program = await start(file)
  atEnd(() => program.stop())
  expect(program.setupLink).not.toBeNull()
  await page.goto(program.setupLink ?? '')
  await page.getByLabel(italian.eMail).fill(account.email)
  await page.getByRole('textbox', { name: italian.password }).fill(account.password)
  await page.getByRole('button', { name: italian.continua }).click()
  await expect(page.getByText(italian.passo1Di4)).toBeVisible()
  await page.getByRole('button', { name: italian.loFaccioDopo }).click()
  await page.getByRole('link', { name: italian.testimonianzeCorsisti }).click()
  await expect(page.getByRole('heading', { name: italian.adminPanel })).toBeVisible()
  await addTestimonial(page)
  await addPhotos(page)
  await addAndPublishEvent(page)
  await expectEverythingPublic(page, program.origin)
  await program.stop()
  program = await start(file)
  expect(program.setupLink).toBeNull()
  await expectEverythingPublic(page, program.origin)
  // The session is stored in the data file and survives the restart; without its cookie the test signs in anew.
  await page.context().clearCookies()
  await page.goto(`${program.origin}/admin`)
  await page.getByLabel(italian.eMail).fill(account.email)
  await page.getByRole('textbox', { name: italian.password }).fill(account.password)
  await page.getByRole('button', { name: italian.accedi }).click()
  await page.getByRole('link', { name: italian.testimonianzeCorsisti }).click()
  await expect(page.getByRole('button', { name: 'Modifica: Giulia R.' })).toBeVisible()
})

test('a set-up link serves once', async ({ fresh, request }) => {
  const answer = await request.post(`${fresh.origin}/api/auth/setup`, {
    data: { token: 'a'.repeat(52), email: 'b@example.com', password: 'respiro-lento-2' },
    headers: { origin: fresh.origin },
  })
  expect(answer.status()).toBeGreaterThanOrEqual(400)
  expect(answer.status()).toBeLessThan(500)
})
