// Tests of 'Versioni' and of rejected changes: no text of another tab is overwritten, and each version can be found.

import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { pictures } from './admin-kinds'
import { ask, expect } from './admin-kit'
import { originOf, toast } from './admin-screen'
import { italian } from './italian'
import { drawnMs, openPage, publicText, publish, reset, test } from './pages-kit'
import { expectAccessible } from './test'

const HERO = '/api/admin/words/servizi.hero'

/** Publishes titles as another tab does, bypassing the panel. */
async function publishTitles(panel: Page, ...titles: readonly string[]) {
  const { value } = await ask<{ value: object }>(panel, 'GET', HERO)
  for (const title of titles) await ask(panel, 'PUT', HERO, { value: { ...value, title } })
}

async function openVersions(panel: Page) {
  await panel.getByRole('button', { name: italian.apertura }).first().click()
  await panel.getByRole('button', { name: 'Versioni' }).click()
  return panel.getByRole('dialog', { name: 'Versioni' })
}

test('a version that comes back does not overwrite what another tab published', async ({
  panel,
}) => {
  await publishTitles(panel, 'Prima', 'Seconda')
  await openPage(panel, 'servizi')
  const dialog = await openVersions(panel)
  await expect(dialog.locator('dd ins')).toContainText('Prima')
  await publishTitles(panel, 'Altrui')
  await dialog.getByRole('button', { name: 'Torna a questa' }).click()
  await expect(toast(panel).getByRole('alert')).toContainText('È cambiato ancora')
  expect(await publicText(panel, '/servizi')).toContain('Altrui</h1>')
  // The same version is now compared with the published text.
  await expect(dialog.locator('dd del')).toContainText('Altrui')
  await expect(dialog.locator('dd ins')).toContainText('Prima')
  await dialog.getByRole('button', { name: 'Torna a questa' }).click()
  await expect(toast(panel)).toContainText('Tornata la versione')
  await expect(toast(panel).getByRole('link', { name: 'Guardala in Servizi' })).toBeVisible()
  expect(await publicText(panel, '/servizi')).toContain('Prima</h1>')
  await reset(panel, 'servizi.hero')
})

// Regression: another tab was blamed, because the draft began
// before that tab's version, which the admin had just replaced.
test('a clash with a version that she went back to herself names no other tab', async ({
  panel,
}) => {
  await publishTitles(panel, 'Prima', 'Seconda')
  const frame = await openPage(panel, 'servizi')
  await frame.getByRole('textbox', { name: italian.aperturaTitolo }).click()
  await panel.getByLabel(italian.titolo, { exact: true }).first().fill('Mia bozza')
  await publishTitles(panel, 'Altrui')
  await panel.getByRole('button', { name: 'Versioni' }).click()
  const dialog = panel.getByRole('dialog', { name: 'Versioni' })
  await expect(dialog.locator('dd del')).toContainText('Altrui')
  // A return to the version that the draft is based on would not conflict.
  await dialog.getByRole('navigation').getByRole('button').nth(1).click()
  await expect(dialog.locator('dd ins')).toContainText('Prima')
  await dialog.getByRole('button', { name: 'Torna a questa' }).click()
  await expect(toast(panel)).toContainText('Tornata la versione')
  await panel.getByRole('button', { name: italian.pubblica, exact: true }).click()
  const clash = panel.getByRole('dialog', { name: 'Questo testo è cambiato anche qui' })
  await expect(clash).toContainText('in questa stessa scheda hai pubblicato', { timeout: drawnMs })
  await expect(clash).not.toContainText("un'altra scheda")
  await expect(clash).toContainText('Mia bozza')
  await panel.keyboard.press('Escape')
  await reset(panel, 'servizi.hero')
})

test('an Annulla that comes too late leads to the versions', async ({ panel }) => {
  const frame = await openPage(panel, 'servizi')
  await frame.getByRole('textbox', { name: italian.aperturaTitolo }).click()
  await panel.getByLabel(italian.titolo, { exact: true }).first().fill('Mio titolo')
  await publish(panel)
  await publishTitles(panel, 'Altrui')
  await toast(panel).getByRole('button', { name: italian.annulla }).click()
  await expect(toast(panel).getByRole('alert')).toContainText('lo trovi in Versioni')
  await expect(toast(panel)).not.toContainText('scegli')
  await toast(panel).getByRole('link', { name: 'Versioni' }).click()
  const dialog = panel.getByRole('dialog', { name: 'Versioni' })
  await expect(dialog.locator('dd ins')).toContainText('Mio titolo')
  await expect(dialog.locator('dd del')).toContainText('Altrui')
  // Regression: after closing, a reload opened the dialog again, because the address still named it.
  await panel.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(panel).toHaveURL(/#\/pagine\/servizi\/servizi\.hero%3A$/)
  await panel.reload()
  await expect(panel.getByRole('complementary', { name: italian.apertura })).toBeVisible({
    timeout: drawnMs,
  })
  await expect(dialog).toHaveCount(0)
  await reset(panel, 'servizi.hero')
})

for (const width of [1440, 375]) {
  test(`a version can be read whole, by keys alone (${width})`, async ({ panel }) => {
    const timeline = '/api/admin/words/chi-sono.timeline'
    type Timeline = { value: { items: { title: string }[] } }
    const { value } = await ask<Timeline>(panel, 'GET', timeline)
    const [first, ...others] = value.items
    for (const title of ['Il primo respiro', 'Un altro respiro']) {
      const items = [{ ...first, title }, ...others]
      await ask(panel, 'PUT', timeline, { value: { ...value, items } })
    }
    await panel.setViewportSize({ width, height: 740 })
    const place = encodeURIComponent('chi-sono.timeline:@versioni')
    await panel.goto(`${originOf(panel)}/admin#/pagine/chi-sono/${place}`)
    const dialog = panel.getByRole('dialog', { name: 'Versioni' })
    const ways = dialog.getByRole('group', { name: 'Come mostrarla' })
    const texts = dialog.locator('dd')
    await expect(texts).toHaveCount(1, { timeout: drawnMs })
    await ways.getByRole('radio', { name: 'Differenze' }).focus()
    await panel.keyboard.press('ArrowRight')
    await expect(ways.getByRole('radio', { name: 'Testo intero' })).toBeChecked()
    // The heading, and year, title and text of each of the eight milestones.
    await expect(texts.filter({ hasText: 'Il primo respiro' })).toHaveText('Il primo respiro')
    await expect(texts.filter({ hasText: "L'esperienza in ospedale" })).toHaveCount(1)
    expect(await texts.count()).toBeGreaterThanOrEqual(25)
    await expect(dialog.locator('dd :is(ins, del)')).toHaveCount(0)
    await expect(dialog.getByText('sparirebbe')).toHaveCount(0)
    await expectAccessible(panel)
    // The choice also applies to the next version.
    await dialog.getByRole('button', { name: /Testo originale/ }).click()
    await expect(texts.filter({ hasText: "L'incontro con il respiro" })).toHaveCount(1)
    await panel.keyboard.press('Escape')
    await reset(panel, 'chi-sono.timeline')
  })
}

async function upload(panel: Page): Promise<string> {
  const origin = originOf(panel)
  const { uploadURL } = await ask<{ uploadURL: string }>(panel, 'POST', '/api/admin/upload')
  const { pathname, search } = new URL(uploadURL, origin)
  await panel.request.put(origin + pathname + search, {
    headers: { origin, 'content-type': 'image/jpeg' },
    data: readFileSync(pictures[0] ?? ''),
  })
  return `/objects/uploads/${pathname.slice(pathname.lastIndexOf('/') + 1)}`
}

test('versions and clashes show pictures, and what is said of them', async ({ panel }) => {
  const block = '/api/admin/words/chi-sono.hero'
  const { value } = await ask<{ value: object }>(panel, 'GET', block)
  const path = await upload(panel)
  const put = (alt: string, focusX = 50) => {
    const portrait = { path, alt, decorative: false, focusX, focusY: 50 }
    return ask(panel, 'PUT', block, { value: { ...value, portrait } })
  }
  await put('Anna sorride')
  await put('Tazza', 10)
  await openPage(panel, 'chi-sono')
  const dialog = await openVersions(panel)
  await expect(dialog.locator('dd img')).toHaveCount(2)
  await expect(dialog.locator('dd ins').last()).toContainText('Anna sorride')
  await expect(dialog.locator('dd del').last()).toContainText(/^sparirebbe: Tazza\n?Punto .* 10%/)
  await expectAccessible(panel)
  await dialog.getByRole('button', { name: /Testo originale/ }).click()
  await expect(dialog.locator('dd img')).toHaveCount(1)
  await expect(dialog.locator('dd')).not.toContainText('/objects')
  await panel.keyboard.press('Escape')

  await panel.getByRole('textbox', { name: italian.testoAlternativo }).fill('Il mio')
  await put('Altrui')
  await panel.getByRole('button', { name: italian.pubblica, exact: true }).click()
  const clash = panel.getByRole('dialog', { name: italian.questoTestoECambiatoAncheAltrove })
  await expect(clash.locator('label').filter({ hasText: 'Tieni il mio' })).toContainText('Il mio')
  await expect(clash.locator('label').filter({ hasText: "Prendi l'altro" })).toContainText('Altrui')
  await expect(clash.locator('label img')).toHaveCount(2)
  await panel.keyboard.press('Escape')
  await expect(clash).toBeHidden()
  await reset(panel, 'chi-sono.hero')
})

test('on a phone the differences stand beside the press that acts on them', async ({ panel }) => {
  await publishTitles(panel, 'Uno', 'Due', 'Tre', 'Quattro', 'Cinque')
  await panel.setViewportSize({ width: 375, height: 740 })
  await panel.goto(`${originOf(panel)}/admin#/pagine/servizi`)
  await panel.getByRole('button', { name: italian.questaPagina }).click()
  const dialog = await openVersions(panel)
  await expect(dialog.locator('dd ins')).toBeInViewport()
  await expect(dialog.getByRole('button', { name: 'Torna a questa' })).toBeInViewport()
  const original = dialog.getByRole('button', { name: /Testo originale/ })
  await original.focus()
  await expect(original).toBeInViewport()
  await reset(panel, 'servizi.hero')
})

test('a refusal names another page, and leads to its text', async ({ panel }) => {
  const frame = await openPage(panel, 'servizi')
  await frame.getByRole('textbox', { name: italian.aperturaTitolo }).click()
  await panel.getByLabel(italian.titolo, { exact: true }).first().fill('')
  await openPage(panel, 'chi-sono')
  await panel.getByRole('button', { name: italian.pubblica, exact: true }).click()
  await expect(toast(panel).getByRole('alert')).toContainText(
    'in Servizi, Apertura, Titolo manca il testo',
  )
  await expect(panel.getByRole('button', { name: /^Servizi, Apertura, Titolo/ })).toBeVisible()
  await toast(panel).getByRole('link', { name: 'Vai al testo' }).click()
  await expect(panel.getByLabel(italian.titolo, { exact: true }).first()).toHaveAttribute(
    'aria-invalid',
    'true',
    { timeout: drawnMs },
  )
})

for (const [width, colorScheme] of [
  [1440, 'light'],
  [375, 'dark'],
] as const) {
  test(`the card of a page says that a text of it was refused (${width})`, async ({ panel }) => {
    await panel.emulateMedia({ colorScheme })
    const frame = await openPage(panel, 'servizi')
    await frame.getByRole('textbox', { name: italian.aperturaTitolo }).click()
    await panel.getByLabel(italian.titolo, { exact: true }).first().fill('')
    await panel.getByRole('button', { name: italian.pubblica, exact: true }).click()
    await expect(toast(panel).getByRole('alert')).toContainText('manca il testo')
    await panel.setViewportSize({ width, height: 740 })
    await panel.getByRole('link', { name: 'Torna a Pagine' }).click()
    const card = (name: string) =>
      panel.getByRole('listitem').filter({ has: panel.getByRole('link', { name }) })
    const servizi = card(italian.modificaServizi)
    await expect(servizi).toContainText('1 testo da sistemare')
    await expect(servizi).not.toContainText('Pubblicata')
    await expect(card('Modifica: Contatti')).toContainText('Pubblicata')
    await expectAccessible(panel)
    await servizi.getByRole('link', { name: italian.modificaServizi }).click()
    await panel.setViewportSize({ width: 1440, height: 740 })
    await panel.getByRole('button', { name: /^Apertura, Titolo/ }).click({ timeout: drawnMs })
    await panel.getByLabel(italian.titolo, { exact: true }).first().fill('Di nuovo')
    await panel.getByRole('link', { name: 'Torna a Pagine' }).click()
    await expect(servizi).toContainText('Bozza in sospeso')
    await expect(servizi).not.toContainText('da sistemare')
  })
}

// Regression: 'Copiata nella bozza' was shown without a change; whether a block is hidden is part of its version.
test('a version that differs in being shown alone is copied with that', async ({ panel }) => {
  const block = '/api/admin/words/home.quote'
  await ask(panel, 'PUT', block, { hidden: true })
  await ask(panel, 'PUT', block, { hidden: false })
  await panel.goto(`${originOf(panel)}/admin#/pagine/home/${encodeURIComponent('home.quote:')}`)
  await panel.getByRole('button', { name: 'Versioni' }).click({ timeout: drawnMs })
  const dialog = panel.getByRole('dialog', { name: 'Versioni' })
  await expect(dialog.locator('dd ins')).toContainText('nascosta')
  await dialog.getByRole('button', { name: 'Copia nella bozza' }).click()
  await expect(panel.getByRole('button', { name: 'Mostra sul sito' })).toBeVisible()
  await publish(panel)
  expect((await ask<{ hidden: boolean }>(panel, 'GET', block)).hidden).toBe(true)
  await reset(panel, 'home.quote')
})
