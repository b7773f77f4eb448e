// Tests that running uploads and recently typed text are not lost: in an article, in a page, beside an offered draft.

import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { pictures } from './admin-kinds'
import { ask, expect, forget, forgetDrafts, type Item, makeTestimonial } from './admin-kit'
import { leaveLayer, openKind, originOf, toast } from './admin-screen'
import { goToEnd, makeArticle, openArticle, saveArticle, slowMs, textOf } from './article-sheet'
import { italian } from './italian'
import { drawnMs, publicText, publish, reset, test } from './pages-kit'

const [first = '', second = ''] = pictures

/** Blocks every upload until the caller calls the returned function. */
async function holdUploads(panel: Page): Promise<() => void> {
  let go: () => void = () => undefined
  const held = new Promise<void>((done) => {
    go = done
  })
  await panel.route(/\/api\/admin\/upload$/, async (route) => {
    await held
    await route.continue()
  })
  return go
}

async function paste(target: Locator, file: string) {
  await target.evaluate((element, content) => {
    const clipboardData = new DataTransfer()
    const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))
    clipboardData.items.add(new File([bytes], 'sala.jpg', { type: 'image/jpeg' }))
    const init = { bubbles: true, cancelable: true, clipboardData }
    element.dispatchEvent(new ClipboardEvent('paste', init))
  }, readFileSync(file).toString('base64'))
}

/** Opens the form of one field of a page. */
async function openPlace(panel: Page, page: string, place: string, label: string) {
  await panel.goto(`${originOf(panel)}/admin#/pagine/${page}/${encodeURIComponent(place)}`)
  await panel.reload()
  return panel.getByRole('complementary', { name: label })
}

// Regression: a save or close during the upload lost the picture, and the toast reported success.
test('an article waits for a picture that is on its way into its text', async ({ panel }) => {
  test.slow()
  const item = await makeArticle(panel, 'In arrivo', { content: 'Prima.' })
  const dialog = await openArticle(panel, 'In arrivo')
  await goToEnd(panel, dialog)
  await panel.keyboard.press('Enter')
  await panel.keyboard.type('Dopo.')
  const go = await holdUploads(panel)
  await paste(textOf(dialog), first)
  await expect(textOf(dialog).getByText('Caricamento di sala.jpg')).toBeVisible()
  const save = dialog.getByRole('button', { name: italian.salvaModifiche })
  await expect(save).toBeDisabled()
  await panel.keyboard.press('Control+s')
  await dialog.getByRole('button', { name: italian.chiudi, exact: true }).click()
  await panel.getByRole('button', { name: italian.continuaAScrivere }).click({ timeout: 10_000 })
  go()
  await expect(textOf(dialog).locator('figure img')).toHaveCount(1, { timeout: slowMs })
  await saveArticle(panel, dialog)
  const { content } = await ask<Item>(panel, 'GET', `/api/admin/blog/${item.id}`)
  expect(content).toMatch(/^Prima\.\n\nDopo\.\n\n!\[\]\(\/objects\/uploads\/[a-z2-7]{26}\)$/)
  await forget(panel, 'blog', item.id)
})

// Regression: closing the form cancelled the upload, and publishing went on without the picture.
test('a picture of a page arrives after its form was left, and publishing waits', async ({
  panel,
}) => {
  test.slow()
  const side = await openPlace(panel, 'contatti', 'contatti.hero:title', italian.apertura)
  await side.locator('[id="w-contatti.hero-title"]').fill('Scrivimi', { timeout: drawnMs })
  const go = await holdUploads(panel)
  await side.locator('input[type=file]').setInputFiles(first)
  await expect(side.getByRole('progressbar')).toBeVisible()
  await side.getByRole('button', { name: italian.questaPagina }).click()
  await panel.getByRole('button', { name: italian.pubblica, exact: true }).click()
  await expect(panel.getByRole('button', { name: "In attesa di un'immagine..." })).toBeVisible()
  go()
  await expect(toast(panel)).toContainText(/aggiorna(ta|te) in/, { timeout: drawnMs })
  const page = await publicText(panel, '/contatti')
  expect(page).toContain('Scrivimi</h1>')
  expect(page).toContain('/objects/uploads/')

  // Regression: the description of the former picture was kept for another one.
  await openPlace(panel, 'contatti', 'contatti.hero:picture', italian.apertura)
  const alt = side.getByLabel(italian.testoAlternativo)
  await alt.fill('La sala', { timeout: drawnMs })
  const former = await side.getByAltText(italian.immagineAttuale).getAttribute('src')
  await side.locator('input[type=file]').setInputFiles(second)
  const image = side.getByAltText(italian.immagineAttuale)
  await expect(image).not.toHaveAttribute('src', former ?? '', { timeout: drawnMs })
  await expect(alt).toHaveValue('', { timeout: drawnMs })
  await forgetDrafts(panel)
  await reset(panel, 'contatti.hero')
})

// Regression: the page was published without the picture, and the success toast hid the reason.
test('a picture that does not arrive stops what waits for it', async ({ panel }) => {
  const side = await openPlace(panel, 'contatti', 'contatti.hero:title', italian.apertura)
  await side.locator('[id="w-contatti.hero-title"]').fill('Senza foto no', { timeout: drawnMs })
  let refuse: () => void = () => undefined
  const held = new Promise<void>((done) => {
    refuse = done
  })
  await panel.route(/\/api\/admin\/upload$/, async (route) => {
    await held
    await route.fulfill({ status: 507, json: { title: 'Lo spazio è finito' } })
  })
  await side.locator('input[type=file]').setInputFiles(first)
  await expect(side.getByRole('progressbar')).toBeVisible()
  await panel.getByRole('button', { name: italian.pubblica, exact: true }).click()
  refuse()
  const alert = toast(panel).getByRole('alert')
  await expect(alert).toContainText("Non pubblicato: un'immagine non è arrivata.")
  await expect(alert).toContainText('Lo spazio è finito')
  expect(await publicText(panel, '/contatti')).not.toContain('Senza foto no')
  await forgetDrafts(panel)
})

// Regression: Ctrl+Enter inside a text did not publish, and would have left out its last characters.
test('Ctrl and Enter in a long text publish its last words too', async ({ panel }) => {
  const path = 'legal.cookies:sections[0].text'
  const side = await openPlace(panel, 'cookie', path, 'Cookie Policy')
  const text = side.locator('[contenteditable=true]').first()
  await expect(text).toBeVisible({ timeout: drawnMs })
  await text.focus()
  await panel.keyboard.press('Control+Home')
  await panel.keyboard.insertText('Appena scritto. ')
  await panel.keyboard.press('Control+Enter')
  await expect(toast(panel)).toContainText(/aggiornat/, { timeout: drawnMs })
  expect(await publicText(panel, '/cookies')).toContain('Appena scritto.')
  await reset(panel, 'legal.cookies')
})

// Regression: the first key press overwrote the stored draft, and 'Riprendi' then overwrote the new text.
test('what is typed beside an offer of text loses neither', async ({ panel }) => {
  const made = await makeTestimonial(panel, 'Ada Z.')
  await openKind(panel, 'course-testimonials')
  const edit = panel.getByRole('button', { name: 'Modifica: Ada Z.' })
  const dialog = panel.getByRole('dialog', { name: italian.modificaTestimonianza })
  const job = dialog.getByLabel(italian.professione)
  const said = dialog.getByLabel('Testimonianza', { exact: false }).first()
  const offer = dialog.getByText(/C’è del testo che non hai salvato/)
  const takeBack = dialog.getByRole('button', { name: italian.riprendi })
  await edit.click()
  await job.fill('Apicoltrice')
  await panel.keyboard.press('Escape')
  await edit.click()
  await expect(offer).toBeVisible()
  await said.fill('Altre parole.')
  await job.fill('Sarta')
  // Without an answer both drafts are kept; the next visit offers the newest first.
  await leaveLayer(panel)
  await panel.reload()
  await edit.click()
  await takeBack.click()
  await expect(job).toHaveValue('Sarta')
  await expect(said).toHaveValue('Altre parole.')
  await expect(offer).toBeVisible()
  await takeBack.click()
  await expect(job).toHaveValue('Apicoltrice')
  await expect(said).toHaveValue('Altre parole.')
  // The draft that was replaced is offered in turn.
  await takeBack.click()
  await expect(job).toHaveValue('Sarta')
  await dialog.getByRole('button', { name: italian.scarta }).click()
  await expect(offer).toHaveCount(0)
  await dialog.getByRole('button', { name: italian.salvaModifiche }).click()
  await expect(dialog).toHaveCount(0)
  await edit.click()
  await expect(job).toHaveValue('Sarta')
  await expect(offer).toHaveCount(0)
  await panel.keyboard.press('Escape')
  await forget(panel, 'course-testimonials', made.id)
})

// Regression: '333 12 34 567' became wa.me/3331234567 on the page, and tel:3331234567 in an article.
test('numbers that links lead to are read with their country', async ({ panel }) => {
  test.slow()
  const side = await openPlace(panel, 'contatti', 'contatti.ways:phoneLink', 'I modi per scriverti')
  const kind = side.locator('[id="w-contatti.ways-phoneLink"]')
  await kind.selectOption('messaging', { timeout: drawnMs })
  const number = side.getByLabel('Numero')
  await number.fill('333 12 34 567')
  await expect(side.getByText('Si legge +39 333 123 4567')).toBeVisible()
  await number.blur()
  await expect(number).toHaveValue('+39 333 123 4567')
  await publish(panel)
  expect(await publicText(panel, '/contatti')).toContain('https://wa.me/393331234567')
  await reset(panel, 'contatti.ways')

  const item = await makeArticle(panel, 'Numeri', { content: 'Chiama' })
  const dialog = await openArticle(panel, 'Numeri')
  const link = async (typed: string) => {
    await textOf(dialog).focus()
    await goToEnd(panel, dialog)
    await panel.keyboard.press('Control+a')
    await panel.keyboard.press('Control+k')
    await dialog.getByRole('combobox', { name: 'Link' }).fill(typed)
    await panel.keyboard.press('Enter')
  }
  await link('0212345678')
  await expect(dialog.getByRole('alert')).toContainText('Manca il prefisso del Paese')
  await dialog.getByRole('button', { name: '+39 02 1234 5678' }).click()
  await expect(textOf(dialog).locator('a')).toHaveAttribute('href', 'tel:+390212345678')
  await link('333 12 34 567')
  await expect(textOf(dialog).locator('a')).toHaveAttribute('href', 'tel:+393331234567')
  await saveArticle(panel, dialog)
  await forget(panel, 'blog', item.id)
})

// Regression: for text low in the window the reason and the number suggestions were below its edge.
test('why a link was refused comes into view', async ({ panel }) => {
  const content = `${'Riga\n\n'.repeat(12)}Chiama${'\n\nRiga'.repeat(12)}`
  const item = await makeArticle(panel, 'In fondo', { content })
  const dialog = await openArticle(panel, 'In fondo')
  await textOf(dialog).getByText('Chiama').dblclick()
  await panel.keyboard.press('Control+k')
  const field = dialog.getByRole('combobox', { name: 'Link' })
  await field.fill('0212345678')
  await field.evaluate((input) => input.closest('fieldset')?.scrollIntoView({ block: 'end' }))
  await panel.keyboard.press('Enter')
  const choice = dialog.getByRole('button', { name: '+39 02 1234 5678' })
  await expect(choice).toBeInViewport({ ratio: 1 })
  await panel.keyboard.press('Escape')
  await panel.keyboard.press('Escape')
  await forget(panel, 'blog', item.id)
})
