// Tests of the page editor with the keyboard alone. Buttons often disappear with their action; the focus must not fall
// to the window, where Tab starts again at the top and screen readers stay silent.

import type { Page } from '@playwright/test'
import { ask, expect } from './admin-kit'
import { originOf } from './admin-screen'
import { italian } from './italian'
import { drawnMs, openPage, reset, test } from './pages-kit'
import { expectAccessible } from './test'

const PACKAGES = '/api/admin/words/pricing.packages'
const TITLE = '[id="w-servizi.hero-title"]'

async function press(panel: Page, name: string | RegExp) {
  const button = panel.getByRole('button', { name, exact: true }).first()
  await button.focus()
  await panel.keyboard.press('Enter')
}

/** Opens a page on a phone, where its texts are pressed rather than edited in place. */
async function openOnPhone(panel: Page) {
  await panel.goto(`${originOf(panel)}/admin#/pagine/servizi`)
  const frame = panel.frameLocator('iframe')
  await expect(frame.locator('h1')).toBeVisible({ timeout: drawnMs })
  return frame
}

const pressed = (panel: Page) => panel.locator(':focus')

test('the focus goes to what a press opened, and back to where it was', async ({ panel }) => {
  await openPage(panel, 'servizi')
  await press(panel, /^Cosa aspettarti/)
  await expect(panel.getByRole('complementary', { name: 'Cosa aspettarti' })).toBeFocused()
  await press(panel, italian.questaPagina)
  await expect(panel.getByRole('button', { name: /^Cosa aspettarti/ })).toBeFocused()
})

test('it stays beside what goes with its own press', async ({ panel }) => {
  await openPage(panel, 'servizi')
  const publishing = panel.getByRole('button', { name: italian.pubblica, exact: true })
  await publishing.focus()
  // With nothing to publish the button is marked as disabled, and still takes the focus.
  await expect(publishing).toBeFocused()
  await expect(publishing).toBeDisabled()

  await press(panel, /^Cosa aspettarti/)
  const side = panel.getByRole('complementary', { name: 'Cosa aspettarti' })
  await side.getByRole('textbox').first().fill('Un titolo di prova')
  await press(panel, 'Ripristina il testo originale')
  await expect(side.getByRole('button', { name: 'Versioni', exact: true })).toBeFocused()

  await side.getByRole('textbox').first().fill('Un altro titolo')
  await press(panel, italian.scarta)
  const question = panel.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Scarta la modifica' }).focus()
  await panel.keyboard.press('Enter')
  await expect(question).toHaveCount(0)
  await expect(pressed(panel)).toHaveText('Tutto pubblicato')
})

test('who answers the offer of a draft, or publishes from the list, stands on its heading', async ({
  panel,
}) => {
  const frame = await openPage(panel, 'servizi')
  await frame.getByRole('textbox', { name: italian.aperturaTitolo }).fill('Di ieri')
  await panel.keyboard.press('Control+s')
  await panel.reload()
  await press(panel, italian.riprendi)
  await expect(pressed(panel)).toHaveText('Pagina Servizi, in modifica')
  await panel.getByRole('link', { name: 'Torna a Pagine' }).click()
  await press(panel, italian.pubblica)
  await expect(pressed(panel)).toHaveText('Pagine')
  await reset(panel, 'servizi.hero')
})

test('a change that is taken back from the list hands the focus to the next one', async ({
  panel,
}) => {
  const frame = await openPage(panel, 'servizi')
  const title = frame.getByRole('textbox', { name: italian.aperturaTitolo })
  await title.fill('Nuovo')
  await frame.locator('[data-words="servizi.hero:subtitle"]').fill('Nuovo anche questo')
  await press(panel, /modifiche non pubblicate/)
  const list = panel.getByRole('dialog').getByRole('list')
  await list.getByRole('button').first().focus()
  await panel.keyboard.press('Enter')
  await expect(list.getByRole('button')).toHaveCount(1)
  await expect(list.getByRole('button')).toBeFocused()
  await panel.keyboard.press('Enter')
  await expect(pressed(panel)).toHaveText('Tutto pubblicato')
})

// Regression: the last press disabled the button itself, and the focus fell to the window.
for (const width of [1440, 375]) {
  test(`a step back that was the last keeps the focus, and so does one forth (${width})`, async ({
    panel,
  }) => {
    const frame = await openPage(panel, 'servizi')
    await frame.getByRole('textbox', { name: italian.aperturaTitolo }).click()
    const title = panel.getByLabel(italian.titolo, { exact: true }).first()
    await title.fill('Una volta sola')
    await title.blur()
    await panel.setViewportSize({ width, height: 740 })
    for (const [name, none] of [
      [/^Annulla: /, 'Niente da annullare'],
      [/^Ripeti: /, 'Niente da ripetere'],
    ] as const) {
      await panel.getByRole('button', { name }).locator('visible=true').first().focus()
      await panel.keyboard.press('Enter')
      const over = panel.getByRole('button', { name: none }).locator('visible=true').first()
      await expect(over).toBeFocused()
      await expect(over).toBeDisabled()
      // aria-disabled only: an element with the `disabled` property loses the focus in some browsers.
      await expect(over).toHaveJSProperty('disabled', false)
      await panel.keyboard.press('Enter')
      await expect(over).toBeFocused()
    }
    const store = panel.getByRole('button', { name: /^Una modifica non pubblicata/ })
    await expect(store).toBeVisible()
  })
}

for (const [page, heading, list] of [
  ['contatti', /^Domande/, 'contatti.faq-items'],
  // The entries of this list contain lists with move buttons of their own.
  ['servizi', italian.iServizi, 'servizi.offers-offers'],
] as const) {
  test(`an entry keeps the focus on the arrow that moves it, up to the top (${list})`, async ({
    panel,
  }) => {
    await openPage(panel, page)
    await press(panel, heading)
    const entryAt = (index: number) =>
      panel.locator(`[id="w-${list}"] > ol > [data-entry="${index}"]`)
    const upOf = (index: number) =>
      entryAt(index).getByRole('button', { name: 'Sposta su' }).locator('visible=true').last()
    await entryAt(2).locator('summary').first().click()
    await upOf(2).focus()
    await panel.keyboard.press('Enter')
    await expect(upOf(1)).toBeFocused()
    await panel.keyboard.press('Enter')
    await expect(upOf(0)).toBeFocused()
    await expect(upOf(0)).toBeDisabled()
    await expect(upOf(0)).toHaveJSProperty('disabled', false)
    await panel.keyboard.press('Enter')
    await expect(upOf(0)).toBeFocused()
  })
}

test('a hint that is answered hands the focus to the next one, and the last to the panel', async ({
  panel,
}) => {
  const { value } = await ask<{ value: { packages: object[] } }>(panel, 'GET', PACKAGES)
  const packages = value.packages.map((one) => ({ ...one, saving: 'Risparmi 99 €' }))
  await ask(panel, 'PUT', PACKAGES, { value: { ...value, packages } })
  await openPage(panel, 'servizi')
  const hints = panel.getByRole('region', { name: /cont[oi] che non torna/ })
  const answers = hints.getByRole('button', { name: /^Scrivi / })
  await expect(answers.nth(1)).toBeVisible()
  const count = await answers.count()
  await answers.first().focus()
  for (let left = count - 1; left > 0; left -= 1) {
    await panel.keyboard.press('Enter')
    await expect(answers).toHaveCount(left)
    await expect(answers.first()).toBeFocused()
  }
  await hints.getByRole('button', { name: 'Lascia così' }).focus()
  await panel.keyboard.press('Enter')
  await expect(hints).toHaveCount(0)
  await expect(panel.getByRole('complementary').locator(':focus')).toHaveCount(1)
  await reset(panel, 'pricing.packages')
})

// Regression: with the bar that offers an earlier draft, nothing of the text was visible above the sheet.
test('on a phone the words that are tapped are in sight, and the arrows go from text to text', async ({
  panel,
}) => {
  await panel.setViewportSize({ width: 360, height: 740 })
  const frame = await openOnPhone(panel)
  await frame.getByRole('button', { name: /^Modifica: Titolo, I Nostri/ }).click()
  const sheet = panel.getByRole('complementary')
  await sheet.locator(TITLE).fill('Di prima')
  await panel.keyboard.press('Control+s')
  await panel.reload()
  const strip = panel.getByRole('button', { name: italian.riprendi })
  await expect(strip).toBeVisible({ timeout: drawnMs })
  const intro = frame.locator('[data-words="servizi.hero:subtitle"]')
  await intro.click({ timeout: drawnMs })
  await expect(sheet.locator('[id="w-servizi.hero-subtitle"]')).toBeFocused()
  await expect(strip).toHaveCount(0)
  const free = async () => {
    const [words, under] = [await intro.boundingBox(), await sheet.boundingBox()]
    return words !== null && under !== null && words.y > 60 ? under.y - words.y : 0
  }
  await expect.poll(free).toBeGreaterThan(100)
  await expectAccessible(panel)

  await sheet.getByRole('button', { name: 'Testo precedente' }).click()
  await expect(sheet.locator(TITLE)).toBeFocused()
  await sheet.getByRole('button', { name: 'Testo successivo' }).click()
  await expect(sheet.locator('[id="w-servizi.hero-subtitle"]')).toBeFocused()
  await sheet.getByRole('button', { name: 'Fatto' }).click()
  await expect(sheet).toHaveCount(0)
  await expect(strip).toBeVisible()
  await expect(panel.locator('main :focus')).toHaveCount(1)
})

test('a link keeps what was written for each kind on the way to another', async ({ panel }) => {
  await openPage(panel, 'home')
  const place = encodeURIComponent('home.hero:consultationLink')
  await panel.goto(`${originOf(panel)}/admin#/pagine/home/${place}`)
  const kind = panel.locator('[id="w-home.hero-consultationLink"]')
  await kind.selectOption('web')
  const address = panel.locator('[id="w-home.hero-consultationLink-target"]')
  await address.fill('https://example.com/prova')
  await kind.selectOption('email')
  await kind.selectOption('web')
  await expect(address).toHaveValue('https://example.com/prova')
})

// Regression: the confirmations came before the pages in tab order: the focus went to the right, and back to the left.
test('the pages and what is to be confirmed have the focus in the order in which they stand', async ({
  panel,
}) => {
  const asked = panel.getByRole('region', { name: 'Da confermare' })
  const summary = asked.locator('summary').filter({ hasText: 'Biografia' })
  const find = panel.getByRole('searchbox', { name: italian.trovaNelSito })
  await panel.setViewportSize({ width: 1440, height: 900 })
  await expect(find).toBeVisible({ timeout: drawnMs })
  await panel.locator('summary[aria-label^=Menu]').focus()
  await panel.keyboard.press('Tab')
  await expect(find).toBeFocused()
  await panel
    .getByRole('link', { name: /^Apri sul sito/ })
    .last()
    .focus()
  await panel.keyboard.press('Tab')
  await expect(summary).toBeFocused()
  // The statement precedes the buttons that confirm it.
  for (const next of [
    asked.locator('blockquote'),
    asked.getByRole('button', { name: italian.eVero }),
  ]) {
    await panel.keyboard.press('Tab')
    await expect(next.locator('visible=true')).toBeFocused()
  }
  await panel.setViewportSize({ width: 1000, height: 900 })
  // The areas stand at the foot of a narrow window.
  await panel.getByRole('button', { name: 'Altro', exact: true }).focus()
  await panel.keyboard.press('Tab')
  await expect(asked.getByRole('button', { name: 'Leggi le frasi' })).toBeFocused()
})
