// Tests of an event's date, time and price in the panel: calendar, list of times, chips, questions that hold publishing,
// the first refused field, and the seals.

import type { Locator, Page } from '@playwright/test'
import { pictures } from './admin-kinds'
import { ask, expect, forget, type Item, openNewEvent, test } from './admin-kit'
import { expectToast, openArea, openKind, openUpload, originOf, rows } from './admin-screen'
import { italian } from './italian'
import { expectAccessible } from './test'

const sizes = [
  { width: 1366, height: 768 },
  { width: 390, height: 844 },
] as const
const [laptop, phone] = sizes

async function openEvent(panel: Page, fields: object, size: { width: number; height: number }) {
  await panel.setViewportSize(size)
  return await openNewEvent(panel, fields)
}

async function topOf(part: Locator): Promise<number> {
  return (await part.boundingBox())?.y ?? 0
}

test('the calendar writes the date by keyboard, and Escape closes it alone', async ({ panel }) => {
  const { dialog, date, done } = await openEvent(panel, { date: '6 marzo 2199' }, laptop)
  await expect(dialog.getByText(/Letta come/)).toBeVisible()
  const opener = dialog.getByRole('button', { name: 'Apri il calendario' })
  await opener.press('Enter')
  const day = (name: string) => dialog.getByRole('button', { name, exact: true })
  await expect(day('mercoledì 6 marzo 2199')).toBeFocused()
  await expectAccessible(panel)
  await expect(dialog.getByRole('columnheader').first()).toHaveText('lun')
  for (const [key, expected] of [
    ['ArrowRight', 'giovedì 7 marzo 2199'],
    ['ArrowDown', 'giovedì 14 marzo 2199'],
    ['End', 'domenica 17 marzo 2199'],
    ['PageDown', 'mercoledì 17 aprile 2199'],
    ['Home', 'lunedì 15 aprile 2199'],
    ['PageUp', 'venerdì 15 marzo 2199'],
  ] as const) {
    await panel.keyboard.press(key)
    await expect(day(expected)).toBeFocused()
  }
  expect(await dialog.getByRole('grid').locator('[tabindex="0"]').count()).toBe(1)
  await panel.keyboard.press('Enter')
  await expect(date).toHaveValue('venerdì 15 marzo 2199')
  await expect(opener).toBeFocused()
  await expect(dialog.getByRole('grid')).toHaveCount(0)

  await opener.press('Enter')
  await dialog.getByRole('radio', { name: 'Più date' }).check()
  await day('mercoledì 20 marzo 2199').click()
  await day('mercoledì 27 marzo 2199').click()
  await expect(date).toHaveValue('15, 20 e 27 marzo 2199')
  await dialog.getByRole('radio', { name: 'Da… a…' }).check()
  await day('mercoledì 20 marzo 2199').click()
  await day('venerdì 22 marzo 2199').click()
  await expect(date).toHaveValue('dal 20 al 22 marzo 2199')
  await expect(dialog.getByText('mer 20 marzo → ven 22 marzo, 3 giorni')).toBeVisible()
  await panel.keyboard.press('Escape')
  await expect(dialog.getByRole('grid')).toHaveCount(0)
  await expect(opener).toBeFocused()
  await expect(dialog).toBeVisible()
  await done()
})

test('several dates are chips, and a removed chip rewrites the words', async ({ panel }) => {
  const { dialog, date, done } = await openEvent(panel, { date: '6, 13 e 20 marzo 2199' }, laptop)
  await dialog.getByRole('button', { name: 'Togli mer 13 marzo' }).click()
  await expect(date).toHaveValue('6 e 20 marzo 2199')
  await expect(dialog.getByRole('button', { name: /^Togli / })).toHaveCount(2)
  await dialog.getByRole('button', { name: 'Un’altra data' }).click()
  await dialog.getByRole('button', { name: 'sabato 9 marzo 2199', exact: true }).click()
  await expect(date).toHaveValue('6, 9 e 20 marzo 2199')
  await date.fill('in primavera')
  await expect(dialog.getByRole('button', { name: /^Togli / })).toHaveCount(0)
  await expect(dialog.getByText(italian.laDataNonEStataCapita)).toBeVisible()
  await done()
})

// Regression: the key came after the calendar had been scrolled to, and lay behind the footer of the form.
test('the key of the calendar lies above the footer of the form', async ({ panel }) => {
  const other = await ask<Item>(panel, 'POST', '/api/admin/events', {
    title: 'Cerchio dello stesso mese',
    date: '20 marzo 2199',
    published: false,
    sortOrder: 1001,
  })
  // The other event is understood after the calendar is open.
  await panel.route('**/understand-date', async (route) => {
    const isOther = route.request().postDataJSON().date === '20 marzo 2199'
    if (isOther) await new Promise((done) => setTimeout(done, 700))
    await route.continue()
  })
  for (const size of [{ width: 1440, height: 900 }, laptop, { width: 768, height: 1024 }]) {
    const { dialog, done } = await openEvent(panel, { date: '6 marzo 2199' }, size)
    await dialog.getByRole('button', { name: 'Apri il calendario' }).click()
    const key = dialog.getByText('hai già un evento')
    await expect(key).toBeVisible()
    const free = async () => {
      const [own, footer] = [await key.boundingBox(), await dialog.locator('footer').boundingBox()]
      return (footer?.y ?? 0) - (own?.y ?? 0) - (own?.height ?? 0)
    }
    await expect.poll(free, { message: `${size.width}` }).toBeGreaterThanOrEqual(0)
    await done()
  }
  await forget(panel, 'events', other.id)
})

test('on a phone the calendar is a sheet whose button says what it writes', async ({ panel }) => {
  const { dialog, date, done } = await openEvent(panel, { date: '6 marzo 2199' }, phone)
  await expect(dialog.getByText(/Letta come/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Apri il calendario' }).click()
  const sheet = panel.getByRole('dialog', { name: 'Scegli i giorni' })
  await sheet.getByText('Più date').click()
  await sheet.getByRole('button', { name: 'mercoledì 13 marzo 2199', exact: true }).click()
  await expect(date).toHaveValue('6 marzo 2199')
  await expectAccessible(panel)
  const cell = await sheet
    .getByRole('button', { name: 'mercoledì 13 marzo 2199', exact: true })
    .boundingBox()
  expect(Math.min(cell?.width ?? 0, cell?.height ?? 0)).toBeGreaterThanOrEqual(44)
  await sheet.getByRole('button', { name: 'Scrivi 6 e 13 marzo 2199' }).click()
  await expect(sheet).toHaveCount(0)
  await expect(date).toHaveValue('6 e 13 marzo 2199')
  await dialog.getByRole('button', { name: 'Apri il calendario' }).click()
  await expect(sheet).toBeVisible()
  await panel.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await expect(dialog).toBeVisible()
  await done()
})

// Regression: the answers about the date stood below the place, outside the screen of a phone.
test('the answers stand directly below their field', async ({ panel }) => {
  const fields = { date: 'domenica 6 marzo 2199', time: '8' }
  for (const size of sizes) {
    const { dialog, date, time, done } = await openEvent(panel, fields, size)
    const answer = dialog.getByRole('button', { name: 'Domenica 3' })
    const hours = dialog.getByRole('button', { name: 'Le 20:00' })
    await expect(answer).toBeVisible()
    await expect(hours).toBeVisible()
    expect((await topOf(answer)) - (await topOf(date))).toBeLessThan(150)
    expect(await topOf(hours)).toBeGreaterThan(await topOf(time))
    expect(await topOf(hours)).toBeLessThan(await topOf(dialog.getByLabel('Luogo')))
    if (size === phone) expect(await topOf(time)).toBeGreaterThan(await topOf(answer))
    await expectAccessible(panel)
    await done()
    await panel.reload()
  }
})

test('the list of times writes the start and the end', async ({ panel }) => {
  for (const size of sizes) {
    const { dialog, time, done } = await openEvent(panel, { date: '6 marzo 2199' }, size)
    const opener = dialog.getByRole('button', { name: 'Scegli l’ora' })
    await opener.press('Enter')
    const starts = dialog.getByRole('listbox', { name: 'Comincia alle' })
    await expect(starts.locator('[tabindex="0"]')).toBeFocused()
    await panel.keyboard.press('Home')
    await panel.keyboard.press('ArrowDown')
    await panel.keyboard.press('Enter')
    await expect(time).toHaveValue('07:30')
    await expectAccessible(panel)
    const ends = dialog.getByRole('listbox', { name: 'Finisce alle' })
    await ends.getByRole('option', { name: /^09:00/ }).click()
    await expect(time).toHaveValue('dalle 07:30 alle 09:00')
    await expect(opener).toBeFocused()
    await expect(dialog.getByText(/dalle 07:30 alle 09:00/)).toBeVisible()
    await done()
    await panel.reload()
  }
})

// Regression: the switch of the list published a doubtful date.
test('the switch of the list opens the form at the question', async ({ panel }) => {
  for (const size of sizes) {
    await panel.setViewportSize(size)
    const item = await ask<Item>(panel, 'POST', '/api/admin/events', {
      title: 'Cerchio in dubbio',
      date: '31 novembre',
      published: false,
      sortOrder: 1000,
    })
    await openKind(panel, 'events')
    await panel.reload()
    const row = rows(panel).filter({ hasText: 'Cerchio in dubbio' })
    await row.getByRole('switch').click()
    const dialog = panel.getByRole('dialog', { name: italian.modificaEvento })
    const date = dialog.getByLabel(italian.data, { exact: true })
    await expect(date).toBeFocused()
    await expect(date).toBeInViewport()
    await expect(date).toHaveAttribute('aria-invalid', 'true')
    await dialog.getByRole('button', { name: '1 dicembre' }).click()
    await expect(date).not.toHaveAttribute('aria-invalid', 'true')
    await dialog.getByRole('button', { name: italian.pubblicaEvento }).click()
    await expectToast(panel, italian.eventoPubblicatoConSuccesso)
    await expect(row.getByRole('switch')).toBeChecked()
    // A published event whose date stays is not asked about again, and hiding needs no answer.
    await row.getByRole('switch').click()
    await expect(row.getByRole('switch')).not.toBeChecked()
    await forget(panel, 'events', item.id)
  }
})

// Regression: '€ 15,00' was refused, in the batch form by a toast alone.
test('prices are read as people write them, and an unreadable one is shown and focused', async ({
  panel,
}) => {
  for (const size of sizes) {
    const { item, dialog, done } = await openEvent(panel, {}, size)
    const price = dialog.getByLabel(italian.prezzo)
    for (const [text, shown] of [
      ['€ 15,00', 'Sul sito: 15 €'],
      ['euro 80,00 a persona', 'Sul sito: 80 € a persona'],
      ['offerta libera', 'Sul sito si legge così: offerta libera'],
    ] as const) {
      await price.fill(text)
      await expect(dialog.getByText(shown)).toBeVisible()
    }
    await price.fill('15,0,0')
    await dialog.getByLabel('Luogo').fill('Como')
    await dialog.getByRole('button', { name: italian.salvaModifiche }).click()
    await expect(price).toBeFocused()
    await expect(price).toBeInViewport()
    await expect(dialog.getByText('Non riesco a leggere la cifra.')).toBeVisible()
    await price.fill('€ 15,00')
    await expect(dialog.getByText('Non riesco a leggere la cifra.')).toHaveCount(0)
    await dialog.getByRole('button', { name: italian.salvaModifiche }).click()
    await expectToast(panel, italian.eventoAggiornatoConSuccesso)
    const saved = await ask<Item[]>(panel, 'GET', '/api/admin/events')
    expect(saved.find(({ id }) => id === item.id)?.price).toBe('15')
    await done()
    await panel.reload()
  }
  const batch = await openUpload(panel, 'events')
  await batch.locator('input[type=file]').setInputFiles(pictures.slice(0, 1))
  await batch.getByLabel(italian.prezzo).fill('15,0,0')
  await batch.getByRole('button', { name: italian.caricaEvento }).click()
  await expect(batch.getByLabel(italian.prezzo)).toBeFocused()
  await expect(batch.getByLabel(italian.prezzo)).toBeInViewport()
})

// Regression: the message of a refused password stayed below a field that was filled again.
test('a refused field is focused, and its message goes once the field changes', async ({
  panel,
}) => {
  for (const size of sizes) {
    await panel.setViewportSize(size)
    await openArea(panel, 'account', 'Account')
    const current = panel.getByLabel('Password attuale', { exact: true })
    const next = panel.getByLabel('Nuova password', { exact: true })
    await current.fill('respiro-lento-e-profondo')
    await next.fill('aaaaaaaaaaaaaaaa')
    await panel.getByRole('button', { name: 'Salva', exact: true }).click()
    await expect(next).toBeFocused()
    await expect(next).toHaveAttribute('aria-invalid', 'true')
    await next.fill('un’altra frase')
    await expect(next).not.toHaveAttribute('aria-invalid', 'true')
    await panel.reload()
  }
})

// Regression: a sold-out event looked like any other in the list.
test('sold out and cancelled are seals in the list and on the site', async ({ panel }) => {
  const origin = originOf(panel)
  const full = { title: 'Cerchio pieno', date: '6 marzo 2199', soldOut: true, published: true }
  const off = { title: 'Cerchio annullato', date: '7 marzo 2199', cancelled: true, published: true }
  const made: Item[] = []
  for (const fields of [full, off])
    made.push(await ask<Item>(panel, 'POST', '/api/admin/events', { ...fields, sortOrder: 0 }))
  for (const size of sizes) {
    await panel.setViewportSize(size)
    await openKind(panel, 'events')
    await panel.reload()
    const row = (title: string) => rows(panel).filter({ hasText: title })
    await expect(row('Cerchio pieno').getByText('Esaurito', { exact: true })).toBeVisible()
    const cancelled = row('Cerchio annullato')
    await expect(cancelled.getByText('Annullato', { exact: true })).toBeVisible()
    await expect(cancelled.getByText('7 marzo 2199')).toHaveCSS(
      'text-decoration-line',
      'line-through',
    )
    await expectAccessible(panel)
    await panel.goto(`${origin}/eventi`)
    const card = (title: string) => panel.getByRole('article').filter({ hasText: title })
    await expect(card('Cerchio pieno').getByText('Esaurito', { exact: true })).toBeVisible()
    await expect(card('Cerchio pieno').locator('s')).toHaveCount(0)
    await expect(card('Cerchio annullato').locator('s')).toHaveText('7 marzo 2199')
    await panel.goto(`${origin}/evento/${made[1]?.id}`)
    await expect(panel.getByText('Annullato', { exact: true })).toBeVisible()
    await panel.goto(`${origin}/admin`)
  }
  await openKind(panel, 'events')
  await panel.getByRole('button', { name: 'Riapri i posti: Cerchio pieno' }).click()
  await expectToast(panel, italian.eventoAggiornatoConSuccesso)
  await expect(panel.getByRole('button', { name: /^Riapri i posti: Cerchio pieno/ })).toHaveCount(0)
  for (const { id } of made) await forget(panel, 'events', id)
})

// Regression: a poster was cropped without a way to see all of it, and hyphens of a list were shown as text.
test('the picture of an event opens whole, and its programme has lists', async ({ panel }) => {
  const origin = originOf(panel)
  const [shown] = (await ask<Item[]>(panel, 'GET', '/api/admin/events')).filter(
    ({ image, published }) => image !== null && published,
  )
  const content = 'Che cosa portare\n- Una coperta\n- Calze calde'
  const made = await ask<Item>(panel, 'POST', '/api/admin/events', {
    title: 'Cerchio con elenco',
    date: '6 marzo 2199',
    content,
    published: true,
  })
  for (const size of sizes) {
    await panel.setViewportSize(size)
    await panel.goto(`${origin}/evento/${shown?.id}`)
    await panel.getByRole('link', { name: /^Ingrandisci l.immagine/ }).click()
    const whole = panel.getByRole('dialog', { name: italian.immagineIngrandita }).locator('img')
    await expect(whole.last()).toHaveCSS('object-fit', 'contain')
    await panel.keyboard.press('Escape')
    await expect(panel.getByRole('dialog', { name: italian.immagineIngrandita })).toHaveCount(0)
    await panel.goto(`${origin}/evento/${made.id}`)
    await expect(panel.getByRole('listitem').filter({ hasText: /^Una coperta$/ })).toBeVisible()
    await expectAccessible(panel)
  }
  await panel.goto(`${origin}/admin`)
  await forget(panel, 'events', made.id)
})
