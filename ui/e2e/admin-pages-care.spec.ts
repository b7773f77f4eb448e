// Tests of accidents in 'Pagine': a field is cleared, folded or hidden, or its target is missing.

import { ask, expect } from './admin-kit'
import { expectToast, originOf, toast } from './admin-screen'
import { italian } from './italian'
import { drawnMs, openPage, publicText, publish, reset, test } from './pages-kit'
import { expectAccessible } from './test'

test('a price that cannot be read is not published as another', async ({ panel }) => {
  const frame = await openPage(panel, 'servizi')
  await frame.getByRole('textbox', { name: italian.aperturaTitolo }).fill('Con un prezzo a metà')
  await frame.locator('[data-words="servizi.offers:offers[0].price"]').first().click()
  const price = panel.locator('[id="w-servizi.offers-offers-0-price"]')
  await expect(price).toBeFocused()
  await price.fill('')
  // Leaves the form. Regression: the last valid amount was published.
  await frame.getByRole('textbox', { name: italian.aperturaTitolo }).click()
  await expect(price).toHaveCount(0)
  await panel.getByRole('button', { name: italian.pubblica, exact: true }).click()
  await expect(toast(panel)).toContainText('Prezzo scrivi un importo')
  const { value } = await ask<{ value: { title: string } }>(
    panel,
    'GET',
    '/api/admin/words/servizi.hero',
  )
  expect(value.title).toBe(italian.iNostriServizi)
})

test('a folded panel opens for what is pressed, and stays for what is typed', async ({ panel }) => {
  const frame = await openPage(panel, 'servizi')
  await panel.getByRole('button', { name: 'Nascondi il pannello' }).click()
  await frame.getByRole('textbox', { name: italian.aperturaTitolo }).click()
  await expect(panel.getByRole('button', { name: 'Mostra il pannello' })).toBeVisible()
  await frame.locator('[data-words="servizi.offers:offers[0].price"]').first().press('Enter')
  await expect(panel.locator('[id="w-servizi.offers-offers-0-price"]')).toBeFocused()
})

test('an optional text that is cleared on the page keeps the caret, and goes when one leaves', async ({
  panel,
}) => {
  const frame = await openPage(panel, 'servizi')
  const note = frame.locator('[data-words="servizi.offers:offers[0].priceNote"]').first()
  await note.click()
  const drawn = () => panel.waitForResponse(/\/preview$/)
  const answer = drawn()
  await note.fill('')
  await answer
  await panel.keyboard.type('Di nuovo')
  await expect(note).toHaveText('Di nuovo')
  await expect(panel.locator('[id="w-servizi.offers-offers-0-priceNote"]')).toHaveValue('Di nuovo')
  const again = drawn()
  await note.fill('')
  await again
  await frame.getByRole('textbox', { name: italian.aperturaTitolo }).click()
  await expect(note).toHaveCount(0, { timeout: drawnMs })
})

test('an entry is added and taken away by keys on the page, and the focus stays', async ({
  panel,
}) => {
  const frame = await openPage(panel, 'servizi')
  const title = (index: number) =>
    frame.locator(`[data-words="servizi.offers:offers[${index}].title"]`).last()
  const second = (await title(1).textContent()) ?? ''
  await title(0).focus()
  await panel.keyboard.press('Alt+Enter')
  await panel.keyboard.press('Tab')
  await panel.keyboard.press('Enter')
  await expect(frame.getByText('Aggiunto in posizione 2. Scrivi il nome.')).toBeAttached()
  await expect(title(1)).toBeFocused({ timeout: drawnMs })
  await expect(title(1)).toHaveText('')
  await panel.keyboard.type('Una voce nuova')
  await expect(title(2)).toHaveText(second, { timeout: drawnMs })
  await panel.keyboard.press('Alt+Enter')
  await panel.keyboard.press('Tab')
  await panel.keyboard.press('Tab')
  await panel.keyboard.press('Enter')
  await expect(title(1)).toHaveText(second, { timeout: drawnMs })
  // The delete button of the entry that took this position has the focus.
  await expect(frame.getByRole('button', { name: `Elimina: ${second}` })).toBeFocused()
})

test('a grip that was lifted is put down where the focus goes elsewhere', async ({ panel }) => {
  const frame = await openPage(panel, 'servizi')
  await frame.locator('[data-words="servizi.offers:offers[0].title"]').first().focus()
  await panel.keyboard.press('Alt+Enter')
  await panel.keyboard.press('Space')
  const grip = frame.getByRole('button', { name: /^Sposta: / })
  await expect(grip).toHaveAttribute('aria-pressed', 'true')
  await panel.keyboard.press('Tab')
  await expect(grip).toHaveAttribute('aria-pressed', 'false')
})

test('one change of several is thrown away from their list', async ({ panel }) => {
  const frame = await openPage(panel, 'servizi')
  const first = frame.locator('[data-words="servizi.offers:offers[0].title"]').first()
  await first.focus()
  for (const key of ['Alt+Enter', 'Tab', 'Tab', 'Enter', 'Enter']) await panel.keyboard.press(key)
  await panel.getByRole('button', { name: /guardal[ae]$/ }).click()
  const dialog = panel.getByRole('dialog')
  await expect(dialog.getByRole('listitem')).toHaveCount(2)
  await dialog
    .getByRole('button', { name: /^Scarta: / })
    .first()
    .click()
  // Regression: the whole list was restored.
  await expect(dialog.getByRole('listitem')).toHaveCount(1)
})

test('the original words of what is hidden stay hidden', async ({ panel }) => {
  const block = '/api/admin/words/servizi.expectations'
  const found = await ask<{ value: { title: string } }>(panel, 'GET', block)
  await ask(panel, 'PUT', block, { value: { ...found.value, title: 'Mio' }, hidden: true })
  await openPage(panel, 'servizi')
  await panel.getByRole('button', { name: 'Cosa aspettarti' }).click()
  await panel.getByRole('button', { name: 'Versioni' }).click()
  const dialog = panel.getByRole('dialog', { name: 'Versioni' })
  await dialog.getByRole('button', { name: /Testo originale/ }).click()
  await dialog.getByRole('button', { name: 'Torna a questa' }).click()
  await expect(toast(panel)).toContainText('Testo originale ripristinato')
  expect(await ask(panel, 'GET', block)).toMatchObject({ value: found.value, hidden: true })
  await reset(panel, 'servizi.expectations')
})

test('a page of events says that there is none', async ({ panel }) => {
  await panel.route('**/api/events', (route) => route.fulfill({ json: [] }))
  await panel.goto(`${originOf(panel)}/admin#/pagine/evento`)
  await expect(panel.getByText(/^Non c'è un evento pubblicato/)).toBeVisible()
})

test('without a connection one goes on writing, and publishes when it is back', async ({
  panel,
  context,
}) => {
  const frame = await openPage(panel, 'servizi')
  await context.setOffline(true)
  const title = frame.getByRole('textbox', { name: italian.aperturaTitolo })
  await title.fill('Scritto senza rete')
  await panel.keyboard.press('Control+Enter')
  // Regression: two messages reported the missing connection, with two different instructions.
  await expectToast(
    panel,
    'Connessione assente. Continua a scrivere: pubblichi quando torna.',
    'alert',
  )
  // The toast closes itself after 5 s: on a busy machine it was gone before a click on its button arrived, and the
  // click waited until the test's time limit. The status line stays.
  const line = panel.getByRole('status').filter({ hasText: /^Connessione assente\. Continua/ })
  await expect(toast(panel)).toBeEmpty()
  await expect(line).toBeVisible()
  await expectAccessible(panel)
  await expect(title).toHaveText('Scritto senza rete')
  await title.click()
  await panel.keyboard.press('End')
  await panel.keyboard.type(', e ancora')
  await context.setOffline(false)
  await expect(line).toHaveCount(0)
  await expect(title).toHaveText('Scritto senza rete, e ancora')
  await publish(panel)
  await expect
    .poll(() => publicText(panel, '/servizi'), { timeout: drawnMs })
    .toContain('Scritto senza rete, e ancora</h1>')
  await reset(panel, 'servizi.hero')
})

// navigator.onLine only knows the local network. Regression: an unreachable server was reported only on publishing.
test('a server that does not answer is told of until it does, without a press', async ({
  panel,
}) => {
  const frame = await openPage(panel, 'servizi')
  const preview = '**/api/admin/words/preview'
  await panel.route(preview, (route) => route.abort('connectionrefused'))
  const title = frame.getByRole('textbox', { name: italian.aperturaTitolo })
  await title.fill('Scritto mentre riparte')
  const line = panel.getByText(/^Connessione assente\. Continua a scrivere/)
  await expect(line).toBeVisible()
  await panel.unroute(preview)
  await expect(line).toHaveCount(0)
  await expect(title).toHaveText('Scritto mentre riparte')
})

// Regression: the line stayed beside 'aggiornata' until the page was rendered again.
test('an answer to publishing says that the connection is there', async ({ panel }) => {
  const frame = await openPage(panel, 'servizi')
  const preview = '**/api/admin/words/preview'
  await panel.route(preview, (route) => route.abort('connectionrefused'))
  await frame.getByRole('textbox', { name: italian.aperturaTitolo }).fill('Scritto mentre riparte')
  const line = panel.getByText(/^Connessione assente\. Continua a scrivere/)
  await expect(line).toBeVisible()
  await panel.unroute(preview)
  // Preview responses no longer arrive.
  await panel.route(preview, () => {})
  await publish(panel)
  await expect(line).toHaveCount(0)
  await panel.unrouteAll({ behavior: 'ignoreErrors' })
  await reset(panel, 'servizi.hero')
})
