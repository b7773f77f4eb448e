// The panel where things go wrong or are undone: drafts, a lost session, failing uploads, order, trash.

import { resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { account, expect, expectAccessible, test } from './test'

const picture = (name: string) => resolve('../src/demo/pictures', name)
const pictures = ['gallery-1.jpg', 'gallery-2.jpg', 'gallery-3.jpg'].map(picture)

async function openKind(page: Page, name: string) {
  await page.getByRole('tab', { name }).click()
  await expect(page.getByRole('heading', { level: 2, name })).toBeVisible()
}

function titles(page: Page) {
  return page.locator('ol > li :is(h2, h3)')
}

async function shownTitles(page: Page) {
  await expect(titles(page).first()).toBeVisible()
  return titles(page).allTextContents()
}

test('typed text comes back after the tab was closed', async ({ admin: page }) => {
  await page.getByRole('button', { name: 'Aggiungi Testimonianza' }).click()
  await page.getByLabel('Nome').fill('Bianca V.')
  await page.reload()
  await page.getByRole('button', { name: 'Aggiungi Testimonianza' }).click()
  await expect(page.getByText('C’è del testo non salvato')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Riprendi' }).click()
  await expect(page.getByLabel('Nome')).toHaveValue('Bianca V.')
})

test('Escape closes a form without a question, because nothing is lost', async ({
  admin: page,
}) => {
  await page.getByRole('button', { name: 'Aggiungi Testimonianza' }).click()
  await page.getByLabel('Nome').fill('Bianca V.')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByText('Il testo non salvato è conservato')).toBeVisible()
})

test('a session that ended is renewed in place and the save is sent again', async ({
  admin: page,
}) => {
  await page.getByRole('button', { name: 'Aggiungi Testimonianza' }).click()
  await page.getByLabel('Nome').fill('Bianca V.')
  await page.getByRole('textbox', { name: 'Testimonianza' }).fill('Due parole.')
  await page.context().clearCookies()
  await page.keyboard.press('Control+s')
  const sheet = page.getByRole('dialog', { name: 'Accedi di nuovo' })
  await expect(sheet.getByText('La sessione è scaduta. Accedi di nuovo.')).toBeVisible()
  await expect(sheet.getByLabel('E-mail')).toHaveValue(account.email)
  await expectAccessible(page)
  await sheet.getByRole('textbox', { name: 'Password' }).fill(account.password)
  await sheet.getByRole('button', { name: 'Accedi' }).click()
  await expect(page.getByText('Testimonianza aggiunta con successo!')).toBeVisible()
  await expect(titles(page).getByText('Bianca V.')).toBeVisible()
})

test('a failed save keeps the form open and says why', async ({ admin: page }) => {
  const detail = 'Spazio di archiviazione esaurito'
  await page.route('**/api/admin/course-testimonials', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 507, json: { status: 507, title: 'Errore', detail } })
      : route.fallback(),
  )
  await page.getByRole('button', { name: 'Aggiungi Testimonianza' }).click()
  await page.getByLabel('Nome').fill('Bianca V.')
  await page.getByRole('textbox', { name: 'Testimonianza' }).fill('Due parole.')
  await page.getByRole('dialog').getByRole('button', { name: 'Aggiungi Testimonianza' }).click()
  const toast = page.getByRole('alert').filter({ hasText: 'Errore nel salvataggio' })
  await expect(toast).toContainText(detail)
  await expect(page.getByLabel('Nome')).toHaveValue('Bianca V.')
})

test('a batch stops at the first failing file and goes on from there', async ({ admin: page }) => {
  test.setTimeout(90_000)
  let puts = 0
  await page.route('**/objects/uploads/**', (route) => {
    if (route.request().method() !== 'PUT') return route.fallback()
    puts += 1
    return puts === 2 ? route.abort() : route.fallback()
  })
  await openKind(page, 'Galleria Fotografica')
  await page.getByRole('button', { name: 'Aggiungi Foto' }).click()
  const dialog = page.getByRole('dialog', { name: 'Nuove Foto' })
  await dialog.locator('input[type=file]').setInputFiles(pictures)
  // The first picture is decoded and reduced before the second is sent.
  await expect(dialog.getByText('Caricamento interrotto: 1 su 3 caricate.')).toBeVisible({
    timeout: 30_000,
  })
  await expect(
    dialog.getByText('Connessione assente. Controlla la rete e riprova.').first(),
  ).toBeVisible()
  await expect(dialog.getByText('Non inviata')).toHaveCount(1)
  await expect(dialog.getByRole('button', { name: 'Riprova' })).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Riprendi il caricamento' }).click()
  await expect(page.getByText('3 foto caricate con successo!')).toBeVisible({ timeout: 60_000 })
  await expect(titles(page).last()).toHaveText('Foto gallery-3.jpg')
})

test('an oversize file is named in the alert and skipped, a HEIC one explained', async ({
  admin: page,
}) => {
  const alerts: string[] = []
  page.on('dialog', (dialog) => {
    alerts.push(dialog.message())
    return dialog.accept()
  })
  await openKind(page, 'Galleria Fotografica')
  await page.getByRole('button', { name: 'Aggiungi Foto' }).click()
  const dialog = page.getByRole('dialog', { name: 'Nuove Foto' })
  const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')
  await dialog.locator('input[type=file]').setInputFiles([
    { name: 'grande.png', mimeType: 'image/png', buffer: Buffer.alloc(10_485_761) },
    { name: 'IMG_1.jpg', mimeType: 'image/jpeg', buffer: heic },
  ])
  await expect(dialog.getByText('Saltata')).toHaveCount(2)
  await expect(dialog.getByText('Questa foto è in formato HEIC')).toBeVisible()
  expect(alerts).toEqual(['File grande.png troppo grande. Massimo 10MB'])
  await dialog.getByRole('button', { name: 'Carica Foto' }).click()
  await expect(page.getByText("Seleziona almeno un'immagine").first()).toBeVisible()
})

test('arrows move a row, keep the focus on it, say where it is, and can be undone', async ({
  admin: page,
}) => {
  const before = await shownTitles(page)
  const up = page.getByRole('button', { name: /^Sposta su/ })
  await expect(up.first()).toBeDisabled()
  await expect(page.getByRole('button', { name: /^Sposta giù/ }).last()).toBeDisabled()
  await up.nth(1).click()
  await expect(page.getByText('Ordine aggiornato!')).toBeVisible()
  await expect(titles(page).first()).toHaveText(before[1] ?? '')
  await expect(page.getByText(`${before[1]}: posizione 1 di ${before.length}`)).toBeAttached()
  await expect(page.getByRole('button', { name: `Sposta giù: ${before[1]}` })).toBeFocused()
  await page.getByRole('button', { name: 'Annulla' }).click()
  await expect(titles(page).first()).toHaveText(before[0] ?? '')
})

test('a row is dragged by its handle, or moved by the arrow keys on it', async ({
  admin: page,
}) => {
  const before = await shownTitles(page)
  const grips = page.getByRole('button', { name: /^Trascina per riordinare/ })
  await grips.first().focus()
  await page.keyboard.press('ArrowDown')
  await expect(titles(page).nth(1)).toHaveText(before[0] ?? '')
  await expect(grips.nth(1)).toBeFocused()
  const from = await grips.nth(1).boundingBox()
  const to = await grips.first().boundingBox()
  if (from === null || to === null) throw new Error('no handles')
  await page.mouse.move(from.x + 10, from.y + 10)
  await page.mouse.down()
  await page.mouse.move(from.x + 10, from.y - 20, { steps: 5 })
  await page.mouse.move(to.x + 10, to.y + 2, { steps: 10 })
  await page.mouse.up()
  await expect(titles(page).first()).toHaveText(before[0] ?? '')
})

test('deleting asks with the words of the kind, and can be undone', async ({ admin: page }) => {
  const before = await shownTitles(page)
  await page.getByRole('button', { name: `Elimina: ${before[0]}` }).click()
  const question = page.getByRole('alertdialog', {
    name: 'Sei sicuro di voler eliminare questa testimonianza?',
  })
  await expect(question.getByRole('button', { name: 'Annulla' })).toBeFocused()
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Elimina', exact: true }).click()
  await expect(page.getByText('Testimonianza eliminata!')).toBeVisible()
  await expect(titles(page)).toHaveCount(before.length - 1)
  await page.getByRole('button', { name: 'Annulla' }).click()
  await expect(titles(page)).toHaveCount(before.length)
})

test('the trash gives things back and can be emptied', async ({ admin: page, fresh }) => {
  await page
    .getByRole('button', { name: /^Elimina: / })
    .first()
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Elimina', exact: true }).click()
  await expect(page.getByText('Testimonianza eliminata!')).toBeVisible()
  await page.goto(`${fresh.origin}/admin#/cestino`)
  await expect(page.getByRole('heading', { level: 1, name: 'Cestino' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Ripristina' })).toHaveCount(1)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Svuota adesso' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Svuota' }).click()
  await expect(page.getByText('Il cestino è vuoto.')).toBeVisible()
})

test('the switch publishes and hides, and says so', async ({ admin: page, fresh, request }) => {
  await openKind(page, 'Eventi')
  const title = (await titles(page).first().textContent()) ?? ''
  await page.getByRole('switch', { name: new RegExp(`${title.replace(/[[\]]/g, '.')}$`) }).click()
  await expect(page.getByText('Stato pubblicazione aggiornato!')).toBeVisible()
  await expect(page.getByText('Nascosto').first()).toBeVisible()
  const html = await (await request.get(`${fresh.origin}/eventi`)).text()
  expect(html).not.toContain(title)
})

test('a list that cannot be read says so and can be asked again', async ({ admin: page }) => {
  await page.route('**/api/admin/events', (route) => route.abort())
  await page.reload()
  await page.getByRole('tab', { name: 'Eventi' }).click()
  await expect(page.getByText('Errore nel Caricamento')).toBeVisible()
  await page.unroute('**/api/admin/events')
  await page.getByRole('button', { name: 'Riprova' }).click()
  await expect(titles(page).first()).toBeVisible()
})

test('an article gets its address from its title and is previewed as typed', async ({
  admin: page,
  fresh,
}) => {
  await page.goto(`${fresh.origin}/admin#/blog`)
  await page.getByRole('button', { name: 'Nuovo Articolo' }).first().click()
  await page.getByLabel('Titolo', { exact: true }).fill('Perché respirare?')
  await expect(page.getByLabel('Indirizzo dell’articolo')).toHaveValue('perche-respirare')
  await page.getByLabel('Testo', { exact: true }).fill('piano')
  await page.getByLabel('Testo', { exact: true }).selectText()
  await page.getByRole('button', { name: 'Grassetto' }).click()
  await expect(page.getByLabel('Testo', { exact: true })).toHaveValue('**piano**')
  await page.getByRole('button', { name: 'Anteprima' }).click()
  const frame = page.frameLocator('iframe[title="Anteprima della pagina"]')
  await expect(frame.getByRole('heading', { name: 'Perché respirare?' }).first()).toBeVisible()
  await expect(frame.locator('strong', { hasText: 'piano' })).toBeVisible()
  await page.getByRole('button', { name: 'Pubblica Articolo' }).click()
  await expect(page.getByText('Articolo aggiunto con successo!')).toBeVisible()
  const answer = await page.request.get(`${fresh.origin}/blog/perche-respirare`)
  expect(answer.status()).toBe(200)
})

test('a copy is shown before it replaces anything, and brings back what it holds', async ({
  admin: page,
  fresh,
}) => {
  test.setTimeout(90_000)
  const before = await shownTitles(page)
  const copy = await (await page.request.get(`${fresh.origin}/api/admin/backup`)).body()
  await page.getByRole('button', { name: `Elimina: ${before[0]}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Elimina', exact: true }).click()
  await expect(titles(page)).toHaveCount(before.length - 1)
  await page.goto(`${fresh.origin}/admin#/backup`)
  await page.getByLabel('File di backup').setInputFiles({
    name: 'respiro.redb',
    mimeType: 'application/octet-stream',
    buffer: copy,
  })
  const dialog = page.getByRole('dialog', { name: 'Che cosa contiene la copia' })
  await expect(dialog.getByText('Testimonianze Corsisti')).toBeVisible({ timeout: 30_000 })
  await expect(dialog.getByText('Fatta il')).toBeVisible()
  await expect(dialog.locator('dd').first()).toHaveText(/\d{1,2} \S+ \d{4} alle ore \d{2}:\d{2}/)
  await expectAccessible(page)
  const replace = dialog.getByRole('button', { name: 'Sostituisci tutto' })
  await expect(replace).toBeDisabled()
  await dialog.getByLabel('Per continuare scrivi SOSTITUISCI').fill('sostituisci')
  await replace.click()
  await expect(page.getByText('Copia ripristinata')).toBeVisible({ timeout: 30_000 })
  await page.getByLabel('E-mail').fill(account.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(account.password)
  await page.getByRole('button', { name: 'Accedi' }).click()
  await page.goto(`${fresh.origin}/admin#/contenuti/course-testimonials`)
  await expect(titles(page)).toHaveCount(before.length)
})

for (const area of [
  'contenuti/events',
  'blog',
  'newsletter',
  'impostazioni',
  'backup',
  'account',
]) {
  for (const width of [1280, 375]) {
    test(`#/${area} is accessible and fits at ${width}`, async ({ admin: page, fresh }) => {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(`${fresh.origin}/admin#/${area}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByText('Caricamento...')).toHaveCount(0)
      await expectAccessible(page)
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - window.innerWidth,
      )
      expect(overflow).toBeLessThanOrEqual(0)
    })
  }
}
