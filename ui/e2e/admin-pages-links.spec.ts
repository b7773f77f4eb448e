// Tests of link targets: the admin finds an event or an article by its
// title, and the form reports a target that visitors cannot open.

import type { Page } from '@playwright/test'
import { ask, expect, forget, forgetDrafts, type Item } from './admin-kit'
import { originOf, toast } from './admin-screen'
import { makeArticle } from './article-sheet'
import { italian } from './italian'
import { drawnMs, openPage, publicText, publish, reset, test } from './pages-kit'
import { expectAccessible } from './test'

const HERO = '/api/admin/words/home.hero'
const FIELD = '[id="w-home.hero-consultationLink"]'
const BROKEN = 'La pagina a cui porta non esiste più.'

function makeEvent(panel: Page, title: string, fields: object = {}) {
  return ask<Item>(panel, 'POST', '/api/admin/events', { title, published: true, ...fields })
}

async function openLink(panel: Page) {
  await openPage(panel, 'home')
  const place = encodeURIComponent('home.hero:consultationLink')
  await panel.goto(`${originOf(panel)}/admin#/pagine/home/${place}`)
  return panel.locator(FIELD)
}

function optionsOf(panel: Page, name: string) {
  return panel.getByRole('listbox', { name }).getByRole('option')
}

async function leadTo(panel: Page, consultationLink: string) {
  const { value } = await ask<{ value: object }>(panel, 'GET', HERO)
  await ask(panel, 'PUT', HERO, { value: { ...value, consultationLink } })
}

/** The panel asks whether visitors can open what a button leads to. */
test.use({ named: /^404 HEAD \/blog\/prima$/ })

test('a button leads to an event that keys alone find by its title', async ({ panel }) => {
  const first = await makeEvent(panel, 'Notte del respiro', { date: '3 marzo 2098' })
  const second = await makeEvent(panel, 'Notte del respiro', { date: '4 marzo 2099' })
  const kind = await openLink(panel)
  await kind.selectOption('Un evento')
  const field = panel.getByRole('combobox', { name: 'Un evento' })
  const options = optionsOf(panel, 'Un evento')
  await expect(field).toHaveValue('')
  // No target is chosen yet, so the button would lead nowhere.
  await panel.keyboard.press('Control+Enter')
  await expect(toast(panel).getByRole('alert')).toContainText("manca l'indirizzo")
  await panel.getByRole('button', { name: italian.chiudiLaNotifica }).click()

  await field.focus()
  await panel.keyboard.type('respiro NOTTE 2099')
  await expect(options).toHaveText(['Notte del respiro4 marzo 2099'])
  await expect(panel.getByText('1 risultato', { exact: true })).toBeVisible()
  await expectAccessible(panel)
  await panel.keyboard.press('Control+a')
  await panel.keyboard.type('notte del')
  await expect(options).toHaveCount(2)
  await panel.keyboard.press('ArrowDown')
  await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true')
  // Escape closes the list and keeps the choice.
  await panel.keyboard.press('Escape')
  await expect(options).toHaveCount(0)
  await expect(field).toHaveValue('')
  await panel.keyboard.type('4 marzo 2099')
  await panel.keyboard.press('Enter')
  await expect(field).toHaveValue('Notte del respiro')
  await expect(field).toBeFocused()
  await publish(panel)
  expect(await publicText(panel, '/')).toContain(`href="/evento/${second.id}"`)
  for (const { id } of [first, second]) await forget(panel, 'events', id)
  await reset(panel, 'home.hero')
})

test('what a button leads to is said when visitors cannot open it', async ({ panel }) => {
  const secret = await makeEvent(panel, 'Serata segreta', { published: false })
  const gone = await makeArticle(panel, 'Articolo di passaggio', { published: true, slug: 'prima' })
  const said = panel.getByRole('complementary').getByText(BROKEN).first()

  const kind = await openLink(panel)
  await kind.selectOption('Un evento')
  await panel.getByRole('combobox', { name: 'Un evento' }).fill('segreta')
  await expect(optionsOf(panel, 'Un evento')).toHaveText('Serata segretaNascosto')
  await optionsOf(panel, 'Un evento').click()
  await expect(said).toBeVisible()
  await kind.selectOption('Un articolo')
  await expect(said).toHaveCount(0)

  // A former address of an article still redirects to it.
  await leadTo(panel, '/blog/prima#fine')
  await ask(panel, 'PUT', `/api/admin/blog/${gone.id}`, { slug: 'dopo' })
  await forgetDrafts(panel)
  await panel.reload()
  const article = panel.getByRole('combobox', { name: 'Un articolo' })
  await expect(article).toHaveValue('prima', { timeout: drawnMs })
  await expect(said).toHaveCount(0)
  await forget(panel, 'blog', gone.id)
  await panel.reload()
  await expect(said).toBeVisible({ timeout: drawnMs })
  await expect(article).toHaveAccessibleDescription(BROKEN)

  // A path that is no page of the site is reported too.
  await leadTo(panel, '/non-esiste')
  await panel.reload()
  await expect(kind).toHaveValue('page', { timeout: drawnMs })
  await expect(said).toBeVisible()
  await panel.locator('[id="w-home.hero-consultationLink-page"]').selectOption('Servizi')
  await expect(said).toHaveCount(0)
  await forget(panel, 'events', secret.id)
  await reset(panel, 'home.hero')
})

// Regression: 'Nascondi' left buttons whose target was gone, without a message.
test('a link to a part that is hidden is said beside the link and where it was hidden', async ({
  panel,
}) => {
  const [leader, part] = ['home.audiences:cards[0].ctaLink', 'flip-cards.business']
  const open = async (page: string, place: string) => {
    await panel.goto(`${originOf(panel)}/admin#/pagine/${page}/${encodeURIComponent(place)}`)
    await panel.reload()
  }
  const said = panel.getByText('La parte a cui porta è nascosta')
  const field = panel.locator('[id="w-home.audiences-cards-0-ctaLink-page"]')
  await open('home', leader)
  await expect(field).toHaveValue('/rebirthing#aziende', { timeout: drawnMs })
  await expect(said).toHaveCount(0)
  await ask(panel, 'PUT', `/api/admin/words/${part}`, { hidden: true })
  await panel.reload()
  await expect(said).toBeVisible({ timeout: drawnMs })
  await open('rebirthing', `${part}:`)
  const link = panel.getByText('Portano ancora qui:').locator('..').getByRole('link')
  await expect(link).toHaveText(/^Home, /, { timeout: drawnMs })
  await expect(link).toHaveAttribute('href', `#/pagine/home/${encodeURIComponent(leader)}`)
  await reset(panel, part)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`on a phone (${colorScheme})`, () => {
    test.use({ viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true, colorScheme })

    test('an article is found and tapped in the sheet', async ({ panel }) => {
      const article = await makeArticle(panel, 'Un titolo da toccare', { published: true })
      await panel.goto(`${originOf(panel)}/admin#/pagine/home`)
      const frame = panel.frameLocator('iframe')
      const words = frame.locator('[data-words="home.hero:consultation"]')
      await words.tap({ timeout: drawnMs })
      await panel.locator(FIELD).selectOption('Un articolo')
      const field = panel.getByRole('combobox', { name: 'Un articolo' })
      await field.tap()
      await panel.keyboard.type('da toccare')
      const option = panel.getByRole('option', { name: /^Un titolo da toccare/ })
      await expect(option).toBeInViewport()
      expect((await option.boundingBox())?.height).toBeGreaterThanOrEqual(44)
      await expectAccessible(panel)
      await option.tap()
      await expect(field).toHaveValue('Un titolo da toccare')
      const target = frame.locator('a:has(> [data-words="home.hero:consultation"])')
      await expect(target).toHaveAttribute('href', `/blog/${article.slug}`, { timeout: drawnMs })
      await forget(panel, 'blog', article.id)
    })
  })
}

// Regression: the kind that was chosen stayed above an address of another one.
test('the kind of a link is that of its address again after a step back', async ({ panel }) => {
  const kind = await openLink(panel)
  const before = await kind.inputValue()
  await kind.selectOption("Un'e-mail")
  const address = panel.locator('[id="w-home.hero-consultationLink-target"]')
  await address.fill('anna@example.org')
  await panel.keyboard.press('Control+z')
  await panel.keyboard.press('Control+z')
  await expect(kind).toHaveValue(before)
})
