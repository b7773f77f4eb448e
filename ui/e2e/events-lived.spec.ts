// Tests the life of an event: copied for a new date, repeated, sold out, cancelled, followed in a calendar.

import type { Page } from '@playwright/test'
import { ask, expect, forget, type Item, test } from './admin-kit'
import { expectToast, openKind, originOf, rows } from './admin-screen'
import { italian } from './italian'
import { expectAccessible } from './test'

test('an event is copied for a new date, fills up and is called off', async ({ panel }) => {
  const origin = originOf(panel)
  const made = await ask<Item>(panel, 'POST', '/api/admin/events', {
    title: 'Cerchio lunare',
    date: '6 marzo 2199',
    time: '19:00',
    location: 'Como',
    soldOut: true,
    published: true,
    sortOrder: 1000,
  })
  await openKind(panel, 'events')
  // The panel loaded its lists before the event was created.
  await panel.reload()
  await panel.getByRole('button', { name: 'Duplica per una nuova data: Cerchio lunare' }).click()
  await expectToast(panel, 'Copia creata: scegli la nuova data')
  const dialog = panel.getByRole('dialog', { name: italian.modificaEvento })
  await expect(dialog.getByLabel(italian.titolo, { exact: true })).toHaveValue(
    'Cerchio lunare (copia)',
  )
  await expect(dialog.getByLabel(italian.data, { exact: true })).toHaveValue('')
  await expect(dialog.getByRole('switch', { name: 'Posti esauriti' })).not.toBeChecked()
  await dialog.getByLabel(italian.data, { exact: true }).fill('Ogni martedì di marzo 2199')
  await expect(dialog.getByText('Sono 4 date nel calendario.')).toBeVisible()
  await dialog.getByLabel(italian.prezzo).fill('15,0,0')
  await dialog.getByRole('button', { name: italian.salvaModifiche }).click()
  await expect(
    dialog.getByText(
      'Non riesco a leggere la cifra. Scrivi per esempio 15 oppure 15,50; in franchi 15 CHF.',
    ),
  ).toBeVisible()
  await dialog.getByLabel(italian.prezzo).fill('40')
  await dialog.getByRole('switch', { name: italian.annullato }).click()
  await expectAccessible(panel)
  // Regression: '(copia)' was published.
  await dialog.getByRole('button', { name: italian.pubblicaEvento }).click()
  const title = dialog.getByLabel(italian.titolo, { exact: true })
  await expect(title).toBeFocused()
  await expect(dialog.getByText('Finisce ancora con «(copia)»')).toBeVisible()
  await title.fill('Cerchio di marzo')
  await expect(dialog.getByText('Finisce ancora con «(copia)»')).toHaveCount(0)
  await dialog.getByRole('button', { name: italian.pubblicaEvento }).click()
  await expectToast(panel, italian.eventoPubblicatoConSuccesso)
  const copy = (await ask<Item[]>(panel, 'GET', '/api/admin/events')).find(
    (one) => one.title === 'Cerchio di marzo',
  )
  const id = copy?.id ?? ''
  await expect(rows(panel).filter({ hasText: 'Cerchio di marzo' })).toHaveCount(1)

  for (const width of [1280, 375]) {
    await panel.setViewportSize({ width, height: 800 })
    await panel.goto(`${origin}/evento/${id}`)
    const note = panel.getByText('Questo evento è stato annullato.')
    await expect(note).toBeVisible()
    expect((await note.boundingBox())?.y ?? 999).toBeLessThan(800)
    await expectAccessible(panel)
  }
  await expect(panel.getByText('40\u00a0€')).toBeVisible()
  await panel.goto(`${origin}/evento/${made.id}`)
  await expect(panel.getByText('I posti sono esauriti.')).toBeVisible()
  await expect(panel.getByRole('link', { name: 'Avvisami se si libera' })).toBeVisible()
  await panel.goto(`${origin}/eventi`)
  // Regression: there was one link, which does nothing on Android and in most browsers of Windows.
  const follow = panel.locator('summary', { hasText: 'Segui il calendario' })
  const address = `${origin}/eventi.ics`
  const subscription = address.replace('http', 'webcal')
  const apple = panel.getByRole('link', { name: 'iPhone, iPad e Mac' })
  await expect(apple).toBeHidden()
  await follow.click()
  await expect(apple).toHaveAttribute('href', subscription)
  await expect(panel.getByRole('link', { name: /^Google Calendar/ })).toHaveAttribute(
    'href',
    `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(subscription)}`,
  )
  await expect(panel.getByRole('link', { name: /^Outlook/ })).toHaveAttribute(
    'href',
    `https://outlook.live.com/calendar/0/addfromweb?url=${encodeURIComponent(address)}&name=Eventi`,
  )
  await expect(panel.getByText(address, { exact: true })).toBeVisible()
  await expectAccessible(panel)
  await panel.goto(`${origin}/admin`)
  for (const one of [id, made.id]) await forget(panel, 'events', one)
})

for (const width of [1366, 390]) {
  test(`each way to follow the calendar says what to do, and the address is copied, ${width}`, async ({
    page,
    site,
  }) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.setViewportSize({ width, height: 844 })
    await page.goto(`${site.origin}/eventi`)
    await expect(page.locator('html[data-hydrated]')).toHaveCount(1)
    const how = page.locator('details small')
    await expect(how).toHaveCount(0)
    await page.locator('summary', { hasText: 'Segui il calendario' }).click()
    await expect(how).toHaveCount(4)
    await expect(
      page.getByText('Conferma «Iscriviti»: i nuovi eventi arrivano da soli.'),
    ).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Copia l’indirizzo' }).click()
    await expect(page.getByText('Indirizzo copiato')).toBeVisible()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toBe(`${site.origin}/eventi.ics`)
    const answer = await page.request.get(copied)
    expect(answer.headers()['content-type']).toBe('text/calendar; charset=utf-8')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    )
  })
}

// Regression: the state took the grid row of the description in the card, which moved below the link.
test('the card of an event with a state tells of it before its link', async ({ panel }) => {
  const origin = originOf(panel)
  const fields = { description: 'Due ore nel bosco.', location: 'Como', published: true }
  const made: string[] = []
  for (const [title, more] of [
    ['Cerchio pieno', { date: '6 marzo 2199', soldOut: true }],
    ['Cerchio annullato', { date: '7 marzo 2199', cancelled: true }],
    ['Cerchio passato', { date: '6 marzo 2019' }],
  ] as const) {
    const item = { ...fields, ...more, title, sortOrder: 0 }
    made.push((await ask<Item>(panel, 'POST', '/api/admin/events', item)).id)
  }
  for (const [title, path, badge] of [
    ['Cerchio pieno', '/eventi', 'Esaurito'],
    ['Cerchio annullato', '/eventi', 'Annullato'],
    ['Cerchio passato', '/eventi/passati', 'Già svolto'],
  ] as const) {
    await panel.goto(origin + path)
    const card = panel.getByRole('article').filter({ hasText: title })
    const tops: number[] = []
    const heading = card.getByRole('heading', { name: title })
    const state = card.getByText(badge, { exact: true })
    // The badge of a sold-out or cancelled event is on the picture.
    for (const part of [
      ...(path === '/eventi' ? [state, heading] : [heading, state]),
      card.getByText(fields.description),
      card.getByText('Como', { exact: true }),
      card.getByRole('link', { name: `Vedi dettagli ${title} ${badge}`, exact: true }),
    ])
      tops.push((await part.boundingBox())?.y ?? 0)
    expect(tops, title).toEqual([...tops].sort((one, other) => one - other))
    expect(new Set(tops).size).toBe(5)
  }
  await panel.goto(`${origin}/admin`)
  for (const one of made) await forget(panel, 'events', one)
})

for (const width of [1366, 390]) {
  test(`the places left are changed in the list, down to a seal and back, ${width}`, async ({
    panel,
  }) => {
    const origin = originOf(panel)
    await panel.setViewportSize({ width, height: 844 })
    const map = 'https://www.openstreetmap.org/?mlat=45.8&mlon=9.1'
    const made = await ask<Item>(panel, 'POST', '/api/admin/events', {
      title: 'Cerchio contato',
      date: '6 marzo 2199',
      location: 'Como',
      published: true,
      sortOrder: 1000,
    })
    await openKind(panel, 'events')
    await panel.reload()
    await panel.getByRole('button', { name: 'Modifica: Cerchio contato' }).click()
    const dialog = panel.getByRole('dialog', { name: italian.modificaEvento })
    const places = dialog.getByLabel('Posti rimasti')
    await places.fill('due')
    await dialog.getByLabel('Link alla mappa').fill(map)
    await dialog.getByRole('button', { name: italian.salvaModifiche }).click()
    await expect(places).toBeFocused()
    await expect(
      dialog.getByText('Scrivi un numero intero, per esempio 8, oppure lascia vuoto'),
    ).toBeVisible()
    await places.fill('2')
    await expectAccessible(panel)
    await dialog.getByRole('button', { name: italian.salvaModifiche }).click()
    await expectToast(panel, italian.eventoAggiornatoConSuccesso)

    const row = rows(panel).filter({ hasText: 'Cerchio contato' })
    const fewer = row.getByRole('button', { name: 'Un posto in meno: Cerchio contato' })
    await fewer.click()
    await expect(row.getByText('1 posto rimasto')).toBeVisible()
    // Another device gave a place away: the row counts from what is stored.
    await ask(panel, 'PUT', `/api/admin/events/${made.id}`, { placesLeft: 5 })
    await fewer.click()
    await expect(row.getByText('4 posti rimasti')).toBeVisible()
    await panel.goto(`${origin}/evento/${made.id}`)
    await expect(panel.getByText('4 posti rimasti')).toBeVisible()
    const link = panel.getByRole('link', { name: 'Apri la mappa (si apre in una nuova scheda)' })
    await expect(link).toHaveAttribute('href', map)
    await expect(link).toHaveAttribute('rel', /noopener/)
    await expectAccessible(panel)
    await panel.goto(`${origin}/eventi`)
    await expect(
      panel
        .getByRole('article')
        .filter({ hasText: 'Cerchio contato' })
        .getByText('4 posti rimasti'),
    ).toBeVisible()

    await ask(panel, 'PUT', `/api/admin/events/${made.id}`, { placesLeft: 1 })
    await openKind(panel, 'events')
    await fewer.click()
    await expect(row.getByText('Esaurito', { exact: true })).toBeVisible()
    await expect(row.getByText('Nessun posto rimasto')).toBeVisible()
    await expect(fewer).toHaveAttribute('aria-disabled', 'true')
    // Buttons that the header covers in part are too small to press.
    await panel.evaluate(() => scrollTo(0, 0))
    await expectAccessible(panel)
    await row.getByRole('button', { name: 'Riapri i posti: Cerchio contato' }).click()
    await expectToast(panel, italian.eventoAggiornatoConSuccesso)
    await expect(row.getByText('Esaurito', { exact: true })).toHaveCount(0)
    await expect(fewer).toHaveCount(0)
    await forget(panel, 'events', made.id)
  })
}

/** Waits for the request by which the form has the server parse a date. */
function askedAbout(panel: Page, date: string) {
  return panel.waitForRequest(
    (request) => request.url().endsWith('/understand-date') && request.postDataJSON().date === date,
  )
}

// Regression: the date of an old event was parsed with the year of its creation, whatever the new date was.
test('a date that stands keeps its year, one that is typed now has that of today', async ({
  panel,
}) => {
  const date = 'Ogni martedì di marzo'
  const made = await ask<Item>(panel, 'POST', '/api/admin/events', {
    title: 'Cerchio del martedì',
    date,
    published: false,
    sortOrder: 1000,
  })
  await openKind(panel, 'events')
  await panel.reload()
  const stands = askedAbout(panel, date)
  await panel.getByRole('button', { name: 'Modifica: Cerchio del martedì' }).click()
  expect((await stands).postDataJSON().dateWrittenAt).toBe(made.dateWrittenAt)
  const dialog = panel.getByRole('dialog', { name: italian.modificaEvento })
  const changed = askedAbout(panel, 'Ogni martedì di aprile')
  await dialog.getByLabel(italian.data, { exact: true }).fill('Ogni martedì di aprile')
  expect((await changed).postDataJSON().dateWrittenAt).toBeNull()
  await expect(dialog.getByText(/Letta come/)).toContainText('aprile')
  await forget(panel, 'events', made.id)
})

// Regression: a wrong weekday was accepted without a message and published.
test('a doubtful date is asked about and holds publishing, not the draft', async ({ panel }) => {
  const made = await ask<Item>(panel, 'POST', '/api/admin/events', {
    title: 'Cerchio d’inverno',
    date: 'domenica 6 Marzo 2199',
    time: '20,30',
    published: false,
    sortOrder: 1000,
  })
  await openKind(panel, 'events')
  await panel.reload()
  await panel.getByRole('button', { name: 'Modifica: Cerchio d’inverno' }).click()
  const dialog = panel.getByRole('dialog', { name: italian.modificaEvento })
  const date = dialog.getByLabel(italian.data, { exact: true })
  await expect(dialog.getByText('Il 6 marzo 2199 è un mercoledì: quale dei due?')).toBeVisible()
  await expectAccessible(panel)
  const publish = dialog.getByRole('button', { name: italian.pubblicaEvento })
  await publish.click()
  await expect(date).toBeFocused()
  await expect(date).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByRole('button', { name: 'Domenica 3' }).click()
  await expect(date).toHaveValue('domenica 3 Marzo 2199')
  await expect(date).not.toHaveAttribute('aria-invalid', 'true')
  await expect(dialog.getByText(/Letta come/)).toContainText('3 marzo 2199')

  await date.fill('31 novembre')
  await expect(dialog.getByText('Novembre ha 30 giorni.')).toBeVisible()
  await dialog.getByRole('button', { name: '1 dicembre' }).click()
  await expect(date).toHaveValue('1 dicembre')
  await expect(dialog.getByText(/^L’anno non c’è/)).toBeVisible()
  const hour = dialog.getByLabel(italian.orario)
  await hour.fill('8')
  await dialog.getByRole('button', { name: 'Le 20:00' }).click()
  await expect(hour).toHaveValue('20:00')
  await publish.click()
  await expectToast(panel, italian.eventoPubblicatoConSuccesso)
  await forget(panel, 'events', made.id)
})
