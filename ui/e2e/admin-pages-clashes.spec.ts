// Tests of two tabs that edit the same list of a page: additions, moves and texts of both are kept, and only fields
// that both have changed are asked about.

import type { FrameLocator, Page } from '@playwright/test'
import { ask, expect } from './admin-kit'
import { originOf, toast } from './admin-screen'
import { italian } from './italian'
import {
  drawnMs,
  leaveSentences,
  openPage,
  publicText,
  publish,
  publishPrice,
  reset,
  test,
} from './pages-kit'
import { expectAccessible } from './test'

const FAQ = '/api/admin/words/contatti.faq'
const OFFERS = '/api/admin/words/servizi.offers'

type Words<Name extends string> = { value: Record<Name, Record<string, unknown>[]> }

const clashOf = (tab: Page) =>
  tab.getByRole('dialog', { name: italian.questoTestoECambiatoAncheAltrove })

const pressPublish = (tab: Page) =>
  tab.getByRole('button', { name: italian.pubblica, exact: true }).click()

async function secondTab(panel: Page, name: string) {
  const tab = await panel.context().newPage()
  await tab.goto(panel.url())
  return { tab, frame: await openPage(tab, name) }
}

/** Adds a question after the last one, through the page. */
async function addQuestion(tab: Page, frame: FrameLocator, question: string) {
  const { value } = await ask<Words<'items'>>(tab, 'GET', FAQ)
  const at = (index: number, name: string) =>
    frame.locator(`[data-words="contatti.faq:items[${index}].${name}"]`).last()
  const count = value.items.length
  await at(count - 1, 'question').hover()
  await frame.getByRole('button', { name: 'Aggiungi una domanda', exact: true }).click()
  await expect(at(count, 'question')).toBeFocused({ timeout: drawnMs })
  await tab.keyboard.type(question)
  await tab.keyboard.press('Tab')
  await tab.keyboard.press('Enter')
  await tab.keyboard.type(`Risposta a: ${question}`)
  await expect(at(count, 'answer')).toHaveText(`Risposta a: ${question}`)
}

async function questions(panel: Page) {
  const { value } = await ask<Words<'items'>>(panel, 'GET', FAQ)
  return value.items.map(({ question }) => question)
}

// Regression: the admin had to choose one whole list, and one of the two questions was lost.
test('two tabs each add a question, and both stand on the site', async ({ panel }) => {
  test.slow()
  const before = await questions(panel)
  const here = await openPage(panel, 'contatti')
  const { tab, frame: there } = await secondTab(panel, 'contatti')
  await addQuestion(tab, there, 'Domanda di là?')
  await addQuestion(panel, here, 'Domanda di qua?')
  await publish(tab)
  await tab.close()
  await publish(panel)
  await expect(clashOf(panel)).toHaveCount(0)
  expect(await questions(panel)).toEqual([...before, 'Domanda di qua?', 'Domanda di là?'])
  const page = await publicText(panel, '/contatti')
  expect(page).toContain('Risposta a: Domanda di là?')
  expect(page).toContain('Risposta a: Domanda di qua?')
  await reset(panel, 'contatti.faq')
})

// Regression: the tab's own question, which had an id by now, was reported as a conflict with another tab.
test('a question whose publishing was not answered is no clash', async ({ panel }) => {
  const before = await questions(panel)
  const frame = await openPage(panel, 'contatti')
  await addQuestion(panel, frame, 'Domanda mia?')
  await panel.route('**/api/admin/words', async (route) => {
    if (route.request().method() !== 'PUT') return route.fallback()
    await route.fetch()
    await route.abort('connectionreset')
  })
  await pressPublish(panel)
  await expect(toast(panel)).toContainText('Connessione assente', { timeout: drawnMs })
  await panel.unroute('**/api/admin/words')
  await pressPublish(panel)
  await expect(toast(panel)).toContainText('sul sito il testo è già questo', { timeout: drawnMs })
  await expect(clashOf(panel)).toHaveCount(0)
  expect(await questions(panel)).toEqual([...before, 'Domanda mia?'])
  await reset(panel, 'contatti.faq')
})

const price = (tab: Page, index: number) =>
  tab.getByRole('complementary').getByLabel(italian.prezzo, { exact: true }).nth(index)

async function writePrice(tab: Page, index: number, amount: string) {
  const place = encodeURIComponent(`servizi.offers:offers[${index}].price`)
  await tab.goto(`${originOf(tab)}/admin#/pagine/servizi/${place}`)
  // Waits for visibility, not focus: after navigation from the list of pages the focus is on the page.
  await price(tab, index).fill(amount, { timeout: drawnMs })
}

async function moveUp(tab: Page, title: string) {
  await tab
    .getByRole('complementary')
    .getByRole('button', { name: `Sposta: ${title}` })
    .focus()
  await tab.keyboard.press('ArrowUp')
}

for (const width of [1440, 375]) {
  // Regression: the dialog showed titles in two orders, and said that all 72 other fields were the same.
  test(`of two lists put in order the price alone is asked about at ${width}`, async ({
    panel,
  }) => {
    test.slow()
    const { value } = await ask<Words<'offers'>>(panel, 'GET', OFFERS)
    const titles = value.offers.map(({ title }) => String(title))
    const [first = '', second = '', third = '', fourth = ''] = titles
    await openPage(panel, 'servizi')
    await writePrice(panel, 0, '110')
    await moveUp(panel, second)
    const { tab } = await secondTab(panel, 'servizi')
    await writePrice(tab, 0, '120')
    await moveUp(tab, fourth)
    await publishPrice(tab)
    await tab.close()

    await panel.setViewportSize({ width, height: 800 })
    await pressPublish(panel)
    await leaveSentences(panel)
    const clash = clashOf(panel)
    await expect(clash.getByRole('group')).toHaveCount(1, { timeout: drawnMs })
    const group = clash.getByRole('group', { name: `${first}, Prezzo: scegli quale tenere` })
    await expect(group.locator('label').filter({ hasText: 'Tieni il mio' })).toContainText('110')
    await expect(group.locator('label').filter({ hasText: "Prendi l'altro" })).toContainText('120')
    await expect(clash).toContainText('Altre 2 modifiche, fatte da una parte sola, restano tutte.')
    await expectAccessible(panel)
    await group.getByRole('radio', { name: italian.tieniIlMio }).check()
    await clash.getByRole('button', { name: italian.pubblicaLeScelte }).click()
    await expect(toast(panel)).toContainText(/aggiorna(ta|te) in/, { timeout: drawnMs })
    const now = await ask<Words<'offers'>>(panel, 'GET', OFFERS)
    expect(now.value.offers.map(({ title }) => title)).toEqual([
      second,
      first,
      fourth,
      third,
      ...titles.slice(4),
    ])
    expect(now.value.offers[1]).toMatchObject({ price: { cents: 11_000 } })
    await reset(panel, 'servizi.offers')
  })
}

test('an entry that one tab took away and the other wrote in is asked about', async ({ panel }) => {
  const { value } = await ask<Words<'offers'>>(panel, 'GET', OFFERS)
  const [first, second, ...others] = value.offers
  await openPage(panel, 'servizi')
  await writePrice(panel, 1, '111')
  await ask(panel, 'PUT', OFFERS, { value: { ...value, offers: [first, ...others] } })
  await pressPublish(panel)
  await leaveSentences(panel)
  const clash = clashOf(panel)
  const group = clash.getByRole('group', { name: `${second?.title}: scegli quale tenere` })
  await expect(group).toContainText('Prezzo: 111', { timeout: drawnMs })
  await expect(group).toContainText('Voce tolta')
  await clash.getByRole('radio', { name: italian.tieniIlMio }).check()
  await clash.getByRole('button', { name: italian.pubblicaLeScelte }).click()
  await expect(toast(panel)).toContainText(/aggiorna(ta|te) in/, { timeout: drawnMs })
  const now = await ask<Words<'offers'>>(panel, 'GET', OFFERS)
  expect(now.value.offers[1]).toMatchObject({ title: second?.title, price: { cents: 11_100 } })
  await reset(panel, 'servizi.offers')
})

// Neither question disappears silently because the list is full.
test('a list that both tabs together fill too far is asked about', async ({ panel }) => {
  const { value } = await ask<Words<'items'>>(panel, 'GET', FAQ)
  const items = Array.from({ length: 39 }, (_, index) => ({
    question: `Domanda ${index}?`,
    answer: 'Sì.',
  }))
  await ask(panel, 'PUT', FAQ, { value: { ...value, items } })
  const frame = await openPage(panel, 'contatti')
  await addQuestion(panel, frame, 'Domanda di qua?')
  const full = await ask<Words<'items'>>(panel, 'GET', FAQ)
  const other = { question: 'Domanda di là?', answer: 'Sì.' }
  await ask(panel, 'PUT', FAQ, { value: { ...full.value, items: [...full.value.items, other] } })
  await pressPublish(panel)
  const clash = clashOf(panel)
  await expect(clash).toContainText('sarebbero 41, e il massimo è 40', { timeout: drawnMs })
  const side = (act: string) => clash.locator('label').filter({ hasText: act })
  await expect(side('Tieni il mio')).toContainText('Domanda di qua?')
  await expect(side("Prendi l'altro")).toContainText('Domanda di là?')
  await clash.getByRole('radio', { name: italian.tieniIlMio }).check()
  await clash.getByRole('button', { name: italian.pubblicaLeScelte }).click()
  await expect(toast(panel)).toContainText(/aggiorna(ta|te) in/, { timeout: drawnMs })
  expect((await questions(panel)).slice(38)).toEqual(['Domanda 38?', 'Domanda di qua?'])
  await reset(panel, 'contatti.faq')
})
