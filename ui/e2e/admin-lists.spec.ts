// Tests of the lists of the panel: tabs, empty and failed lists, search, order, publishing, deleting and undo.

import type { Page } from '@playwright/test'
import { expectFailure, fail, failures, sent } from './admin-faults'
import { kinds } from './admin-kinds'
import { ask, expect, forget, type Item, isWrite, makeTestimonial, test } from './admin-kit'
import {
  expectScrollLocked,
  expectToast,
  openKind,
  originOf,
  rows,
  titles,
  toast,
} from './admin-screen'
import { italian } from './italian'
import { expectAccessible } from './test'

test('the panel opens on the first of its five tabs, which arrows walk through', async ({
  panel,
}) => {
  const tabs = panel.getByRole('tablist', { name: 'Sezioni del pannello' }).getByRole('tab')
  await expect(tabs).toHaveCount(kinds.length)
  for (const [index, { tab }] of kinds.entries())
    await expect(tabs.nth(index)).toHaveAccessibleName(tab)
  await expect(tabs.first()).toHaveAttribute('aria-selected', 'true')
  await expect(panel).toHaveTitle('Contenuti · Admin Panel')
  await tabs.first().focus()
  await panel.keyboard.press('ArrowRight')
  await expect(tabs.nth(1)).toBeFocused()
  await expect(tabs.nth(1)).toHaveAttribute('aria-selected', 'true')
  await expect(panel.getByRole('heading', { name: italian.galleriaFotografica })).toBeVisible()
  await panel.keyboard.press('End')
  await expect(tabs.last()).toBeFocused()
  await panel.keyboard.press('ArrowRight')
  await expect(tabs.first()).toBeFocused()
  await panel.reload()
  await expect(tabs.first()).toHaveAttribute('aria-selected', 'true')
})

test('arrows walk on from the tab that has the focus, however fast they come', async ({
  panel,
}) => {
  const tabs = panel.getByRole('tablist', { name: 'Sezioni del pannello' }).getByRole('tab')
  await tabs.first().focus()
  // In one task, as on a slow phone. Regression: the second key counted from the last rendered tab, and was lost.
  await tabs.first().evaluate(() => {
    for (let press = 0; press < 3; press += 1)
      document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }),
      )
  })
  await expect(tabs.nth(3)).toBeFocused()
  await expect(tabs.nth(3)).toHaveAttribute('aria-selected', 'true')
})

test('an empty list says so in the words of its kind', async ({ panel }) => {
  await panel.route(/\/api\/admin\/[a-z-]+\/page\?/, (route) =>
    route.fulfill({ json: { items: [], found: 0, total: 0 } }),
  )
  await panel.reload()
  for (const { tab, empty, add, dialog } of kinds) {
    await panel.getByRole('tab', { name: tab }).click()
    await expect(panel.getByText(empty, { exact: true })).toBeVisible()
    await panel.getByRole('main').getByRole('button', { name: add }).click()
    await expect(panel.getByRole('dialog', { name: dialog })).toBeVisible()
    await panel.keyboard.press('Escape')
    await expect(panel.getByRole('dialog')).toHaveCount(0)
  }
})

test('a list that cannot be read says so and is read again when asked', async ({ panel }) => {
  const heal = await fail(panel, 'GET', /course-testimonials\/page/, 'offline')
  await panel.reload()
  await expect(panel.getByText(italian.erroreNelCaricamento)).toBeVisible()
  await expect(
    panel.getByText("L'elenco non è arrivato. Controlla la connessione e riprova."),
  ).toBeVisible()
  await heal()
  await panel.getByRole('button', { name: italian.riprova }).click()
  await expect(rows(panel).first()).toBeVisible()
})

test('a list shows items by their order and searches as one types', async ({ panel }) => {
  const search = panel.getByRole('searchbox', { name: 'Cerca in Testimonianze Corsisti' })
  const items = await ask<Item[]>(panel, 'GET', '/api/admin/course-testimonials')
  const inOrder = [...items].sort((a, b) => a.sortOrder - b.sortOrder)
  expect(await titles(panel)).toEqual(inOrder.map(({ name }) => name))
  await search.fill('CHIÀRA G.')
  await expect(rows(panel)).toHaveCount(1)
  await expect(rows(panel).first()).toContainText('Chiara G.')
  await expect(panel.getByRole('button', { name: /^Sposta/ })).toHaveCount(0)
  await search.fill('parola che non esiste')
  await expect(panel.getByText('Qui non c’è nulla con queste parole.')).toBeVisible()
  await search.fill('')
  await expect(rows(panel)).toHaveCount(items.length)
})

test('no letter alone is a shortcut', async ({ panel }) => {
  await expect(rows(panel).first()).toBeVisible()
  await panel.keyboard.type('abcdefghijklmnopqrstuvwxyz/?')
  await expect(panel.getByRole('dialog')).toHaveCount(0)
})

for (const { kind, tab, confirm, on, off, deleted } of kinds) {
  test(`${tab}: the ends of the list cannot move further, the order is kept`, async ({ panel }) => {
    await openKind(panel, kind)
    const before = await titles(panel)
    const up = panel.getByRole('button', { name: /^Sposta su: / })
    const down = panel.getByRole('button', { name: /^Sposta giù: / })
    await expect(up.first()).toBeDisabled()
    await expect(down.last()).toBeDisabled()
    await expect(up.last()).toBeEnabled()
    await expect(down.first()).toBeEnabled()

    const [first = '', second = '', ...rest] = before
    await down.first().click()
    await expectToast(panel, 'Ordine aggiornato!')
    await expect.poll(() => titles(panel)).toEqual([second, first, ...rest])
    await expect(panel.getByRole('button', { name: `Sposta giù: ${first}` })).toBeFocused()
    await expect(panel.locator('[aria-live=polite]', { hasText: first })).toContainText('2')
    await panel.reload()
    await expect(rows(panel).first()).toBeVisible()
    expect(await titles(panel)).toEqual([second, first, ...rest])

    await panel.getByRole('button', { name: `Sposta su: ${first}` }).click()
    await expectToast(panel, 'Ordine aggiornato!')
    await expect.poll(() => titles(panel)).toEqual(before)
    await expect(panel.getByRole('button', { name: `Sposta giù: ${first}` })).toBeFocused()
    await toast(panel).getByRole('button', { name: italian.annulla }).click()
    await expect.poll(() => titles(panel)).toEqual([second, first, ...rest])
    const ids = await idsByTitle(panel, kind, before)
    await ask(panel, 'PUT', `/api/admin/${kind}/order`, { ids })
  })

  test(`${tab}: a failed move says so and leaves the order`, async ({ panel }) => {
    await openKind(panel, kind)
    const before = await titles(panel)
    for (const how of failures) {
      const heal = await fail(panel, 'PUT', /\/move$/, how)
      await panel
        .getByRole('button', { name: /^Sposta giù: / })
        .first()
        .click()
      await expectFailure(panel, 'Errore nel riordino', how)
      await expect.poll(() => titles(panel)).toEqual(before)
      await heal()
    }
  })

  test(`${tab}: deleting asks, can be refused, fails loudly and can be undone`, async ({
    panel,
  }) => {
    await openKind(panel, kind)
    const before = await titles(panel)
    const title = before[1] ?? ''
    const remove = panel.getByRole('button', { name: `Elimina: ${title}` })
    const question = panel.getByRole('alertdialog', { name: confirm })

    await remove.click()
    await expect(question).toContainText(title)
    await expect(question.getByRole('button', { name: italian.annulla })).toBeFocused()
    await expectScrollLocked(panel)
    await panel.keyboard.press('Escape')
    await expect(question).toHaveCount(0)
    await expect(remove).toBeFocused()

    for (const how of failures) {
      const heal = await fail(panel, 'DELETE', new RegExp(`/${kind}/`), how)
      await remove.click()
      await question.getByRole('button', { name: italian.elimina, exact: true }).click()
      await expectFailure(panel, "Errore nell'eliminazione", how)
      await expect(question).toHaveCount(0)
      expect(await titles(panel)).toEqual(before)
      await heal()
    }

    await remove.click()
    await question.getByRole('button', { name: italian.elimina, exact: true }).click()
    await expectToast(panel, deleted)
    await expect.poll(() => titles(panel)).toEqual(before.filter((one) => one !== title))
    await toast(panel).getByRole('button', { name: italian.annulla }).click()
    await expectToast(panel, italian.diNuovoAlSuoPosto)
    await expect.poll(() => titles(panel)).toEqual(before)
  })

  test(`${tab}: the switch publishes and hides, with its badge and its way back`, async ({
    panel,
  }) => {
    await openKind(panel, kind)
    const row = rows(panel).first()
    const control = row.getByRole('switch')
    await expect(control).toBeChecked()
    await expect(row.getByText(on, { exact: true })).toBeVisible()
    for (const how of failures) {
      const heal = await fail(panel, 'PUT', new RegExp(`/${kind}/[^/]+$`), how)
      await control.click()
      await expectFailure(panel, "Errore nell'aggiornamento", how)
      await expect(control).toBeChecked()
      await heal()
    }
    const request = sent(panel, 'PUT', new RegExp(`/${kind}/[^/]+$`))
    await control.click()
    expect((await request).postDataJSON()).toEqual({ published: false })
    await expectToast(panel, italian.statoPubblicazioneAggiornato)
    await expect(row.getByText(off, { exact: true })).toBeVisible()
    await expect(control).not.toBeChecked()
    await toast(panel).getByRole('button', { name: italian.annulla }).click()
    await expect(row.getByText(on, { exact: true })).toBeVisible()
    await expectToast(panel, italian.statoPubblicazioneAggiornato)
  })
}

test('what the switch hides leaves the public page at once', async ({ panel }) => {
  const item = await makeTestimonial(panel, 'Visibile Subito')
  await panel.reload()
  const row = rows(panel).filter({ hasText: 'Visibile Subito' })
  const shown = async () =>
    (await (await panel.request.get(`${originOf(panel)}/testimonianze`)).text()).includes(
      'Visibile Subito',
    )
  expect(await shown()).toBe(true)
  await row.getByRole('switch').click()
  await expectToast(panel, italian.statoPubblicazioneAggiornato)
  expect(await shown()).toBe(false)
  await forget(panel, 'course-testimonials', item.id)
})

test('the arrow keys on the handle move a row, and say where it went', async ({ panel }) => {
  const before = await titles(panel)
  const [first = '', second = '', third = ''] = before
  const grip = panel.getByRole('button', { name: `Trascina per riordinare: ${first}` })
  await grip.focus()
  const request = sent(panel, 'PUT', /\/move$/)
  await panel.keyboard.press('ArrowDown')
  expect((await request).postDataJSON()).toEqual({ position: 1 })
  await expectToast(panel, 'Ordine aggiornato!')
  await expect(grip).toBeFocused()
  // The list is loaded again after a move: the next key is pressed once that is over.
  const reloaded = panel.waitForResponse(/\/page\?/)
  await panel.keyboard.press('ArrowDown')
  await expect.poll(async () => (await titles(panel)).slice(0, 3)).toEqual([second, third, first])
  await expect(panel.locator('[aria-live=polite]', { hasText: first })).toContainText('3')
  await reloaded
  await expect(grip).toBeFocused()
  const heal = await fail(panel, 'PUT', /\/move$/, 500)
  await panel.keyboard.press('ArrowUp')
  await expectFailure(panel, 'Errore nel riordino', 500)
  await expect.poll(async () => (await titles(panel)).slice(0, 3)).toEqual([second, third, first])
  await heal()
  const ids = await idsByTitle(panel, 'course-testimonials', before)
  await ask(panel, 'PUT', '/api/admin/course-testimonials/order', { ids })
})

test('a long list comes by parts, is searched whole and put in order past what is seen', async ({
  panel,
}) => {
  test.slow()
  await openKind(panel, 'events')
  const known = (await titles(panel)).length
  const made: string[] = []
  for (let number = 1; number <= 110 - known; number += 1) {
    const title = `Serata ${number}`
    const body = { title, published: false }
    made.push((await ask<Item>(panel, 'POST', '/api/admin/events', body)).id)
  }
  await panel.reload()
  await expect(rows(panel)).toHaveCount(100)
  await expect(panel.getByText('Ne vedi 100 di 110.')).toBeAttached()
  const tab = panel.getByRole('tab', { name: italian.eventi })
  await expect(tab).toContainText('110')
  await panel.getByRole('searchbox').fill(`SERÀTA ${110 - known}`)
  await expect(rows(panel)).toHaveCount(1)
  await expect(panel.getByRole('button', { name: /^Trascina/ })).toHaveCount(0)
  await panel.getByRole('searchbox').fill('')
  await expect(rows(panel)).toHaveCount(100)

  const grip = panel.getByRole('button', { name: 'Trascina per riordinare: Serata 1', exact: true })
  await grip.click()
  const dialog = panel.getByRole('dialog', { name: 'Sposta nell’elenco' })
  await expectAccessible(panel)
  await dialog.getByLabel(/^Posizione di «Serata 1»/).fill('111')
  await expect(dialog.getByRole('button', { name: 'Sposta' })).toBeDisabled()
  await dialog.getByLabel(/^Posizione di «Serata 1»/).fill('110')
  await panel.keyboard.press('Enter')
  await expectToast(panel, 'Ordine aggiornato!')
  const ids = async () => (await ask<Item[]>(panel, 'GET', '/api/admin/events')).map(({ id }) => id)
  expect((await ids()).at(-1)).toBe(made[0])
  await toast(panel).getByRole('button', { name: italian.annulla }).click()
  await expect.poll(async () => (await ids())[known]).toBe(made[0])
  await expect(async () => {
    // Undo reloads the list, so a row that was found before is detached.
    await rows(panel).last().scrollIntoViewIfNeeded({ timeout: 1_000 })
    await expect(rows(panel)).toHaveCount(110, { timeout: 1_000 })
  }).toPass({ timeout: 20_000 })
  await expect(panel.getByRole('button', { name: 'Mostra altri' })).toHaveCount(0)
  for (const id of made) await forget(panel, 'events', id)
})

test('a photo that somebody else deleted cannot be moved or saved, and leaves the list', async ({
  panel,
}) => {
  await openKind(panel, 'photo-gallery')
  const [first] = await ask<Item[]>(panel, 'GET', '/api/admin/photo-gallery')
  const row = rows(panel).filter({ hasText: first?.title ?? '' })
  const elsewhere = () => ask(panel, 'DELETE', `/api/admin/photo-gallery/${first?.id}`)
  const bringBack = () => ask(panel, 'POST', `/api/admin/trash/${first?.id}/restore`)
  await elsewhere()
  await row.getByRole('button', { name: /^Sposta giù: / }).click()
  await expect(toast(panel).getByText(italian.erroreNelRiordino)).toBeVisible()
  await expect(row).toHaveCount(0)

  await bringBack()
  await panel.reload()
  await row.getByRole('button', { name: /^Modifica: / }).click()
  await elsewhere()
  const dialog = panel.getByRole('dialog')
  await dialog.getByLabel('Descrizione').fill('Scritta troppo tardi')
  await dialog.getByRole('button', { name: italian.salvaModifiche }).click()
  await expect(toast(panel).getByText("Errore nell'aggiornamento")).toBeVisible()
  await expect(dialog.getByLabel('Descrizione')).toHaveValue('Scritta troppo tardi')
  await bringBack()
  await dialog.getByRole('button', { name: italian.salvaModifiche }).click()
  await expectToast(panel, italian.fotoAggiornataConSuccesso)
  await ask(panel, 'PUT', `/api/admin/photo-gallery/${first?.id}`, {
    description: first?.description,
  })
})

test('a row is dragged by its handle to another place', async ({ panel }) => {
  let requests = 0
  panel.on('request', (request) => {
    if (isWrite(request)) requests += 1
  })
  // Tall enough that dragging near an edge does not scroll.
  await panel.setViewportSize({ width: 1280, height: 1600 })
  const before = await titles(panel)
  const [first = '', second = '', third = '', ...rest] = before
  const wanted = [second, third, first, ...rest]
  const grip = panel.getByRole('button', { name: `Trascina per riordinare: ${first}` })
  const from = await grip.boundingBox()
  if (from === null) throw new Error('no handle')
  const x = from.x + from.width / 2
  await panel.mouse.move(x, from.y + from.height / 2)
  await panel.mouse.down()
  await panel.mouse.move(x, from.y + from.height, { steps: 4 })
  // The rows make room with an animation, and only while the pointer moves: the pointer hovers over the third row
  // until they have.
  let sway = 0.7
  await expect
    .poll(async () => {
      const order = await placed(panel)
      const to = await rows(panel).filter({ hasText: third }).boundingBox()
      if (to !== null && order.indexOf(first) < 2) {
        sway = 1.6 - sway
        await panel.mouse.move(x, to.y + to.height * sway, { steps: 3 })
      }
      return placed(panel)
    })
    .toEqual(wanted)
  await panel.mouse.up()
  await expectToast(panel, 'Ordine aggiornato!')
  await expect.poll(() => titles(panel)).toEqual(wanted)
  expect(requests).toBe(1)
  await toast(panel).getByRole('button', { name: italian.annulla }).click()
  await expect.poll(() => titles(panel)).toEqual(before)
})

test('one toast at a time, five seconds long, held while it is read', async ({ panel }) => {
  await panel.clock.install()
  const control = rows(panel).first().getByRole('switch')
  await control.click()
  await expectToast(panel, italian.statoPubblicazioneAggiornato)
  const first = toast(panel).getByRole('status')
  await first.evaluate(({ firstElementChild }) => firstElementChild?.setAttribute('data-first', ''))
  await control.click()
  await expect(control).toBeChecked()
  // The next toast has the same text; it replaces the first one and takes its focus.
  await expect(toast(panel).locator('[data-first]')).toHaveCount(0)
  await expectToast(panel, italian.statoPubblicazioneAggiornato)
  await panel.keyboard.press('F8')
  await expect(toast(panel)).toBeFocused()
  await panel.keyboard.press('Tab')
  await expect(
    toast(panel)
      .getByRole('button', { name: /^(Annulla|Chiudi)/ })
      .first(),
  ).toBeFocused()
  // The clock is paused from here on: on a busy machine more than 0.1 s passed between steps, and one leap of 20 s
  // came before the page had rendered that the toast is being read.
  await panel.clock.pauseAt((await panel.evaluate(() => Date.now())) + 500)
  await panel.clock.runFor(20_000)
  await expect(toast(panel).getByRole('status')).toBeVisible()
  await panel.keyboard.press('Shift+Tab')
  await panel.clock.runFor(50)
  await panel.clock.runFor(4_900)
  await expect(toast(panel).getByRole('status')).toBeVisible()
  await panel.clock.runFor(200)
  await expect(toast(panel).getByRole('status')).toBeEmpty()
})

/** The titles from top to bottom during a drag, without the row that follows the pointer. */
function placed(page: Page): Promise<string[]> {
  return rows(page).evaluateAll((all) =>
    all
      .filter((row) => getComputedStyle(row).position !== 'fixed')
      .map((row) => row.querySelector('h2, h3')?.textContent ?? ''),
  )
}

async function idsByTitle(page: Page, kind: string, order: readonly string[]): Promise<string[]> {
  const items = await ask<Item[]>(page, 'GET', `/api/admin/${kind}`)
  return order.map((title) => items.find((one) => (one.title ?? one.name) === title)?.id ?? '')
}
