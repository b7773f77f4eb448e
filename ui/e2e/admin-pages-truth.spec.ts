// Tests of texts that must be correct in 'Pagine': sums, statements
// about the practitioner, legal texts, search results.

import { ask, expect, isWrite } from './admin-kit'
import { originOf, toast } from './admin-screen'
import { italian } from './italian'
import { drawnMs, openPage, publicText, publish, reset, test } from './pages-kit'
import { watch } from './test'

test('a saving in her own words that does not fit the sum is said at once, and made right', async ({
  panel,
}) => {
  await openPage(panel, 'servizi')
  const place = encodeURIComponent('pricing.packages:packages[0].saving')
  await panel.goto(`${originOf(panel)}/admin#/pagine/servizi/${place}`)
  const saving = panel.locator('[id="w-pricing.packages-packages-0-saving"]')
  await saving.fill('Risparmi 25 €')
  const hint = panel.getByRole('region', { name: 'Un conto che non torna' })
  await expect(hint).toContainText('Il risparmio scritto è 25 €, il conto dice 15 €')
  await expect(hint).toContainText('3 × 95 € - 270 € = 15 €')
  await hint.getByRole('button', { name: 'Scrivi 15 €' }).click()
  await expect(saving).toHaveValue(/^Risparmi 15\s€$/)
  await expect(hint).toHaveCount(0)

  // A change of the service's price is checked too: the stated saving no longer fits.
  await panel.goto(
    `${originOf(panel)}/admin#/pagine/servizi/${encodeURIComponent('servizi.offers:offers[0].price')}`,
  )
  await panel.locator('[id="w-servizi.offers-offers-0-price"]').fill('100')
  await panel.getByRole('button', { name: italian.questaPagina }).click()
  await expect(panel.getByRole('region', { name: /^(Un conto|\d+ conti)/ })).toContainText(
    'il conto dice 30 €',
  )
})

test('an offer that is gone leaves no price behind, and its former price is known', async ({
  panel,
}) => {
  type Offers = { value: { offers: readonly { id: string }[] } }
  const { value } = await ask<Offers>(panel, 'GET', '/api/admin/words/servizi.offers')
  const put = (id: string, words: object) =>
    ask(panel, 'PUT', `/api/admin/words/${id}`, { value: words })
  const [first, ...others] = value.offers
  const price = { cents: 10_400, currency: 'EUR' }
  await put('servizi.offers', { ...value, offers: [{ ...first, price }, ...others] })
  await put('servizi.offers', { ...value, offers: others })
  const booking = await ask<{ value: object }>(panel, 'GET', '/api/admin/words/booking.section')
  await put('booking.section', { ...booking.value, intro: 'Da soli costa 104 euro.' })

  const home = await publicText(panel, '/')
  expect([home.includes('104 euro'), /Prezzo: <\/span>\s*</.test(home)]).toEqual([true, false])
  await openPage(panel, 'home')
  const hints = panel.getByRole('region', { name: '3 conti che non tornano' })
  await expect(hints).toContainText("«104 euro» non torna: «Sessioni individuali» non c'è più")
  await expect(hints).toContainText('Qui sta il prezzo di «Sessioni individuali»')
  await expect(hints).toContainText("L'attività, per i motori di ricerca, Servizi 1, Servizio")
  for (const id of ['servizi.offers', 'booking.section']) await reset(panel, id)
})

test('what speaks of her is rewritten on its page, or hidden, and the quote asks for its leave', async ({
  panel,
}) => {
  await panel.goto(`${originOf(panel)}/admin#/pagine`)
  const asked = panel.getByRole('region', { name: 'Da confermare' })
  const fact = (name: string) => asked.locator('details').filter({ hasText: name })
  await fact('Le tappe del mio percorso').locator('summary').click()
  await fact('Le tappe del mio percorso').getByRole('button', { name: 'Nascondi' }).click()
  await expect(fact('Le tappe del mio percorso')).toContainText('Nascosta')
  await expect(panel.getByText(/^Una modifica non pubblicata, in Chi Sono\.$/)).toBeVisible()
  await toast(panel).getByRole('button', { name: italian.annulla }).click()
  await expect(fact('Le tappe del mio percorso')).not.toContainText('Nascosta')

  await fact('La citazione della psicologa').locator('summary').click()
  const quote = fact('La citazione della psicologa')
  await quote.getByRole('button', { name: italian.eVero }).click()
  const question = panel.getByRole('alertdialog', { name: 'Queste parole sono vere?' })
  await expect(question).toContainText('articolo 23 del Codice del consumo')
  await panel.keyboard.press('Escape')
  await expect(question).toHaveCount(0)

  const biography = '/api/admin/words/chi-sono.biography'
  await fact('Biografia').locator('summary').click()
  await fact('Biografia').getByRole('button', { name: 'Riscrivi' }).click()
  await expect(panel).toHaveURL(/#\/pagine\/chi-sono\/chi-sono\.biography%3A$/)
  const text = panel.locator('[id="w-chi-sono.biography-pullQuote"]')
  await text.fill('Parole mie, e vere.', { timeout: drawnMs })
  await panel.getByRole('button', { name: italian.pubblica, exact: true }).click()
  await expect(toast(panel)).toContainText(/aggiorna(ta|te) in \d+ ms/, { timeout: drawnMs })
  // The rewritten text counts as confirmed; the four original paragraphs still need confirmation.
  const block = await ask<{ value: object }>(panel, 'GET', biography)
  expect(block).toMatchObject({ confirmed: false, statements: 4 })
  await panel.goto(`${originOf(panel)}/admin#/pagine`)
  await expect(fact('Biografia').locator('blockquote p')).toHaveCount(4)
  await expect(fact('Biografia').locator('blockquote')).not.toContainText('Parole mie')
  await ask(panel, 'PUT', biography, { value: { ...block.value, text: 'La mia storia.' } })
  expect(await ask(panel, 'GET', biography)).toMatchObject({ confirmed: true })
  await reset(panel, 'chi-sono.biography')
  await ask(panel, 'PUT', biography, { confirmed: false })
})

test('answers about her are given with the keyboard on a phone, and taken back another day', async ({
  panel,
}) => {
  await panel.setViewportSize({ width: 360, height: 740 })
  const asked = panel.getByRole('region', { name: 'Da confermare' })
  const fact = (id: string) => asked.locator(`[data-fact="chi-sono.${id}"]`)
  const all = asked.getByRole('button', { name: 'Leggi le frasi' })
  const truth = asked.getByRole('button', { name: italian.eVero }).locator('visible=true')
  const card = panel.getByRole('listitem').filter({ hasText: 'Termini e Condizioni' })
  await expect(card).toContainText('Ultima modifica: Agosto 2024')
  expect((await card.boundingBox())?.height).toBeLessThan(150)
  await expect(truth).toHaveCount(0)
  await all.press('Enter')
  await expect(fact('biography').locator('summary')).toBeFocused()
  await expect(fact('biography').locator('blockquote')).toContainText('senza metterti fretta.')
  await truth.press('Enter')
  await expect(fact('timeline').locator('summary')).toBeFocused()
  await expect(fact('timeline').locator('blockquote')).toContainText('alla terza edizione.')
  await fact('timeline').getByRole('button', { name: 'Nascondi' }).press('Enter')
  await expect(fact('experience').locator('summary')).toBeFocused()
  await fact('timeline').locator('summary').click()
  await expect(fact('timeline').getByRole('button', { name: italian.eVero })).toHaveCount(0)
  await fact('timeline').getByRole('button', { name: 'Mostra di nuovo' }).press('Enter')
  await expect(fact('timeline').locator('summary')).toBeFocused()

  // Regression: the line above the contents still counted statements that 'Pubblica' had hidden.
  await fact('timeline').getByRole('button', { name: 'Nascondi' }).press('Enter')
  await publish(panel)
  await panel.goto(`${originOf(panel)}/admin#/contenuti`)
  await expect(
    panel.getByText('9 frasi del sito parlano di te: controlla che siano vere.'),
  ).toBeVisible()
  await panel.goto(`${originOf(panel)}/admin#/pagine`)

  const timeline = '/api/admin/words/chi-sono.timeline'
  await ask(panel, 'PUT', timeline, { hidden: true })
  await panel.reload()
  await expect(asked).toContainText('Confermate 5 su 14')
  await all.click()
  await asked.getByText('Rivedi le risposte').click()
  await fact('timeline').locator('summary').click()
  await expect(fact('timeline').getByRole('button', { name: 'Mostra di nuovo' })).toBeVisible()
  await fact('biography').locator('summary').click()
  await fact('biography').getByRole('button', { name: italian.annulla }).press('Enter')
  await expect(asked).toContainText('Confermate 0 su 14')
  await expect(fact('biography').locator('summary')).toBeFocused()
  await ask(panel, 'PUT', timeline, { hidden: false })
})

test('the changes of several pages are published together, with proof and links', async ({
  panel,
}) => {
  for (const page of ['servizi', 'contatti']) {
    const frame = await openPage(panel, page)
    await frame.getByRole('textbox', { name: italian.aperturaTitolo }).fill(`Insieme ${page}`)
  }
  await panel.keyboard.press('Control+s')
  await expect(toast(panel)).toContainText('Bozza conservata')
  await expect(panel.getByRole('button', { name: /^Due modifiche non pubblicate/ })).toBeVisible()
  const sent: string[] = []
  panel.on('request', (request) => {
    if (isWrite(request)) sent.push(new URL(request.url()).pathname)
  })
  await panel.keyboard.press('Control+Enter')
  await expect(toast(panel)).toContainText(/aggiorna(ta|te) in \d+ ms/, { timeout: drawnMs })
  expect(sent).toEqual(['/api/admin/words'])
  await expect(toast(panel).getByRole('link', { name: 'Servizi' })).toHaveAttribute(
    'href',
    '/servizi',
  )
  await expect(toast(panel).getByRole('link', { name: italian.contatti })).toBeVisible()
  expect(await publicText(panel, '/servizi')).toContain('Insieme servizi</h1>')
  await toast(panel).getByRole('button', { name: italian.annulla }).click()
  await expect(toast(panel)).toContainText('Tutto come prima: ', { timeout: drawnMs })
  expect(await publicText(panel, '/servizi')).not.toContain('Insieme')
})

test('search texts are measured and shown as engines and messengers will', async ({ panel }) => {
  await openPage(panel, 'servizi')
  const search = panel.getByRole('region', { name: 'Nei motori di ricerca' })
  const title = search.getByLabel(italian.titolo)
  await title.fill('Prezzi')
  await expect(search.getByRole('img', { name: 'Anteprima in Google' })).toContainText('Prezzi')
  await expect(search.getByText("C'è ancora posto").first()).toBeVisible()
  await search.getByLabel('Descrizione').fill('Un respiro lungo e lento. '.repeat(12).trim())
  await expect(search.getByText(/^Lungo: si ferma a «/)).toBeVisible()
  const chat = search.getByRole('img', { name: 'Anteprima in una chat' })
  await expect(chat).toContainText('Prezzi')
  // The picture is the file that link previews use.
  const picture = chat.locator('img')
  await expect(picture).toHaveAttribute('src', '/social/services.jpg')
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(600)
})

test('a title that another page has is said, and that legal pages are kept out of search engines', async ({
  panel,
}) => {
  const { value } = await ask<{ value: { title: string } }>(
    panel,
    'GET',
    '/api/admin/words/seo.contatti',
  )
  await openPage(panel, 'servizi')
  const search = panel.getByRole('region', { name: 'Nei motori di ricerca' })
  const noindex = search.getByText('Questa pagina non compare nei motori di ricerca.')
  const same = search.getByText(/^Lo stesso titolo è già in Contatti: /)
  await expect(noindex).toHaveCount(0)
  await expect(same).toHaveCount(0)
  await search.getByLabel(italian.titolo).fill(value.title)
  await expect(same).toBeVisible()
  await search.getByLabel(italian.titolo).fill(`${value.title} e altro`)
  await expect(same).toHaveCount(0)
  await openPage(panel, 'privacy')
  await expect(noindex).toBeVisible()
  expect(await publicText(panel, '/privacy')).toMatch(/<meta name="robots" content="noindex/)
})

test('a legal page lists what the law asks, and what is missing is one press away', async ({
  panel,
}) => {
  const settings = '/api/admin/settings'
  const { vatNumber } = await ask<{ vatNumber: string }>(panel, 'GET', settings)
  await ask(panel, 'PUT', settings, { vatNumber: '' })
  await openPage(panel, 'privacy')
  const list = panel.getByRole('region', { name: 'Che cosa chiede la legge' })
  await expect(list.getByRole('listitem')).toHaveCount(8)
  const vat = list.getByRole('listitem').filter({ hasText: 'Partita IVA nel sito' })
  await expect(vat).toContainText('Manca')
  await vat.getByRole('link').click()
  await expect(panel.locator('#vatNumber')).toBeFocused({ timeout: drawnMs })
  await ask(panel, 'PUT', settings, { vatNumber })
})

test('the pictures of pages are styled, and nothing in them runs, is reached or breaks the policy', async ({
  panel,
}) => {
  const faults = watch(panel, originOf(panel))
  await panel.reload()
  const card = panel.getByRole('listitem').filter({
    has: panel.getByRole('link', { name: italian.modificaServizi }),
  })
  const picture = card.locator('iframe')
  await expect(picture).toBeAttached({ timeout: drawnMs })
  await expect(picture).toHaveAttribute('sandbox', 'allow-same-origin')
  await expect(picture).toHaveAttribute('inert', '')
  await expect(picture.locator('xpath=ancestor::*[@aria-hidden="true"]')).toHaveCount(1)
  const page = picture.contentFrame()
  await expect(page.locator('h1')).toHaveText(italian.iNostriServizi)
  await expect(page.locator('h1')).toHaveCSS('font-family', /^Fraunces/)
  await expect(page.locator('body')).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
  expect(faults).toEqual([])
  // The editor's iframe inherits the same policy.
  await openPage(panel, 'servizi')
  expect(faults.join()).not.toContain('Content Security Policy')
})

test('a page is seen as wide as a telephone, and F6 goes on to the panel, the browser, the bar', async ({
  panel,
}) => {
  const frame = await openPage(panel, 'servizi')
  await panel.getByRole('button', { name: italian.telefono, exact: true }).click()
  const width = () => panel.locator('iframe').evaluate((element) => element.clientWidth)
  await expect.poll(width).toBe(390)
  await expect(panel.getByTitle('Pagina Servizi, in modifica')).toBeVisible()
  const title = frame.getByRole('textbox', { name: italian.aperturaTitolo })
  // An editable text shows its name, and a character counter during typing.
  await title.hover()
  await expect(frame.locator('.label')).toHaveText(italian.titolo)
  await title.click()
  await expect(frame.locator('.label')).toHaveText(/^Titolo\d+ \/ 60$/)
  const region = () =>
    panel.evaluate(() => document.activeElement?.closest('[data-region]')?.localName)
  // After the last region the key is the browser's: it leads to the address bar.
  await panel.evaluate(() =>
    addEventListener('keydown', ({ key, defaultPrevented }) => {
      document.body.dataset.key = `${key} ${defaultPrevented ? 'taken' : 'left'}`
    }),
  )
  const key = () => panel.evaluate(() => document.body.dataset.key)
  for (const [place, whose] of [
    ['aside', 'taken'],
    [undefined, 'left'],
    ['header', 'taken'],
    ['div', 'taken'],
  ] as const) {
    await panel.keyboard.press('F6')
    expect(await region()).toBe(place)
    if (place !== 'aside') expect(await key()).toBe(`F6 ${whose}`)
  }
})
