// Tests of manual actions in 'Pagine': hide and show, restore the original text, drag, and illustrations.

import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { pictures } from './admin-kinds'
import { ask, expect } from './admin-kit'
import { originOf, toast } from './admin-screen'
import { italian } from './italian'
import {
  drag,
  drawnMs,
  letGo,
  openPage,
  plainly,
  publicText,
  publish,
  reset,
  test,
} from './pages-kit'

/** Titles of the services themselves; the list of links to them has the same text. */
const TITLES = ':is(h2, h2 *)[data-words^="servizi.offers:offers"][data-words$=".title"]'

/** Returns the HTML between the head and the embedded page data. */
async function shownOn(panel: Page, path: string): Promise<string> {
  const html = await publicText(panel, path)
  return html.slice(html.indexOf('<main'), html.indexOf('id="page-data"'))
}

test('a part of a page is hidden from visitors and shown again', async ({ panel }) => {
  await openPage(panel, 'servizi')
  await panel.getByRole('button', { name: 'Cosa aspettarti' }).click()
  const side = panel.getByRole('complementary', { name: 'Cosa aspettarti' })
  await side.getByRole('button', { name: 'Nascondi sul sito' }).click()
  await expect(side.getByText('Nascosto: chi visita il sito non lo vede')).toBeVisible()
  expect(await shownOn(panel, '/servizi')).toContain('Cosa Aspettarti dalle Sessioni')
  await publish(panel)
  expect(await shownOn(panel, '/servizi')).not.toContain('Cosa Aspettarti dalle Sessioni')
  // The page no longer shows it; the list beside it does, marked as hidden.
  await panel.reload()
  const row = panel.getByRole('button', { name: 'Cosa aspettarti' })
  await expect(row).toContainText('Nascosta')
  await row.click()
  await side.getByRole('button', { name: 'Mostra sul sito' }).click()
  await publish(panel)
  expect(await shownOn(panel, '/servizi')).toContain('Cosa Aspettarti dalle Sessioni')
})

test('words go back to the ones the site was born with', async ({ panel }) => {
  const { value } = await ask<{ value: object }>(panel, 'GET', '/api/admin/words/servizi.hero')
  await ask(panel, 'PUT', '/api/admin/words/servizi.hero', {
    value: { ...value, title: 'Titolo mio', subtitle: 'Sottotitolo mio' },
  })
  const frame = await openPage(panel, 'servizi')
  const title = frame.getByRole('textbox', { name: italian.aperturaTitolo })
  await expect(title).toHaveText('Titolo mio')
  await title.click()
  const original = panel.getByRole('button', {
    name: 'Ripristina il testo originale',
    exact: true,
  })
  await original.click()
  await expect(title).toHaveText(italian.iNostriServizi, { timeout: drawnMs })
  await expect(original).toHaveCount(0)
  // Restoring is a change like any other: one undo reverts it.
  await panel.getByRole('button', { name: /^Annulla: / }).click()
  await expect(title).toHaveText('Titolo mio', { timeout: drawnMs })
  await original.click()
  await publish(panel)
  expect(await shownOn(panel, '/servizi')).toContain('I Nostri Servizi</h1>')
  const block = await ask<{ changed: boolean }>(panel, 'GET', '/api/admin/words/servizi.hero')
  // The block is not a copy of the original text: a new version of the program updates it.
  expect(block.changed).toBe(false)
})

test('an entry is dragged by its handle on the page and in the form', async ({ panel }) => {
  await panel.setViewportSize({ width: 1440, height: 1400 })
  const frame = await openPage(panel, 'servizi')
  const names = frame.locator(TITLES)
  const [first = '', second = '', third = ''] = (await names.allTextContents()).map(plainly)
  await names.first().hover()
  await drag(panel, frame.getByRole('button', { name: `Sposta: ${first}` }), names.nth(1))
  // The drop position is visible before the pointer is released.
  await expect(frame.locator('[data-words-target]')).toContainText(second)
  await panel.mouse.up()
  await expect(frame.locator('[data-words-target]')).toHaveCount(0)
  await expect(names.first()).toHaveText(second, { timeout: drawnMs })
  await expect(names.nth(1)).toHaveText(first)

  await panel.getByRole('button', { name: italian.iServizi }).click()
  const side = panel.getByRole('complementary', { name: italian.iServizi })
  const grip = (name: string) => side.getByRole('button', { name: `Sposta: ${name}`, exact: true })
  await drag(panel, grip(third), grip(second))
  await panel.mouse.up()
  await expect(names.first()).toHaveText(third, { timeout: drawnMs })
  await panel.getByRole('button', { name: /^Annulla: / }).click()
  await expect(names.first()).toHaveText(second, { timeout: drawnMs })
  await publish(panel)
  const page = await shownOn(panel, '/servizi')
  expect(page.indexOf(second)).toBeLessThan(page.indexOf(first))
  await reset(panel, 'servizi.offers')
})

test('her own picture takes the place of the drawing, with point and words, and gives it back', async ({
  panel,
}) => {
  test.slow()
  const frame = await openPage(panel, 'contatti')
  const before = await shownOn(panel, '/contatti')
  const place = frame.locator('[data-words-picture="contatti.hero:picture"]').first()
  await expect(place).toBeVisible({ timeout: drawnMs })
  await letGo(place)
  await expect(toast(panel)).toContainText('Immagine sostituita', { timeout: 60_000 })
  const side = panel.getByRole('complementary', { name: italian.apertura })
  await side.getByLabel(italian.testoAlternativo).fill('La sala degli incontri')
  await side.getByText(italian.cheCosaNonTagliare).click()
  const point = side.getByRole('button', { name: /^Punto da non tagliare/ })
  await point.focus()
  await panel.keyboard.press('Shift+ArrowLeft')
  await publish(panel)
  const hers = await shownOn(panel, '/contatti')
  expect(hers).toContain('alt="La sala degli incontri"')
  expect(hers).toMatch(/\/objects\/uploads\/[a-z2-7]{26}\//)

  await side.getByRole('button', { name: 'Torna al disegno' }).click()
  await expect(side.locator(':focus')).toHaveCount(1)
  await panel.getByRole('button', { name: italian.pubblica, exact: true }).click()
  // The success message of the former publication may still be visible.
  const shown = () => shownOn(panel, '/contatti')
  await expect.poll(shown, { timeout: drawnMs }).not.toContain('/objects/uploads/')
  const drawn = (html: string) => /src="(\/assets[^"]+)"/.exec(html)?.[1]
  expect(drawn(await shown())).toBe(drawn(before))
  expect(drawn(before)).toBeTruthy()
})

test('every opening picture has its point and its real crops beside it', async ({ panel }) => {
  test.slow()
  const openings = ['servizi', 'eventi', 'blog', 'testimonianze', 'rebirthing', 'contatti']
  await openPage(panel, 'servizi')
  const { uploadURL } = await ask<{ uploadURL: string }>(panel, 'POST', '/api/admin/upload')
  const stored = await panel.request.put(uploadURL, { data: readFileSync(pictures[0] ?? '') })
  expect(stored.ok()).toBe(true)
  const path = `/objects/uploads/${new URL(uploadURL).pathname.split('/').at(-1)}`
  for (const page of openings) {
    const { value } = await ask<{ value: object }>(panel, 'GET', `/api/admin/words/${page}.hero`)
    const picture = { path, alt: '', decorative: true, focusX: 50, focusY: 50 }
    await ask(panel, 'PUT', `/api/admin/words/${page}.hero`, { value: { ...value, picture } })
    await panel.goto(
      `${originOf(panel)}/admin#/pagine/${page}/${encodeURIComponent(`${page}.hero:picture`)}`,
    )
    await panel.reload()
    const side = panel.getByRole('complementary', { name: italian.apertura })
    // Regression: the openings of five pages had neither cut preview nor focus point.
    await side.getByText(italian.cheCosaNonTagliare).click({ timeout: drawnMs })
    await expect(side.locator('figure img').first()).toBeVisible()
    await reset(panel, `${page}.hero`)
  }
})
