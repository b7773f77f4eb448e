// Tests of late or missing responses: the focus, the forms and the page stay where the admin is.

import type { Page } from '@playwright/test'
import { pictures } from './admin-kinds'
import { ask, expect, forget, forgetDrafts, makeTestimonial } from './admin-kit'
import { originOf, toast } from './admin-screen'
import { italian } from './italian'
import { drawnMs, openPage, reset, test } from './pages-kit'

/** Blocks matching requests until the caller calls the returned function. */
async function hold(panel: Page, path: RegExp): Promise<() => void> {
  let go: () => void = () => undefined
  const held = new Promise<void>((done) => {
    go = done
  })
  await panel.route(path, async (route) => {
    await held
    await route.continue()
  })
  return go
}

// Regression: Tab stayed on the last contact, because the "add" row is not rendered beside a missing entry.
test('Tab goes by a list whose first entry is not on the page', async ({ panel }) => {
  const settings = '/api/admin/settings'
  const { phone } = await ask<{ phone: string }>(panel, 'GET', settings)
  await ask(panel, 'PUT', settings, { phone: '' })
  const frame = await openPage(panel, 'home')
  const contacts = frame.locator('[data-words^="footer.links:contacts["]')
  await expect(contacts.first()).toHaveAttribute('data-words', /contacts\[1\]/)
  await contacts.last().focus()
  await panel.keyboard.press('Tab')
  await expect(contacts.last()).not.toBeFocused()
  const row = frame.getByRole('button', { name: /^Aggiungi un link$/ })
  await expect(row).toBeFocused()
  await panel.keyboard.press('Tab')
  await expect(frame.locator('.row:focus')).toHaveCount(0)
  await expect(contacts.last()).not.toBeFocused()
  await ask(panel, 'PUT', settings, { phone })
})

// Regression: Tab tried to focus the first link of the closed phone menu, which follows the links of the header.
test('Tab goes from the row of the head into the page', async ({ panel }) => {
  await panel.setViewportSize({ width: 1900, height: 900 })
  const frame = await openPage(panel, 'home')
  const links = frame.locator('header nav [data-words^="header."]').locator('visible=true')
  await links.last().focus()
  await panel.keyboard.press('Tab')
  const row = frame.getByRole('button', { name: /^Aggiungi un link$/ })
  await expect(row).toBeFocused()
  await panel.keyboard.press('Tab')
  await expect(frame.locator('main :focus')).toBeVisible()
})

// Regression: another entry received the picture, and the toast reported success.
test('a picture lands in the entry it was meant for, wherever that stands by then', async ({
  panel,
}) => {
  const [file = ''] = pictures
  const place = 'home.audiences:cards[0].picture'
  await panel.goto(`${originOf(panel)}/admin#/pagine/home/${encodeURIComponent(place)}`)
  const field = (index: number) =>
    panel.locator(`fieldset:has(> [id="w-home.audiences-cards-${index}-picture"])`)
  const go = await hold(panel, /\/api\/admin\/upload$/)
  await field(0).locator('input[type=file]').setInputFiles(file, { timeout: drawnMs })
  await expect(field(0).getByRole('progressbar')).toBeVisible()
  const grip = panel.locator('[data-entry="0"] [data-move="grip"]').locator('visible=true')
  await grip.first().press('ArrowDown')
  go()
  const image = (index: number) => field(index).getByAltText(italian.immagineAttuale)
  await expect(field(1).getByRole('progressbar')).toHaveCount(0, { timeout: drawnMs })
  // The chosen file is shown until the page is opened again.
  await expect(image(1)).toHaveAttribute('src', /^blob:/)
  await expect(image(0)).toHaveCount(0)
  await forgetDrafts(panel)
})

// Regression: an item requested by its address replaced the form that was open when the response arrived.
test('a form that is open stays, whatever is read late', async ({ panel }) => {
  const { id } = await makeTestimonial(panel, 'Zeno L.', { published: false })
  const item = new RegExp(`/api/admin/course-testimonials/${id}$`)
  const go = await hold(panel, item)
  const answered = panel.waitForResponse(item)
  await panel.goto(`${originOf(panel)}/admin#/contenuti/course-testimonials/${id}`)
  await panel.getByRole('button', { name: italian.aggiungiTestimonianza }).first().click()
  const name = panel.getByRole('dialog').getByLabel('Nome').first()
  await name.fill('Appena scritto')
  go()
  await (await answered).finished()
  await expect(name).toHaveValue('Appena scritto')
  await expect(panel.getByRole('dialog')).toHaveCount(1)
  await forgetDrafts(panel)
  await forget(panel, 'course-testimonials', id)
})

// Regression: the page stopped updating without a message; later the sign-in dialog opened in the middle of a
// sentence, and the rest of the sentence was typed into the password field.
test('a page whose session has ended says so, and leaves the caret to who writes', async ({
  panel,
  context,
}) => {
  const frame = await openPage(panel, 'servizi')
  const cookies = await context.cookies()
  await context.clearCookies()
  const title = frame.getByRole('textbox', { name: italian.aperturaTitolo })
  await title.fill('Senza accesso')
  const sheet = panel.getByRole('dialog', { name: italian.accediDiNuovo })
  const line = panel.getByRole('status').filter({ hasText: /^La sessione è scaduta\. .*sicuro/ })
  await expect(line).toBeVisible({ timeout: drawnMs })
  await expect(sheet).toHaveCount(0)
  await panel.keyboard.type(', e scrivo ancora')
  await expect(title).toHaveText('Senza accesso, e scrivo ancora')
  const drawn = panel.waitForResponse(/\/preview$/)
  await title.fill('Ancora senza accesso')
  await drawn
  await expect(sheet).toHaveCount(0)
  // The sign-in dialog opens on a button press.
  await line.getByRole('button', { name: italian.accedi }).click()
  await expect(sheet).toBeVisible()
  await sheet.getByRole('button', { name: italian.chiudi, exact: true }).click()
  await context.addCookies(cookies)
  await title.fill('Con accesso')
  await expect(line).toHaveCount(0, { timeout: drawnMs })
})

test('a rich text that was refused is marked as wrong', async ({ panel }) => {
  const place = 'legal.cookies:sections[0].text'
  await panel.goto(`${originOf(panel)}/admin#/pagine/cookie/${encodeURIComponent(place)}`)
  const field = panel.locator('[id="w-legal.cookies-sections-0-text"]')
  await expect(field).toHaveAttribute('contenteditable', 'true', { timeout: drawnMs })
  await field.focus()
  await panel.keyboard.insertText('Nuovo. ')
  await expect(field).not.toHaveAttribute('aria-invalid', 'true')
  const errors = [
    { block: 'legal.cookies', field: 'value.sections[0].text', message: 'non va bene.' },
  ]
  await panel.route(/\/api\/admin\/words$/, (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 422, json: { title: 'Non valido', errors } })
      : route.fallback(),
  )
  await panel.getByRole('button', { name: italian.pubblica, exact: true }).click()
  await expect(toast(panel).getByRole('alert')).toContainText('non va bene.')
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(field).toHaveAccessibleDescription(/non va bene\./)
  await forgetDrafts(panel)
})

// Regression: '[Nome del sito]' stayed for good when the texts were loaded before the settings.
test('chips show what they stand for once it is read', async ({ panel }) => {
  const block = '/api/admin/words/legal.cookies'
  const { value } = await ask<{ value: { sections: object[] } }>(panel, 'GET', block)
  const [first, ...others] = value.sections
  const text = { text: ['Ciao da ', { setting: 'brand' }, '.'] }
  await ask(panel, 'PUT', block, { value: { ...value, sections: [{ ...first, text }, ...others] } })
  const { brand } = await ask<{ brand: string }>(panel, 'GET', '/api/admin/settings')
  const go = await hold(panel, /\/api\/admin\/settings$/)
  const place = encodeURIComponent('legal.cookies:sections[0].text')
  await panel.goto(`${originOf(panel)}/admin#/pagine/cookie/${place}`)
  await panel.reload()
  const field = panel.locator('[id="w-legal.cookies-sections-0-text"]')
  await expect(field).toContainText('Ciao da [', { timeout: drawnMs })
  go()
  await expect(field).toHaveText(`Ciao da ${brand}.`)
  const onPage = panel.frameLocator('iframe').locator(`[data-words="${decodeURIComponent(place)}"]`)
  await onPage.focus({ timeout: drawnMs })
  await expect(onPage).toHaveText(`Ciao da ${brand}.`)
  await reset(panel, 'legal.cookies')
})

// Regression: reloading unchanged texts and settings rendered the page a second time each.
test('a page that is opened from the list is drawn once', async ({ panel }) => {
  const card = panel.getByRole('link', { name: italian.modificaServizi, exact: true })
  await expect(card).toBeVisible()
  let asked = 0
  panel.on('request', (request) => {
    if (request.url().endsWith('/api/admin/words/preview')) asked += 1
  })
  const words = panel.waitForResponse((answer) => answer.url().endsWith('/api/admin/words'))
  await card.click()
  // The thumbnails of the list are iframes too while they exist.
  const frame = panel.frameLocator('iframe[sandbox*="allow-scripts"]')
  const title = frame.getByRole('textbox', { name: italian.aperturaTitolo })
  await expect(title).toBeVisible({ timeout: drawnMs })
  await words
  // A second request would follow the texts after a debounce pause.
  await panel.waitForTimeout(1_500)
  expect(asked).toBe(1)
})
