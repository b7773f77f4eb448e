// Tests of mistakes in 'Pagine': a changed currency, an undo on another
// page, drafts discarded with one press, search hits in internal fields.

import type { Locator } from '@playwright/test'
import { ask, expect, forget, forgetDrafts, makeTestimonial } from './admin-kit'
import { originOf, toast } from './admin-screen'
import { italian } from './italian'
import { drawnMs, openPage, publicText, publish, publishPrice, reset, test } from './pages-kit'

test('a price that is typed with the sign of another currency is in that currency', async ({
  panel,
}) => {
  await openPage(panel, 'servizi')
  const place = encodeURIComponent('servizi.offers:offers[0].price')
  await panel.goto(`${originOf(panel)}/admin#/pagine/servizi/${place}`)
  const price = panel.locator('[id="w-servizi.offers-offers-0-price"]')
  const currency = panel.locator('[id="w-servizi.offers-offers-0-price-currency"]')
  await price.fill('$ 120')
  await expect(price).toHaveAccessibleDescription(/Scrivi un importo/)
  await price.fill('CHF 120')
  await expect(currency).toHaveValue('CHF')
  await expect(price).toHaveValue('CHF 120')
  // Switching back to euros removes the currency sign.
  await currency.selectOption('EUR')
  await expect(price).toHaveValue('120')
  await price.fill('120 Fr.')
  await publishPrice(panel)
  const page = await publicText(panel, '/servizi')
  expect(page).toContain('120 CHF')
  expect(page).toContain('"priceCurrency":"CHF"')
  expect(page).not.toContain('120 €')
  await reset(panel, 'servizi.offers')
})

// Regression: the undo changed a page that was not on the screen.
test('a step back in another page goes there, and so does a step forth', async ({ panel }) => {
  const servizi = await openPage(panel, 'servizi')
  await servizi.getByRole('textbox', { name: italian.aperturaTitolo }).fill('Altri servizi')
  await openPage(panel, 'contatti')
  await panel.keyboard.press('Control+z')
  await expect(panel).toHaveURL(/#\/pagine\/servizi\/servizi\.hero%3Atitle$/)
  await expect(toast(panel)).toContainText('Annullato: Servizi, Titolo')
  const title = panel.frameLocator('iframe').locator('[data-words="servizi.hero:title"]')
  await expect(title).toHaveText(italian.iNostriServizi, { timeout: drawnMs })
  await expect(title).toBeInViewport()
  await expect(title).toHaveAttribute('data-words-chosen', '')

  await panel.goBack()
  await expect(panel).toHaveURL(/#\/pagine\/contatti$/)
  await panel.getByRole('button', { name: /^Ripeti: / }).click()
  await expect(title).toHaveText('Altri servizi', { timeout: drawnMs })
  // The pressed button disappeared with its page.
  await expect(panel.locator('body')).not.toBeFocused()
})

test('kept drafts that are thrown away come back with one press', async ({ panel }) => {
  const frame = await openPage(panel, 'servizi')
  const title = frame.getByRole('textbox', { name: italian.aperturaTitolo })
  await title.fill('Il lavoro di ieri')
  await panel.keyboard.press('Control+s')
  await panel.reload()
  await panel.getByRole('status').getByRole('button', { name: italian.scarta }).click()
  await expect(panel.getByRole('button', { name: italian.riprendi })).toHaveCount(0)
  await toast(panel).getByRole('button', { name: italian.annulla }).click()
  await panel.reload()
  await panel.getByRole('button', { name: italian.riprendi }).click()
  await expect(title).toHaveText('Il lavoro di ieri', { timeout: drawnMs })
})

test('the search reads what she reads of an item, and says where it is', async ({ panel }) => {
  const { id } = await makeTestimonial(panel, 'Ulrica Z.', { testimonial: 'Parole sue.' })
  const { createdAt } = await ask<{ createdAt: string }>(
    panel,
    'GET',
    `/api/admin/course-testimonials/${id}`,
  )
  const field = panel.getByRole('searchbox', { name: italian.trovaNelSito })
  await field.fill('ulrica')
  const hit = panel.getByRole('link', { name: /Ulrica/ })
  await expect(hit).toContainText('Testimonianze Corsisti · Ulrica Z.')
  // Regression: a search for the creation date found every item, and displayed each as an article.
  for (const text of [createdAt.slice(0, 13), id]) {
    await field.fill(text)
    await expect(panel.getByText(`Nessun risultato per «${text}»`)).toBeVisible()
  }
  await forget(panel, 'course-testimonials', id)
})

// Regression: the server refused all further renders, and the page stopped updating without a message.
test('signs that no page can show go as they come, and the page follows', async ({ panel }) => {
  const frame = await openPage(panel, 'servizi')
  const title = frame.getByRole('textbox', { name: italian.aperturaTitolo })
  await title.click()
  await panel.getByLabel('Sottotitolo').fill('Uno\u0007 due\vtre')
  await expect(frame.locator('[data-words="servizi.hero:subtitle"]')).toHaveText('Uno due tre')
  await title.click()
  await paste(title, { plain: '\u0007Servizi\vnuovi' })
  await publish(panel)
  const page = await publicText(panel, '/servizi')
  expect(page).toContain('Uno due tre')
  expect(page).toContain('Servizi nuovi')
  await reset(panel, 'servizi.hero')
})

test('a drawing that is refused says why, and the page goes on once that is mended', async ({
  panel,
}) => {
  const frame = await openPage(panel, 'servizi')
  const title = frame.getByRole('textbox', { name: italian.aperturaTitolo })
  const errors = [{ block: 'servizi.hero', field: 'value.title', message: 'non va' }]
  await panel.route('**/words/preview', (route) =>
    route.fulfill({ status: 422, contentType: 'application/problem+json', json: { errors } }),
  )
  await title.fill('Altri servizi')
  await expect(panel.getByText("com'era prima: in Servizi, Apertura, Titolo non va.")).toBeVisible({
    timeout: drawnMs,
  })
  await panel.unroute('**/words/preview')
  await title.fill('Ancora altri')
  await expect(panel.getByText(/com'era prima/)).toHaveCount(0, { timeout: drawnMs })
})

// Regression: all paragraphs were merged into one, on the site and in the editor.
test('paragraphs of a word processor stay paragraphs, on the page and in the form', async ({
  panel,
}) => {
  const frame = await openPage(panel, 'chi-sono')
  const paragraphs = frame.locator('[data-words="chi-sono.biography:text"] > p')
  await paragraphs.first().click()
  await panel.keyboard.press('ControlOrMeta+a')
  const copied = {
    plain: 'Primo, su\vdue righe.\r\nSecondo.\r\nTerzo.',
    html: '<p class=MsoNormal>Primo, su<br>due\nrighe.</p><p>Secondo.<o:p></o:p></p><p>Terzo.</p>',
  }
  await paste(paragraphs.first(), copied)
  await expect(paragraphs).toHaveCount(3)
  await expect(paragraphs.nth(0)).toHaveText('Primo, su due righe.')
  await expect(paragraphs.nth(1)).toHaveText('Secondo.')
  await expect(paragraphs.nth(2)).toHaveText('Terzo.')
  const field = panel.locator('[id="w-chi-sono.biography-text"]')
  await expect(field).toHaveValue('Primo, su due righe.\n\nSecondo.\n\nTerzo.')
  await field.focus()
  await panel.keyboard.press('ControlOrMeta+a')
  await paste(field, { plain: 'Quarto.\r\nQuinto.', html: '<p>Quarto.</p><p>Quinto.</p>' })
  await expect(field).toHaveValue('Quarto.\n\nQuinto.')
  await expect(paragraphs).toHaveText(['Quarto.', 'Quinto.'])
  await panel.keyboard.press('Control+z')
  await expect(paragraphs).toHaveCount(3)
})

// Regression: the numbers were gone, and each cell of a table was a paragraph.
test('numbers and tables that are pasted into paragraphs stay readable', async ({ panel }) => {
  const frame = await openPage(panel, 'chi-sono')
  const paragraphs = frame.locator('[data-words="chi-sono.biography:text"] > p')
  await paragraphs.first().click()
  await panel.keyboard.press('ControlOrMeta+a')
  const html =
    '<p>2019. Corso</p><ol start="5"><li>cinque</li><li>sei</li></ol><ol type="a"><li>caso</li></ol>' +
    '<ul><li>coperta</li></ul><table><tr><td>Base</td><td>95 €</td></tr></table>'
  await paste(paragraphs.first(), { plain: 'x', html })
  const field = panel.locator('[id="w-chi-sono.biography-text"]')
  await expect(field).toHaveValue(
    '2019. Corso\n\n5. cinque\n\n6. sei\n\na) caso\n\n• coperta\n\nBase – 95 €',
  )
  await field.focus()
  await panel.keyboard.press('ControlOrMeta+a')
  await paste(field, { plain: '1.\tuno\tdue\n\nBase\t95 €' })
  await expect(field).toHaveValue('1. uno – due\n\nBase – 95 €')
  await reset(panel, 'chi-sono.biography')
})

// Regression: the pasted picture replaced the selected text with nothing.
test('a picture that is pasted over words leaves them', async ({ panel }) => {
  const frame = await openPage(panel, 'servizi')
  const title = frame.getByRole('textbox', { name: italian.aperturaTitolo })
  const before = (await title.textContent()) ?? ''
  await title.click()
  await panel.keyboard.press('ControlOrMeta+a')
  await title.evaluate((element) => {
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File(['x'], 'mia.png', { type: 'image/png' }))
    element.dispatchEvent(
      new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }),
    )
  })
  await expect(title).toHaveText(before)
})

/** Dispatches the paste event that Ctrl+V causes. */
async function paste(into: Locator, copied: { plain: string; html?: string }) {
  await into.evaluate((element, { plain, html = '' }) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', plain)
    if (html !== '') clipboardData.setData('text/html', html)
    element.dispatchEvent(
      new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }),
    )
  }, copied)
}

test('what one tab has open is kept, whatever another answers to the offer', async ({ panel }) => {
  const frame = await openPage(panel, 'servizi')
  await frame.getByRole('textbox', { name: italian.aperturaTitolo }).fill('Della prima scheda')
  await panel.keyboard.press('Control+s')
  const other = await panel.context().newPage()
  await other.goto(panel.url())
  await other.getByRole('status').getByRole('button', { name: italian.scarta }).click()
  await expect(other.getByRole('button', { name: italian.riprendi })).toHaveCount(0)
  await other.close()
  await panel.reload()
  await panel.getByRole('button', { name: italian.riprendi }).click()
  await expect(frame.getByRole('textbox', { name: italian.aperturaTitolo })).toHaveText(
    'Della prima scheda',
    { timeout: drawnMs },
  )
})

// Regression: on a busy device the storage event of the other tab
// arrived after this tab had closed, and the text was lost.
test('what is open is kept once more by who leaves, whatever became of it', async ({ panel }) => {
  const frame = await openPage(panel, 'servizi')
  await frame.getByRole('textbox', { name: italian.aperturaTitolo }).fill('Ancora aperto')
  await panel.keyboard.press('Control+s')
  // A tab receives no storage event for its own changes.
  await forgetDrafts(panel)
  await panel.reload()
  await panel.getByRole('button', { name: italian.riprendi }).click()
  await expect(frame.getByRole('textbox', { name: italian.aperturaTitolo })).toHaveText(
    'Ancora aperto',
    { timeout: drawnMs },
  )
})

test('Ctrl+S says what is kept, and leaves what publishing says', async ({ panel }) => {
  const frame = await openPage(panel, 'servizi')
  await frame.getByRole('textbox', { name: italian.aperturaTitolo }).fill('Servizi nuovi')
  await panel.keyboard.press('Control+s')
  await expect(toast(panel)).toContainText('Bozza conservata')
  await publish(panel)
  // Regression: Ctrl+S reported a stored draft, and replaced the toast with 'Annulla'.
  await panel.keyboard.press('Control+s')
  await toast(panel).getByRole('button', { name: italian.annulla }).click()
  await expect(toast(panel)).toContainText('Tutto come prima')

  await panel.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  await frame.getByRole('textbox', { name: italian.aperturaTitolo }).fill('Servizi senza posto')
  await panel.keyboard.press('Control+s')
  await expect(toast(panel)).toContainText('Questo browser non conserva le bozze')
  await reset(panel, 'servizi.hero')
})

test('all changes are thrown away on a phone too, with one question', async ({ panel }) => {
  const frame = await openPage(panel, 'servizi')
  const title = frame.locator('[data-words="servizi.hero:title"]')
  await title.fill('Uno')
  await frame.locator('[data-words="servizi.hero:subtitle"]').fill('Due')
  await title.focus()
  await panel.setViewportSize({ width: 375, height: 700 })
  await panel.getByRole('button', { name: /^Due modifiche non pubblicate/ }).click()
  await panel.getByRole('dialog').getByRole('button', { name: 'Scarta le modifiche' }).click()
  const question = panel.getByRole('alertdialog', { name: 'Scartare due modifiche?' })
  await question.getByRole('button', { name: 'Scarta le modifiche' }).click()
  await expect(panel.getByRole('dialog')).toHaveCount(0)
  await expect(title).toHaveText(italian.iNostriServizi, { timeout: drawnMs })
})

test('the counter on the page follows the sheet, and a phone that is turned', async ({ panel }) => {
  await panel.setViewportSize({ width: 375, height: 700 })
  await panel.goto(`${originOf(panel)}/admin#/pagine/servizi`)
  const frame = panel.frameLocator('iframe')
  const title = frame.locator('[data-words="servizi.hero:title"]')
  await title.click({ timeout: drawnMs })
  await panel.getByLabel(italian.titolo, { exact: true }).first().fill('p'.repeat(70))
  const label = frame.locator('.label')
  await expect(label).toContainText('70 / 60')
  await panel.keyboard.press('Escape')
  const gap = async () => {
    const [words, name] = [await title.boundingBox(), await label.boundingBox()]
    return Math.round((words?.x ?? 0) - (name?.x ?? 0))
  }
  const before = await gap()
  await panel.setViewportSize({ width: 700, height: 375 })
  await expect.poll(gap).toBe(before)
})

// Regression: Escape closes the candidate list of an input method, and also reverted the whole text.
test('keys of an input method are not for the page', async ({ panel }) => {
  const frame = await openPage(panel, 'servizi')
  const title = frame.getByRole('textbox', { name: italian.aperturaTitolo })
  await title.fill('Perche')
  const press = (isComposing: boolean) =>
    title.evaluate((element, composing) => {
      const keys = { key: 'Escape', bubbles: true, cancelable: true, isComposing: composing }
      element.dispatchEvent(new KeyboardEvent('keydown', keys))
    }, isComposing)
  await press(true)
  await expect(title).toHaveText('Perche')
  await expect(title).toBeFocused()
  await press(false)
  await expect(title).toHaveText(italian.iNostriServizi)
})

test('who opens a page by keys stands on it', async ({ panel }) => {
  await panel.getByRole('link', { name: italian.modificaServizi }).press('Enter')
  await expect(panel.getByRole('heading', { name: 'Pagina Servizi, in modifica' })).toBeVisible()
  await expect(panel.locator('[data-region]:focus')).toHaveCount(1)
})

test('a word without an end makes the edited page no wider than the site', async ({ panel }) => {
  const frame = await openPage(panel, 'contatti')
  const question = frame.locator('[data-words="contatti.faq:items[0].question"]')
  await question.fill('a'.repeat(104))
  const over = () => frame.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth)
  await expect.poll(over).toBe(0)
})

// Regression: Enter did nothing, so only the form could create a paragraph.
test('Enter makes a new paragraph on the page, in the middle and at the end', async ({ panel }) => {
  const frame = await openPage(panel, 'chi-sono')
  const paragraphs = frame.locator('[data-words="chi-sono.biography:text"] > p')
  const count = await paragraphs.count()
  const last = paragraphs.last()
  const words = (await last.textContent()) ?? ''
  await last.click()
  await panel.keyboard.press('ControlOrMeta+End')
  await panel.keyboard.press('Enter')
  await panel.keyboard.type('Una cosa nuova. E due.')
  await expect(last).toHaveText('Una cosa nuova. E due.')
  for (let letter = 0; letter < ' E due.'.length; letter += 1) {
    await panel.keyboard.press('ArrowLeft')
  }
  await panel.keyboard.press('Enter')
  await panel.keyboard.type('Anzi: ')
  await expect(last).toHaveText('Anzi: E due.')
  await expect(paragraphs).toHaveCount(count + 2)
  await publish(panel)
  const page = await publicText(panel, '/chi-sono')
  expect(page).toMatch(/<p[^>]*>Una cosa nuova\.<\/p><p[^>]*>Anzi: E due\.<\/p>/)
  for (let step = 0; step < 6; step += 1) await panel.keyboard.press('Control+z')
  await expect(paragraphs).toHaveCount(count, { timeout: drawnMs })
  await expect(paragraphs.last()).toHaveText(words)
  await reset(panel, 'chi-sono.biography')
})
