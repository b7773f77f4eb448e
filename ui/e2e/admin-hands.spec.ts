// Tests of the panel with the keyboard alone, with a hovering pointer, and with one hand on a phone.

import type { Locator } from '@playwright/test'
import { ask, expect, makeTestimonial, test } from './admin-kit'
import { openArea, openKind, originOf, rows } from './admin-screen'
import { italian } from './italian'

/** Where the focus is: in the dialog, nowhere (the browser's own toolbar), or outside the dialog, which is a fault. */
function focusIn(dialog: Locator): Promise<'inside' | 'nowhere' | 'outside'> {
  return dialog.evaluate((node) => {
    if (document.activeElement === document.body) return 'nowhere'
    return node.contains(document.activeElement) ? 'inside' : 'outside'
  })
}

/**
 * Expects that Enter opens the dialog with the focus inside, that Tab does not leave it at either end, and that Escape
 * returns the focus to the opener.
 */
async function expectByKeyboard(opener: Locator, dialog: Locator) {
  const { keyboard } = opener.page()
  await opener.focus()
  await keyboard.press('Enter')
  await expect(dialog).toBeVisible({ timeout: 20_000 })
  await expect.poll(() => focusIn(dialog)).toBe('inside')
  const stops = dialog
    .locator('a, button, input:not([tabindex]), select, textarea')
    .filter({ visible: true })
  await expect(stops.first()).toBeVisible()
  for (const [stop, key] of [
    [stops.last(), 'Tab'],
    [stops.first(), 'Shift+Tab'],
  ] as const) {
    // A button that waits for its form cannot take the focus; Tab then starts from the present element.
    await stop.focus()
    for (let step = 0; step < 3; step += 1) {
      await keyboard.press(key)
      expect(await focusIn(dialog)).not.toBe('outside')
    }
    expect(await focusIn(dialog)).toBe('inside')
  }
  await keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(opener).toBeFocused()
}

test('every form and question over a list is entered and left by keys', async ({ panel }) => {
  test.slow()
  const button = (name: string | RegExp) => panel.getByRole('button', { name }).first()
  const dialog = (name: string) => panel.getByRole('dialog', { name })
  await expectByKeyboard(button('Aggiungi Testimonianza'), dialog('Nuova Testimonianza'))
  await expectByKeyboard(button(/^Modifica: /), dialog('Modifica Testimonianza'))
  await expectByKeyboard(button(/^Elimina: /), panel.getByRole('alertdialog'))
  await openKind(panel, 'photo-gallery')
  await expectByKeyboard(button('Aggiungi Foto'), dialog('Nuove Foto'))
  await expectByKeyboard(button(/^Modifica: /), dialog('Modifica Foto'))
  await openKind(panel, 'blog')
  await expectByKeyboard(button('Nuovo Articolo'), dialog('Nuovo Articolo'))

  await openKind(panel, 'events')
  await button('Modifica: [Esempio] Il respiro prima della gara').click()
  await expectByKeyboard(button('Condividi bozza'), dialog('Condividi la bozza'))
  await expect(dialog('Modifica Evento')).toBeVisible()
})

test('every question of the areas is entered and left by keys', async ({ panel }) => {
  test.slow()
  const button = (name: string) => panel.getByRole('button', { name })
  const dialog = (name: string) => panel.getByRole('dialog', { name })
  const item = await makeTestimonial(panel, 'Solo Tasti')
  await ask(panel, 'DELETE', `/api/admin/course-testimonials/${item.id}`)
  await openArea(panel, 'cestino', 'Cestino')
  const question = panel.getByRole('alertdialog')
  await expectByKeyboard(button('Svuota adesso'), question)
  await expectByKeyboard(button('Elimina per sempre: Solo Tasti'), question)
  await ask(panel, 'DELETE', `/api/admin/trash/${item.id}`)

  const createdAt = '2026-03-01T10:00:00Z'
  const list = [{ email: 'a@example.com', state: 'pending', createdAt, bounce: null }]
  await panel.route(/\/api\/admin\/newsletter$/, (route) => route.fulfill({ json: list }))
  await openArea(panel, 'newsletter', 'Newsletter')
  await expectByKeyboard(button('Elimina: a@example.com'), question)

  await openArea(panel, 'account', 'Account')
  await expectByKeyboard(button('Attiva'), dialog('Attiva la verifica'))

  const copy = await (await panel.request.get(`${originOf(panel)}/api/admin/backup`)).body()
  await openArea(panel, 'backup', 'Backup')
  panel.on('filechooser', (chooser) => {
    const file = { name: 'copia.redb', mimeType: 'application/octet-stream', buffer: copy }
    void chooser.setFiles(file)
  })
  await expectByKeyboard(button('Scegli il file'), dialog('Che cosa contiene la copia'))
})

test('the menu of the account is opened, walked and closed by keys', async ({ panel }) => {
  const { keyboard } = panel
  const menu = panel.getByLabel(/^Menu: /)
  const first = panel.getByRole('link', { name: 'Cronologia' })
  await menu.focus()
  await keyboard.press('Enter')
  await expect(first).toBeVisible()
  await keyboard.press('Tab')
  await expect(first).toBeFocused()
  await keyboard.press('Escape')
  await expect(first).toBeHidden()
  await expect(menu).toBeFocused()
  await keyboard.press('Enter')
  for (const name of ['Cronologia', 'Cestino', 'Account']) {
    await keyboard.press('Tab')
    await expect(panel.getByRole('link', { name })).toBeFocused()
  }
  await keyboard.press('Tab')
  await expect(panel.getByRole('button', { name: italian.esci, exact: true })).toBeFocused()
  await keyboard.press('Tab')
  await expect(first).toBeHidden()
})

test('a question over a form gives the focus back to the form', async ({ panel }) => {
  await panel.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  await panel.getByRole('button', { name: italian.aggiungiTestimonianza }).click()
  const name = panel.getByRole('dialog').getByLabel(italian.nome)
  await name.fill('Olga F.')
  await panel.keyboard.press('Escape')
  const question = panel.getByRole('alertdialog')
  await expect(question.getByRole('button', { name: italian.continuaAScrivere })).toBeFocused()
  await panel.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(name).toBeFocused()
})

test('what an icon means is said after 700 ms, at once right after another, and to the keyboard', async ({
  panel,
}) => {
  await panel.clock.install()
  await panel.reload()
  await expect(rows(panel).first()).toBeVisible()
  await panel.clock.pauseAt((await panel.evaluate(() => Date.now())) + 1_000)
  const grip = (row: Locator) => row.getByRole('button', { name: /^Trascina/ })
  const hintOf = (row: Locator) => row.getByRole('button').locator('[popover]')
  const row = rows(panel).first()
  const next = rows(panel).nth(1)
  await grip(row).hover()
  await panel.clock.runFor(650)
  await expect(hintOf(row)).toHaveCount(0)
  await panel.clock.runFor(100)
  await expect(hintOf(row)).toBeVisible()
  await expect(hintOf(row)).toBeInViewport({ ratio: 1 })

  await panel.clock.runFor(100)
  await grip(next).hover()
  await panel.clock.runFor(100)
  await expect(hintOf(next)).toBeVisible()
  await expect(hintOf(row)).toHaveCount(0)
  await panel.keyboard.press('Escape')
  await expect(hintOf(next)).toHaveCount(0)
  await panel.mouse.move(5, 5)
  await panel.clock.runFor(400)
  await grip(row).hover()
  await panel.clock.runFor(100)
  await expect(hintOf(row)).toHaveCount(0)

  await panel.mouse.move(5, 5)
  await grip(row).focus()
  await panel.keyboard.press('Tab')
  await expect(hintOf(row)).toHaveCount(0)
  await panel.keyboard.press('Shift+Tab')
  await expect(hintOf(row)).toBeVisible()
  // Regression: the hints stayed at the old position after a row had moved.
  const hint = rows(panel).getByRole('button').locator('[popover]', {
    hasText: 'Trascina, premi per scrivere la posizione, oppure usa le frecce della tastiera',
  })
  await expect(hint).toBeVisible()
  await panel.clock.runFor(100)
  await panel.keyboard.press('ArrowUp')
  await expect(hint).toHaveCount(0)
})

test.describe('on a telephone', () => {
  test.use({ viewport: { width: 375, height: 720 }, hasTouch: true })

  // Regression: the preview opened above the viewport, and four columns left an address the width of one letter.
  test('a preview comes into view, and addresses can be read', async ({ panel }) => {
    test.slow()
    const button = (name: string | RegExp) => panel.getByRole('button', { name }).first()
    await openKind(panel, 'events')
    await button(/^Modifica: /).tap()
    await panel.getByLabel(italian.ordine).scrollIntoViewIfNeeded()
    await button('Anteprima').tap()
    const preview = panel.locator('iframe[title="Anteprima della pagina"]')
    await expect(preview).toBeInViewport({ ratio: 0.5, timeout: 15_000 })
    await expect(panel.locator('[popover]')).toHaveCount(0)
    await panel.keyboard.press('Escape')

    const email = 'lettrice.di.ogni.numero@posta-elettronica.example.com'
    const createdAt = '2026-03-01T10:00:00Z'
    const list = [{ email, state: 'confirmed', createdAt, bounce: null }]
    await panel.route(/\/api\/admin\/newsletter$/, (route) => route.fulfill({ json: list }))
    await openArea(panel, 'newsletter', 'Newsletter')
    const cell = await panel.getByText(email).boundingBox()
    expect(cell?.width).toBeGreaterThan(250)
    expect(cell?.height).toBeLessThan(80)
  })
})
