// Tests of scheduled publication and withdrawal of articles and events, in the form and in the list.

import type { Page } from '@playwright/test'
import { ask, expect, forget, test } from './admin-kit'
import { expectToast, openKind, rows } from './admin-screen'
import { italian } from './italian'
import { expectAccessible } from './test'

const TITLE = 'Un articolo che si annuncia da sé'
const EVENT = '[Esempio] Sessione di gruppo'

/** The date in Rome that many days from now, in the format of a date field. */
function dayIn(days: number): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Rome' }).format(
    Date.now() + days * 86_400_000,
  )
}

type Planned = { id: string; title: string; published: boolean; plan: Plan | null }
type Plan = { publishAt: string | null; withdrawAt: string | null }

async function found(page: Page, kind: 'blog' | 'events', title: string) {
  const path = `/api/admin/${kind}/page?limit=100`
  const list = await ask<{ items: Planned[] }>(page, 'GET', path)
  return list.items.find((one) => one.title === title)
}

test('an article is planned with its first save, changed, and no longer planned', async ({
  panel,
}) => {
  await openKind(panel, 'blog')
  await panel.getByRole('button', { name: italian.nuovoArticolo }).first().click()
  const form = panel.getByRole('dialog', { name: italian.nuovoArticolo })
  await form.getByRole('textbox', { name: italian.titolo }).fill(TITLE)
  await form
    .getByRole('textbox', { name: italian.testo, exact: true })
    .pressSequentially('Respira.')
  await form.getByRole('button', { name: 'Programma' }).click()
  const planner = panel.getByRole('dialog', { name: 'Programma' })
  const publish = planner.getByRole('group', { name: 'Pubblicazione' })
  const withdraw = planner.getByRole('group', { name: 'Ritiro' })
  await expectAccessible(panel)

  // Impossible dates are reported before any request.
  await withdraw.getByLabel('Giorno').fill(dayIn(40))
  await planner.getByRole('button', { name: 'Salva il programma' }).click()
  await expect(withdraw.getByText('Scegli anche quando compare')).toBeVisible()
  await publish.getByLabel('Giorno').fill(dayIn(-1))
  await planner.getByRole('button', { name: 'Salva il programma' }).click()
  await expect(publish.getByText('Questo momento è già passato')).toBeVisible()
  await publish.getByLabel('Giorno').fill(dayIn(20))
  await publish.getByLabel('Ora').fill('18:30')
  await expect(publish.getByRole('status')).toContainText('18:30')
  // Enter works like the button.
  await publish.getByLabel('Ora').press('Enter')
  await expect(planner).toHaveCount(0)
  await expect(form.getByText('Programmato per')).toBeVisible()
  await form.getByRole('button', { name: italian.salvaArticolo }).click()
  await expectToast(panel, italian.articoloAggiuntoConSuccesso)

  const row = rows(panel).filter({ hasText: TITLE })
  await expect(row.getByText(/^Programmato per .* 18:30$/)).toBeVisible()
  await expect(row.getByText(/^Ritiro (il |l’).* 9:00$/)).toBeVisible()
  await expectAccessible(panel)
  const made = await found(panel, 'blog', TITLE)
  expect(made?.published).toBe(false)
  const rome = new Intl.DateTimeFormat('it-IT', { timeZone: 'Europe/Rome', timeStyle: 'short' })
  expect(rome.format(new Date(made?.plan?.publishAt ?? ''))).toBe('18:30')

  await row.getByRole('button', { name: `Modifica: ${TITLE}` }).click()
  const edit = panel.getByRole('dialog', { name: italian.modificaArticolo })
  await edit.getByRole('button', { name: 'Cambia il programma' }).click()
  await withdraw.getByRole('button', { name: 'Togli' }).click()
  await planner.getByRole('button', { name: 'Salva il programma' }).click()
  await expectToast(panel, 'Programma salvato')
  await edit.getByRole('button', { name: 'Cambia il programma' }).click()
  await publish.getByRole('button', { name: 'Togli' }).click()
  await planner.getByRole('button', { name: 'Salva il programma' }).click()
  await expectToast(panel, 'Programma tolto')
  await panel.keyboard.press('Escape')
  await expect(row.getByText(/^Programmato per/)).toHaveCount(0)
  expect((await found(panel, 'blog', TITLE))?.plan).toBeNull()
  await forget(panel, 'blog', made?.id ?? '')
})

test('what is on the site is withdrawn at a moment, on a phone', async ({ panel }) => {
  await panel.setViewportSize({ width: 375, height: 812 })
  await openKind(panel, 'events')
  const row = rows(panel).filter({ hasText: EVENT })
  await row.getByRole('button', { name: `Modifica: ${EVENT}` }).click()
  const edit = panel.getByRole('dialog', { name: italian.modificaEvento })
  await edit.getByRole('button', { name: 'Programma', exact: true }).click()
  const planner = panel.getByRole('dialog', { name: 'Programma' })
  const withdraw = planner.getByRole('group', { name: 'Ritiro' })
  await withdraw.getByRole('button', { name: italian.domaniAlle9 }).click()
  await expectAccessible(panel)
  await planner.getByRole('button', { name: 'Salva il programma' }).click()
  await expectToast(panel, 'Programma salvato')
  await panel.keyboard.press('Escape')
  await expect(row.getByText(/^Ritiro (il |l’).* 9:00$/)).toBeVisible()
  expect(await panel.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)
  const event = await found(panel, 'events', EVENT)
  await ask(panel, 'PUT', `/api/admin/events/${event?.id}/plan`, {})
})

// Regression: the schedule published an event whose date was in question, while 'Pubblica' asked first.
test('an event with an open question about its date cannot be planned, nor saved with a plan', async ({
  panel,
}) => {
  const title = 'Cerchio di fine inverno'
  const made = await ask<Planned>(panel, 'POST', '/api/admin/events', {
    title,
    date: 'domenica 6 Marzo 2199',
    published: false,
    sortOrder: 1000,
  })
  await openKind(panel, 'events')
  await panel.reload()
  await panel.getByRole('button', { name: `Modifica: ${title}` }).click()
  const edit = panel.getByRole('dialog', { name: italian.modificaEvento })
  const date = edit.getByLabel(italian.data, { exact: true })
  const planner = panel.getByRole('dialog', { name: 'Programma' })
  const publish = planner.getByRole('group', { name: 'Pubblicazione' })
  await edit.getByRole('button', { name: 'Programma', exact: true }).click()
  await publish.getByLabel('Giorno').fill(dayIn(20))
  await planner.getByRole('button', { name: 'Salva il programma' }).click()
  await expect(planner).toHaveCount(0)
  await expect(panel.getByRole('alert')).toContainText('Programma non salvato')
  await expect(date).toBeFocused()
  await expect(date).toHaveAttribute('aria-invalid', 'true')
  expect((await found(panel, 'events', title))?.plan).toBeNull()

  // Answered, the moment that she chose is still there.
  await edit.getByRole('button', { name: 'Domenica 3' }).click()
  await edit.getByRole('button', { name: 'Programma', exact: true }).click()
  await expect(publish.getByLabel('Giorno')).toHaveValue(dayIn(20))
  await planner.getByRole('button', { name: 'Salva il programma' }).click()
  await expectToast(panel, 'Programma salvato')

  await date.fill('lunedì 6 marzo 2199')
  await edit.getByRole('button', { name: italian.salvaModifiche }).click()
  await expect(date).toBeFocused()
  await expect(date).toHaveAttribute('aria-invalid', 'true')
  await edit.getByRole('button', { name: 'Mercoledì 6' }).click()
  await edit.getByRole('button', { name: italian.salvaModifiche }).click()
  await expect(edit).toHaveCount(0)
  expect((await found(panel, 'events', title))?.plan?.publishAt).not.toBeNull()
  await forget(panel, 'events', made.id)
})
