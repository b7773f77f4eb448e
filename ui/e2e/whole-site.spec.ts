// Tests of what the settings change on the whole site: the line above every page, addresses that lead elsewhere.

import type { Page } from '@playwright/test'
import { ask } from './admin-kit'
import { expectToast, openArea, originOf } from './admin-screen'
import { italian } from './italian'
import { expect, expectAccessible, test } from './test'

const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]

function card(page: Page, title: string) {
  return page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: title, exact: true }) })
}

/** The layout shift of the page since it was opened, and whether anything is wider than the window. */
function layoutOf(page: Page) {
  return page.evaluate(async () => {
    const shift = await new Promise<number>((done) => {
      let sum = 0
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value
      }).observe({ type: 'layout-shift', buffered: true })
      requestAnimationFrame(() => requestAnimationFrame(() => done(sum)))
    })
    return { shift, isWide: document.documentElement.scrollWidth > innerWidth }
  })
}

for (const viewport of SIZES) {
  test(`a line above the site is set, seen without a shift and taken away, at ${viewport.width}`, async ({
    admin: page,
    browser,
  }) => {
    await page.setViewportSize(viewport)
    await openArea(page, 'impostazioni', 'Impostazioni')
    const settings = card(page, 'Tutto il sito')
    const line = 'Chiuso per ferie: le prenotazioni riprendono il 21 agosto, anche per telefono'
    await settings.getByLabel('Riga in cima al sito').fill(line)
    await settings.getByLabel('Fino al giorno').fill('31 febbraio')
    const save = page.getByRole('button', { name: italian.salvaModifiche })
    await save.click()
    await expect(settings.getByText('Non riesco a leggere il giorno')).toBeVisible()
    await settings.getByLabel('Fino al giorno').fill('20 agosto')
    await save.click()
    await expectToast(page, italian.impostazioniSalvate)
    await expect(settings.getByLabel('Fino al giorno')).toHaveValue(/^20 agosto 20\d\d$/)
    await expectAccessible(page)

    const context = await browser.newContext({ viewport, reducedMotion: 'reduce' })
    const visitor = await context.newPage()
    for (const path of ['/', '/blog', '/privacy']) {
      await visitor.goto(originOf(page) + path, { waitUntil: 'networkidle' })
      const shown = visitor.getByText(line)
      await expect(shown).toBeInViewport()
      expect(await layoutOf(visitor)).toEqual({ shift: 0, isWide: false })
      // The header begins beneath the line, and takes its place once the page is scrolled.
      const banner = visitor.getByRole('banner')
      const below = await shown.boundingBox()
      expect((await banner.boundingBox())?.y).toBe((below?.y ?? 0) + (below?.height ?? 0))
      await visitor.evaluate(() => scrollTo(0, 600))
      await expect.poll(async () => (await banner.boundingBox())?.y).toBe(0)
      await expect(shown).not.toBeInViewport()
    }
    await expectAccessible(visitor)
    await context.close()

    await settings.getByLabel('Riga in cima al sito').fill('')
    await save.click()
    // The toast of the former save may still be there.
    const home = async () => (await page.request.get(originOf(page))).text()
    await expect.poll(home).not.toContain('Chiuso per ferie')
  })

  test.describe(() => {
    test.use({ named: /404/ })

    test(`an address that was sought leads to a page that she chooses, at ${viewport.width}`, async ({
      admin: page,
      browser,
    }) => {
      await page.setViewportSize(viewport)
      const context = await browser.newContext({
        userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
      })
      const visitor = await context.newPage()
      await visitor.goto(`${originOf(page)}/Vecchio-Corso`)
      await expect(visitor.getByText('404 Page Not Found')).toBeVisible()

      await openArea(page, 'impostazioni', 'Impostazioni')
      const redirects = card(page, 'Indirizzi che portano altrove')
      await redirects.getByRole('button', { name: 'Apri l’elenco' }).click()
      await expect(redirects.getByText('una volta')).toBeVisible()
      await redirects.getByRole('button', { name: 'Porta a… /vecchio-corso' }).click()
      await expect(redirects.getByLabel('Indirizzo', { exact: true })).toHaveValue('/vecchio-corso')
      await expect(redirects.getByLabel('Porta a', { exact: true })).toBeFocused()
      await redirects.getByLabel('Porta a', { exact: true }).fill('/nulla')
      await redirects.getByRole('button', { name: 'Aggiungi' }).click()
      await expect(redirects.getByText('Questa pagina non c')).toBeVisible()
      await redirects.getByLabel('Porta a', { exact: true }).fill(`${originOf(page)}/servizi`)
      await redirects.getByRole('button', { name: 'Aggiungi' }).click()
      await expectToast(page, 'Indirizzo aggiunto')
      await expect(redirects.getByText('Per ora nessuno ha cercato')).toBeVisible()
      await expectAccessible(page)
      await visitor.goto(`${originOf(page)}/Vecchio-Corso`)
      expect(new URL(visitor.url()).pathname).toBe('/servizi')
      await context.close()

      await redirects.getByRole('button', { name: 'Togli /vecchio-corso' }).click()
      await expectToast(page, 'Indirizzo tolto')
      await page.getByRole('button', { name: italian.annulla }).click()
      await expect(redirects.getByText('/vecchio-corso → /servizi')).toBeVisible()
      const { redirects: rows } = await ask<{ redirects: { from: string; to: string }[] }>(
        page,
        'GET',
        '/api/admin/redirects',
      )
      expect(rows).toContainEqual(
        expect.objectContaining({ from: '/vecchio-corso', to: '/servizi' }),
      )
    })
  })
}

test('the codice fiscale stands in the footer of who has no partita IVA', async ({
  admin: page,
}) => {
  await openArea(page, 'impostazioni', 'Impostazioni')
  const legal = card(page, 'Dati legali')
  await legal.getByLabel('Partita IVA').fill('')
  await legal.getByLabel('Codice fiscale').fill('RCCMNL83S18D969X')
  const save = page.getByRole('button', { name: italian.salvaModifiche })
  await save.click()
  await expect(legal.getByText('Questo codice fiscale non esiste')).toBeVisible()
  await legal.getByLabel('Codice fiscale').fill('RCCMNL83S18D969H')
  await legal.getByRole('switch', { name: 'L’anno cambia da solo' }).check()
  await save.click()
  await expectToast(page, italian.impostazioniSalvate)
  await page.goto(originOf(page))
  const footer = page.getByRole('contentinfo')
  await expect(footer.getByText('C. F. RCCMNL83S18D969H')).toBeVisible()
  await expect(footer.getByText(`© ${new Date().getFullYear()}`)).toBeVisible()
})

test('further profiles are in the footer and on the contact page', async ({ admin: page }) => {
  await openArea(page, 'impostazioni', 'Impostazioni')
  const contacts = card(page, 'Contatti')
  const profiles = contacts.getByLabel('Altri profili social')
  await profiles.fill('http://instagram.com/anna')
  await page.getByRole('button', { name: italian.salvaModifiche }).click()
  await expect(contacts.getByText('scrivine uno per riga')).toBeVisible()
  await profiles.fill('instagram.com/anna\nhttps://www.youtube.com/@anna')
  await page.getByRole('button', { name: italian.salvaModifiche }).click()
  await expectToast(page, italian.impostazioniSalvate)
  for (const viewport of SIZES) {
    await page.setViewportSize(viewport)
    await page.goto(`${originOf(page)}/contatti`)
    const links = page.getByRole('link', { name: /^Instagram/ })
    await expect(links).toHaveCount(2)
    await expect(links.first().locator('svg')).toBeVisible()
    await expect(
      page.getByRole('contentinfo').getByRole('link', { name: /^YouTube/ }),
    ).toBeVisible()
    expect((await layoutOf(page)).isWide).toBe(false)
    await expectAccessible(page)
  }
})

test('all unchanged examples go to the trash in one press, and come back', async ({
  admin: page,
}) => {
  await openArea(page, 'impostazioni', 'Impostazioni')
  await page.getByRole('button', { name: 'Togli tutti gli esempi' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Togliere tutti gli esempi?' })
  await dialog.getByRole('button', { name: 'Togli tutti gli esempi' }).click()
  await expectToast(page, 'Esempi tolti')
  await expect(page.getByRole('heading', { name: 'Contenuti di esempio' })).toBeHidden()
  expect(await ask<unknown[]>(page, 'GET', '/api/admin/course-testimonials')).toEqual([])
  await page.getByRole('button', { name: italian.annulla }).click()
  await expectToast(page, 'Esempi rimessi')
  await expect(page.getByRole('heading', { name: 'Contenuti di esempio' })).toBeVisible()
})

test.describe(() => {
  test.use({ named: /503/ })

  test('a site asleep shows visitors a message, and the admin the site', async ({
    admin: page,
    browser,
  }) => {
    await openArea(page, 'impostazioni', 'Impostazioni')
    const site = card(page, 'Tutto il sito')
    await site.getByRole('switch', { name: 'Il sito dorme' }).check()
    await site.getByLabel('Messaggio mentre dorme').fill('Torno a settembre.')
    await page.getByRole('button', { name: italian.salvaModifiche }).click()
    await expectToast(page, italian.impostazioniSalvate)
    for (const viewport of SIZES) {
      const context = await browser.newContext({ viewport })
      const visitor = await context.newPage()
      const answer = await visitor.goto(`${originOf(page)}/eventi`)
      expect(answer?.status()).toBe(503)
      await expect(visitor.getByText('Torno a settembre.')).toBeVisible()
      await expectAccessible(visitor)
      await context.close()
    }
    await openArea(page, 'casa', 'Buon')
    await expect(page.getByText('Il sito dorme')).toBeVisible()
    await page.getByRole('link', { name: 'Sveglialo' }).click()
    await expect(page.getByLabel('Messaggio mentre dorme')).toBeFocused()
    await page.goto(`${originOf(page)}/eventi`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  })
})

test('an article gets a category of her own, which the next one offers', async ({
  admin: page,
}) => {
  await openArea(page, 'blog', 'Blog')
  const newArticle = async (title: string) => {
    await page.getByRole('button', { name: italian.nuovoArticolo }).click()
    const dialog = page.getByRole('dialog', { name: italian.nuovoArticolo })
    await dialog.getByLabel(italian.titolo, { exact: true }).fill(title)
    await dialog.getByRole('textbox', { name: italian.testo, exact: true }).fill('Parole.')
    return dialog
  }
  const first = await newArticle('Nel bosco')
  await first.getByLabel('Categoria').selectOption('Un’altra…')
  await expect(first.getByLabel('Categoria: Un’altra…')).toBeFocused()
  await first.getByLabel('Categoria: Un’altra…').fill('Camminate')
  await expectAccessible(page)
  await first.getByRole('button', { name: italian.pubblicaArticolo }).click()
  await expectToast(page, italian.articoloAggiuntoConSuccesso)
  const second = await newArticle('Al lago')
  await second.getByLabel('Categoria').selectOption('Camminate')
  await second.getByRole('button', { name: italian.pubblicaArticolo }).click()
  // The message about the first article may still be there.
  await expect(second).toBeHidden()
  await page.goto(`${originOf(page)}/blog/al-lago`)
  await expect(page.getByText('Camminate', { exact: true }).first()).toBeVisible()
})

test('links are checked by a press, each with its place', async ({ admin: page }) => {
  await ask(page, 'PUT', '/api/admin/settings', { publisherUrl: 'http://127.0.0.1/editore' })
  await openArea(page, 'impostazioni', 'Impostazioni')
  const links = card(page, 'Link ad altri siti')
  const answer = {
    isRunning: false,
    startedAt: '2026-11-28T10:00:00.000Z',
    total: 2,
    leftOut: 0,
    links: [
      { url: 'https://a.example/', result: 'ok', to: null, status: null, places: [] },
      {
        url: 'http://127.0.0.1/editore',
        result: 'notPublic',
        to: null,
        status: null,
        places: [{ setting: 'publisherUrl', title: 'Pagina dell’editore' }],
      },
    ],
  }
  await page.route('**/api/admin/link-check', (route) => route.fulfill({ json: answer }))
  await links.getByRole('button', { name: 'Controlla i link' }).click()
  await expect(links.getByText('Uno è da guardare.')).toBeVisible()
  await expect(links.getByText('non è un indirizzo pubblico')).toBeVisible()
  await expectAccessible(page)
  await links.getByRole('link', { name: 'Pagina dell’editore' }).click()
  await expect(page.locator('#publisherUrl')).toBeFocused()
})
