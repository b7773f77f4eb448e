// Tests that the Back button of a phone closes the topmost layer first, and leaves the page after the last one.

import type { Page } from '@playwright/test'
import { pictures } from './admin-kinds'
import { expect, forget, makeTestimonial, test } from './admin-kit'
import { openKind, openUpload, rows } from './admin-screen'
import { makeArticle, openArticle, textOf } from './article-sheet'
import { italian } from './italian'
import { withMotion } from './motion'
import type { Program } from './program'
import { answerCookies } from './test'

test.use(withMotion)

async function visit(page: Page, site: Program, path: string) {
  await answerCookies(page)
  await page.goto(`${site.origin}/contatti`)
  await page.goto(site.origin + path)
  await expect(page.locator('html[data-hydrated]')).toBeAttached()
}

const opener = (page: Page, name: RegExp) =>
  page.getByRole('button', { name }).or(page.getByRole('link', { name })).first()

const things = [
  ['the lightbox', '/testimonianze', /Ingrandisci/],
  ['a list of benefits', '/', /^Scopri i benefici/],
] as const

for (const [what, path, button] of things) {
  test(`Back closes ${what}, a second one leaves the page`, async ({ page, site }) => {
    await visit(page, site, path)
    await opener(page, button).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toBeVisible()
    await expect.poll(() => page.evaluate(() => history.state?.layer)).toBe(1)
    await page.goBack()
    await expect(dialog).toBeHidden()
    expect(new URL(page.url()).pathname).toBe(path)
    await page.goBack()
    await expect(page).toHaveURL(`${site.origin}/contatti`)
  })

  test(`${what} closed by Escape leaves nothing for Back to step over`, async ({ page, site }) => {
    await visit(page, site, path)
    await opener(page, button).click()
    await expect.poll(() => page.evaluate(() => history.state?.layer)).toBe(1)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.evaluate(() => history.state?.layer ?? 0)).toBe(0)
    await page.goBack()
    await expect(page).toHaveURL(`${site.origin}/contatti`)
  })
}

test('Back closes the drawer; its links lead on and Back from there leads here', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 375, height: 800 })
  await visit(page, site, '/eventi')
  const open = page.getByRole('button', { name: italian.apriIlMenu })
  const drawer = page.getByRole('dialog')
  await open.click()
  await expect(drawer).toBeVisible()
  await expect.poll(() => page.evaluate(() => history.state?.layer)).toBe(1)
  await page.goBack()
  await expect(drawer).toBeHidden()
  expect(new URL(page.url()).pathname).toBe('/eventi')
  await open.click()
  await expect(drawer).toBeVisible()
  await drawer.getByRole('link', { name: italian.chiSono }).click()
  await expect(page).not.toHaveURL(`${site.origin}/eventi`)
  const there = page.url()
  await expect(drawer).toBeHidden()
  await page.waitForTimeout(300)
  expect(page.url()).toBe(there)
  await page.goBack()
  await expect(page).toHaveURL(`${site.origin}/eventi`)
  await page.goBack()
  await expect(page).toHaveURL(`${site.origin}/contatti`)
})

test('in the panel Back closes the form, keeps the text and stays on the tab', async ({
  panel,
}) => {
  const made = await makeTestimonial(panel, 'Bice S.')
  await openKind(panel, 'events')
  await openKind(panel, 'course-testimonials')
  await panel.reload()
  await panel.getByRole('button', { name: 'Modifica: Bice S.' }).click()
  const dialog = panel.getByRole('dialog')
  await dialog.getByLabel(italian.professione).fill('Ostetrica')
  await expect.poll(() => panel.evaluate(() => history.state?.layer)).toBe(1)
  await panel.goBack()
  await expect(dialog).toHaveCount(0)
  await expect(panel.getByRole('tab', { name: /Testimonianze Corsisti/ })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await panel.getByRole('button', { name: 'Modifica: Bice S.' }).click()
  await dialog.getByRole('button', { name: italian.riprendi }).click()
  await expect(dialog.getByLabel(italian.professione)).toHaveValue('Ostetrica')
  // Of two stacked dialogs Back closes the upper one first.
  await dialog.getByRole('button', { name: italian.annulla }).click()
  await panel.getByRole('button', { name: 'Elimina: Bice S.' }).click()
  await expect.poll(() => panel.evaluate(() => history.state?.layer)).toBe(1)
  await panel.goBack()
  await expect(panel.getByRole('alertdialog')).toHaveCount(0)
  await expect(rows(panel).filter({ hasText: 'Bice S.' })).toBeVisible()
  await forget(panel, 'course-testimonials', made.id)
})

// Regression: Back closed the whole form, because the layers over the article text had no history entry.
test('on a phone Back closes the details of an article, then its preview, then the article', async ({
  panel,
}) => {
  test.slow()
  await panel.setViewportSize({ width: 375, height: 740 })
  const item = await makeArticle(panel, 'Passo indietro', { content: 'Parole.' })
  const dialog = await openArticle(panel, 'Passo indietro')
  const layer = () => panel.evaluate(() => history.state?.layer)
  await expect.poll(layer).toBe(1)
  for (const name of ['Anteprima', 'Dettagli']) {
    await dialog.getByRole('button', { name, exact: true }).click()
  }
  await expect(dialog.getByLabel(italian.riassunto)).toBeVisible()
  await expect.poll(layer).toBe(3)
  await panel.goBack()
  await expect(dialog.getByLabel(italian.riassunto)).toBeHidden()
  await expect(dialog.locator('iframe')).toBeVisible()
  await expect.poll(layer).toBe(2)
  await panel.goBack()
  await expect(dialog.locator('iframe')).toHaveCount(0)
  await expect(textOf(dialog)).toBeVisible()
  await expect.poll(layer).toBe(1)
  await panel.goBack()
  await expect(dialog).toHaveCount(0)
  await forget(panel, 'blog', item.id)
})

test('Back closes the upper of two dialogs first', async ({ panel }) => {
  await openKind(panel, 'events')
  const row = rows(panel).filter({ hasText: italian.ilRespiroPrimaDellaGara })
  await row.getByRole('button', { name: /^Modifica: / }).click()
  await panel.getByRole('button', { name: italian.condividiBozza }).click()
  const upper = panel.getByRole('dialog', { name: italian.condividiLaBozza })
  const lower = panel.getByRole('dialog', { name: italian.modificaEvento })
  await expect(upper).toBeVisible()
  await expect.poll(() => panel.evaluate(() => history.state?.layer)).toBe(2)
  await panel.goBack()
  await expect(upper).toHaveCount(0)
  await expect(lower).toBeVisible()
  await panel.goBack()
  await expect(lower).toHaveCount(0)
  await expect(row).toBeVisible()
})

test('a picture that was chosen survives Back and a reload, as its texts do', async ({ panel }) => {
  test.slow()
  const dialog = await openUpload(panel, 'photo-gallery')
  await dialog
    .locator('input[type=file]')
    .first()
    .setInputFiles(pictures[0] ?? '')
  await expect(dialog.getByText(italian.caricata, { exact: true })).toBeVisible({ timeout: 25_000 })
  await dialog.getByLabel(italian.titolo).fill('Una sera di giugno')
  await panel.goBack()
  await expect(dialog).toHaveCount(0)
  await panel.reload()
  await openUpload(panel, 'photo-gallery')
  await dialog.getByRole('button', { name: italian.riprendi }).click()
  await expect(dialog.getByLabel(italian.titolo)).toHaveValue('Una sera di giugno')
  await expect(dialog.getByText(italian.immaginiSelezionate1)).toBeVisible()
  const made = panel.waitForResponse(
    (answer) => answer.request().method() === 'POST' && answer.url().endsWith('/photo-gallery'),
  )
  await dialog.getByRole('button', { name: italian.caricaFoto }).click()
  const item = await (await made).json()
  expect(item).toMatchObject({ title: 'Una sera di giugno', image: { width: expect.any(Number) } })
  await expect(dialog).toHaveCount(0)
  await forget(panel, 'photo-gallery', item.id)
  // The panel offers no draft of the published item.
  await openUpload(panel, 'photo-gallery')
  await expect(dialog.getByRole('button', { name: italian.riprendi })).toHaveCount(0)
})
