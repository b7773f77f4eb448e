// Tests a requested testimonial from the panel to the public page: the link, a
// participant on a phone with scripts and without, the draft, publishing, withdrawal.

import type { Browser, Page } from '@playwright/test'
import { italian } from './italian'
import { expect, expectAccessible, test, watch } from './test'

// The form without its consent is sent on purpose.
test.use({ named: /^422 POST \/testimonianza\// })

const phone = { viewport: { width: 375, height: 812 }, locale: 'it-IT' }
const text = 'Cercavo calma e l’ho trovata.\n\nGrazie di cuore.'

/** Creates a personal link in the panel. Returns its address. */
async function askFor(panel: Page, name: string): Promise<string> {
  await panel.getByRole('button', { name: 'Chiedi una testimonianza' }).click()
  const dialog = panel.getByRole('dialog', { name: 'Chiedi una testimonianza' })
  await dialog.getByLabel('A chi la chiedi').fill(name)
  await dialog.getByLabel('A che cosa ha partecipato').fill('Seminario di marzo')
  await dialog.getByRole('button', { name: 'Crea il link' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(/Chiedila solo a chi ha partecipato/)
  await expectAccessible(panel)
  await dialog.getByLabel('So che ha partecipato davvero').check()
  await dialog.getByRole('button', { name: 'Crea il link' }).click()
  const ready = panel.getByRole('dialog', { name: 'Il link è pronto' })
  const link = await ready.getByLabel('Link', { exact: true }).inputValue()
  const messenger = await ready
    .getByRole('link', { name: 'Manda con WhatsApp' })
    .getAttribute('href')
  expect(new URL(messenger ?? '').searchParams.get('text')).toContain(`Ciao ${name}, grazie`)
  expect(new URL(messenger ?? '').searchParams.get('text')).toContain(link)
  await ready.getByText('Manda per e-mail').first().click()
  const mail = await ready.getByRole('link', { name: 'Manda per e-mail' }).getAttribute('href')
  expect(new URL(mail ?? '').searchParams.get('body')).toContain(link)
  await expectAccessible(panel)
  await ready.getByRole('button', { name: italian.chiudi }).click()
  return link
}

async function fill(page: Page, name: string) {
  await page.getByLabel('Come vuoi firmare').fill(name)
  await page.getByRole('radio', { name: '4 stelle su 5' }).check()
  await page.getByLabel('Il tuo racconto').fill(text)
}

async function withoutScripts(browser: Browser, link: string) {
  const context = await browser.newContext({ ...phone, javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(link)
  await expect(page.getByText('Hai partecipato a: Seminario di marzo')).toBeVisible()
  await fill(page, 'Marta Q.')
  await page.getByRole('button', { name: 'Invia la testimonianza' }).click()
  await expect(page.getByText('C’è 1 cosa da sistemare.')).toBeInViewport()
  await expect(page.getByLabel('Come vuoi firmare')).toHaveValue('Marta Q.')
  await expect(page.getByRole('radio', { name: '4 stelle su 5' })).toBeChecked()
  await expect(page.getByLabel('Il tuo racconto')).toHaveValue(text)
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Invia la testimonianza' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Grazie, Marta Q.' })).toBeVisible()
  await context.close()
}

test('a participant writes without scripts, and it is seen after it was published', async ({
  admin,
  browser,
  fresh,
}) => {
  const link = await askFor(admin, 'Marta')
  await withoutScripts(browser, link)

  await admin.reload()
  await expect(admin.getByText('1 testimonianza nuova da leggere')).toBeVisible()
  await admin.getByRole('button', { name: 'Testimonianze chieste' }).click()
  const list = admin.getByRole('dialog', { name: 'Testimonianze chieste' })
  await expect(list.getByText('Ricevuta')).toBeVisible()
  await expectAccessible(admin)
  await list.getByRole('button', { name: 'Leggi' }).click()
  const editor = admin.getByRole('dialog', { name: italian.modificaTestimonianza })
  await expect(editor.getByText('Testimonianza ricevuta')).toBeVisible()
  await editor.getByText(italian.daDoveViene).click()
  await expect(editor.getByText('Con un link personale')).toBeVisible()
  await expect(editor.getByText(/almeno 18 anni/)).toBeVisible()
  await expectAccessible(admin)
  await editor.getByRole('textbox', { name: italian.testimonianza }).fill('Altre parole.')
  await expect(editor.getByText('Hai cambiato le parole ricevute.')).toBeVisible()
  await editor.getByRole('button', { name: 'Torna al testo ricevuto' }).click()
  await expect(editor.getByRole('textbox', { name: italian.testimonianza })).toHaveValue(text)
  await editor.getByRole('button', { name: italian.pubblica, exact: true }).click()
  await expect(editor).toBeHidden()
  await expect(admin.getByText('Non aspetti nessuna testimonianza.')).toBeVisible()

  const context = await browser.newContext(phone)
  const visitor = await context.newPage()
  await visitor.goto(`${fresh.origin}/testimonianze`)
  await expect(visitor.getByText('Marta Q.').first()).toBeAttached()
  await expect(visitor.getByText('le chiedo con un link personale')).toBeVisible()

  // The participant withdraws the testimonial with the link by which consent was given.
  await visitor.goto(link)
  await expect(visitor.getByRole('heading', { level: 1, name: 'Hai già scritto' })).toBeVisible()
  await expectAccessible(visitor)
  await visitor.getByText('Ritira la testimonianza').click()
  await visitor.getByRole('button', { name: 'Ritira', exact: true }).click()
  await expect(visitor.getByRole('heading', { name: 'Testimonianza ritirata' })).toBeVisible()
  const shown = await (await fetch(`${fresh.origin}/api/course-testimonials`)).text()
  expect(shown).not.toContain('Marta Q.')
  await context.close()
})

test('with scripts what is typed survives a closed tab and a dead line', async ({
  admin,
  browser,
  fresh,
}) => {
  const link = await askFor(admin, 'Lina')
  const context = await browser.newContext(phone)
  const page = await context.newPage()
  const faults = watch(page, fresh.origin)
  const hydrated = () => expect(page.locator('html[data-hydrated]')).toHaveCount(1)
  await page.goto(link)
  await hydrated()
  await expectAccessible(page)
  await fill(page, 'Lina')
  await expect(page.getByText('Così apparirà')).toBeVisible()
  await expect(page.getByText(`${text.length} di 5000 caratteri`)).toBeVisible()

  // Regression: a form that had the focus before the script came was hidden, and with it the keyboard.
  await page.goto('about:blank')
  let release = () => {}
  const isFree = new Promise<void>((free) => {
    release = free
  })
  await page.route(/\.js$/, async (route) => {
    await isFree
    await route.continue()
  })
  await page.goto(link, { waitUntil: 'commit' })
  await page.getByLabel('Il tuo racconto').focus()
  release()
  await hydrated()
  await expect(page.getByLabel('Il tuo racconto')).toHaveValue(text)
  await expect(page.getByLabel('Il tuo racconto')).toBeFocused()
  await page.unrouteAll()

  await page.goto('about:blank')
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Riprendere da dove eri?' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Invia la testimonianza' })).toBeHidden()
  await expectAccessible(page)
  await page.getByRole('button', { name: italian.riprendi }).click()
  await expect(page.getByLabel('Il tuo racconto')).toHaveValue(text)
  await expect(page.getByRole('radio', { name: '4 stelle su 5' })).toBeChecked()

  await page.getByRole('button', { name: 'Invia la testimonianza' }).click()
  const summary = page.getByRole('alert')
  await expect(summary).toContainText('C’è 1 cosa da sistemare.')
  await expect(summary).toBeFocused()
  await expectAccessible(page)
  expect(faults.filter((fault) => !fault.includes('422'))).toEqual([])
  await page.getByRole('checkbox').check()
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Invia la testimonianza' }).click()
  await expect(summary).toContainText(italian.connessioneAssente)
  await expect(page.getByLabel('Il tuo racconto')).toHaveValue(text)
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Invia la testimonianza' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Grazie, Lina' })).toBeVisible()
  await expectAccessible(page)
  expect(await page.evaluate(() => Object.keys(localStorage).join())).not.toContain('testimonianza')

  await page.setViewportSize({ width: 1440, height: 900 })
  const second = await askFor(admin, 'Zoe')
  await page.goto(second)
  await hydrated()
  await page.getByLabel('Il tuo racconto').fill('Cominciato')
  await admin.getByRole('button', { name: 'Testimonianze chieste' }).click()
  const list = admin.getByRole('dialog', { name: 'Testimonianze chieste' })
  await list.getByRole('button', { name: 'Annulla il link' }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Annulla il link' }).click()
  await expect(list.getByText(italian.annullato, { exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Il link non vale più' })).toBeVisible()
  await expect(page.getByText('Cominciato')).toBeVisible()
  // The only copy of her text: where the browser refuses the clipboard, it is selected.
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'))
  })
  await page.getByRole('button', { name: 'Copia il testo' }).click()
  await expect(page.getByText('Il testo è selezionato: copialo da qui')).toBeVisible()
  expect(await page.evaluate(() => `${getSelection()}`)).toBe('Cominciato')
  await context.close()
})
