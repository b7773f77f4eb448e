// Tests of publishing and its undo, the share link of a draft, and the toolbar of an article.

import type { Page } from '@playwright/test'
import { expectFailure, fail } from './admin-faults'
import { ask, expect, forget, makeTestimonial, test } from './admin-kit'
import { expectToast, openKind, originOf, rows, toast } from './admin-screen'
import { italian } from './italian'
import { expectAccessible } from './test'

const DRAFT = '[Esempio] Il respiro prima della gara'

const undo = (page: Page) => toast(page).getByRole('button', { name: italian.annulla })

// Regression: 'Pubblica Evento' and a switch changed in the form
// could not be undone; only the switch of the list could.
test('what is published in the form can be taken back, like what the list publishes', async ({
  panel,
}) => {
  await openKind(panel, 'events')
  const row = rows(panel).filter({ hasText: DRAFT })
  const edit = panel.getByRole('button', { name: `Modifica: ${DRAFT}` })
  const dialog = panel.getByRole('dialog', { name: italian.modificaEvento })
  const onSite = async () =>
    (await (await panel.request.get(`${originOf(panel)}/eventi`)).text()).includes(DRAFT)
  await edit.click()
  await dialog.getByRole('button', { name: italian.pubblicaEvento }).click()
  await expectToast(panel, italian.eventoPubblicatoConSuccesso)
  expect(await onSite()).toBe(true)
  const heal = await fail(panel, 'PUT', /\/events\/[^/]+$/, 'offline')
  await undo(panel).click()
  await expectFailure(panel, "Errore nell'aggiornamento", 'offline')
  await expect(row.getByText(italian.pubblicato, { exact: true })).toBeVisible()
  await heal()

  await edit.click()
  await dialog.getByRole('switch', { name: 'Pubblicato sul sito' }).click()
  await dialog.getByRole('button', { name: italian.salvaModifiche }).click()
  await expectToast(panel, italian.eventoAggiornatoConSuccesso)
  await expect(row.getByText(italian.nascosto, { exact: true })).toBeVisible()
  await undo(panel).click()
  await expectToast(panel, italian.statoPubblicazioneAggiornato)
  await expect(undo(panel)).toHaveCount(0)
  expect(await onSite()).toBe(true)
  await row.getByRole('switch').click()
  await expect(row.getByText(italian.nascosto, { exact: true })).toBeVisible()
  expect(await onSite()).toBe(false)

  await edit.click()
  await dialog.getByRole('switch', { name: 'Pubblicato sul sito' }).click()
  await dialog.getByLabel('Luogo').fill('Como')
  await dialog.getByRole('button', { name: italian.salvaModifiche }).click()
  await expectToast(panel, italian.eventoAggiornatoConSuccesso)
  // The same save changed a text, so it would be unclear whether 'Annulla' reverts that too.
  await expect(undo(panel)).toHaveCount(0)
  await row.getByRole('switch').click()
  await expect(row.getByText(italian.nascosto, { exact: true })).toBeVisible()
})

test("a draft's link is copied, or says why it is not", async ({ panel, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openKind(panel, 'events')
  await panel.getByRole('button', { name: `Modifica: ${DRAFT}` }).click()
  const share = panel.getByRole('button', { name: italian.condividiBozza })
  const dialog = panel.getByRole('dialog', { name: italian.condividiLaBozza })
  const heal = await fail(panel, 'POST', /\/preview-link$/, 500)
  await share.click()
  await expect(dialog.getByRole('alert')).toHaveText(
    'Il link non si può creare adesso. Riprova più tardi.',
  )
  await heal()
  await panel.keyboard.press('Escape')
  await share.click()
  const link = await dialog.getByLabel(italian.linkDiAnteprima).inputValue()
  await dialog.getByRole('button', { name: 'Copia il link' }).click()
  await expectToast(panel, italian.linkCopiato)
  expect(await panel.evaluate(() => navigator.clipboard.readText())).toBe(link)

  await panel.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
  })
  await dialog.getByRole('button', { name: 'Copia il link' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(
    'Il browser non permette di copiare: seleziona il link e copialo a mano.',
  )
  await expect(dialog.getByLabel(italian.linkDiAnteprima)).toHaveValue(link)
})

test('text offered back says when the item was changed meanwhile', async ({ panel }) => {
  const item = await makeTestimonial(panel, 'Due Finestre')
  const edit = panel.getByRole('button', { name: 'Modifica: Due Finestre' })
  const dialog = panel.getByRole('dialog')
  const offer = dialog.getByText(/C’è del testo che non hai salvato/)
  await panel.reload()
  await edit.click()
  await dialog.getByLabel(italian.professione).fill('Scritta qui')
  await panel.keyboard.press('Escape')
  await edit.click()
  await expect(offer).not.toContainText('Nel frattempo')
  await panel.keyboard.press('Escape')
  await ask(panel, 'PUT', `/api/admin/course-testimonials/${item.id}`, {
    profession: 'Salvata altrove',
  })
  await panel.reload()
  await edit.click()
  await expect(offer).toContainText('Da allora qui è cambiato qualcosa.')
  await expectAccessible(panel)
  await expect(dialog.getByLabel(italian.professione)).toHaveValue('Salvata altrove')
  await dialog.getByRole('button', { name: italian.riprendi }).click()
  await expect(dialog.getByLabel(italian.professione)).toHaveValue('Scritta qui')
  await forget(panel, 'course-testimonials', item.id)
})

test('each button of the toolbar makes what its name says, and so do its keys', async ({
  panel,
}) => {
  test.slow()
  await openKind(panel, 'blog')
  await panel.getByRole('button', { name: italian.nuovoArticolo }).click()
  const dialog = panel.getByRole('dialog', { name: italian.nuovoArticolo })
  await dialog.getByLabel(italian.titolo, { exact: true }).fill('Tutti i pulsanti')
  await dialog.getByLabel(italian.riassunto).fill('In breve.')
  const text = dialog.getByRole('textbox', { name: italian.testo, exact: true })
  const bar = dialog.getByRole('toolbar', { name: italian.formatoDelTesto })
  // Right after focus the editor first restores the selection it had before.
  const select = (word: string) =>
    expect(async () => {
      await text.getByText(word, { exact: true }).selectText()
      const chosen = () => new Promise((next) => setTimeout(() => next(String(getSelection())), 60))
      expect(await panel.evaluate(chosen)).toBe(word)
    }).toPass()
  const lines = ['sezione', 'forte', 'piano', 'rimando', 'punto', 'numero', 'citato', 'svelto']
  await text.focus()
  for (const line of lines) {
    await panel.keyboard.type(line)
    await panel.keyboard.press('Enter')
  }
  for (const [word, name] of [
    ['sezione', 'Titolo di sezione'],
    ['forte', 'Grassetto (Ctrl+B)'],
    ['piano', 'Corsivo (Ctrl+I)'],
    ['punto', 'Elenco'],
    ['numero', 'Elenco numerato'],
    ['citato', 'Citazione'],
  ] as const) {
    await select(word)
    await bar.getByRole('button', { name, exact: true }).click()
    await expect(text).toBeFocused()
  }
  await select('rimando')
  await bar.getByRole('button', { name: 'Link (Ctrl+K)', exact: true }).hover()
  await expect(bar.locator('[popover]')).toHaveText('Link (Ctrl+K)')
  await expect(bar.locator('[popover]')).toBeInViewport({ ratio: 1 })
  await bar.getByRole('button', { name: 'Link (Ctrl+K)', exact: true }).click()
  await panel.keyboard.type('example.com/rimando')
  await panel.keyboard.press('Enter')
  await select('svelto')
  await panel.keyboard.press('Control+b')
  await panel.keyboard.press('Control+i')
  await select('punto')
  await panel.keyboard.press('Control+k')
  await panel.keyboard.type('/contatti')
  await panel.keyboard.press('Enter')

  await dialog.getByRole('button', { name: italian.anteprima }).click()
  const frame = dialog.frameLocator('iframe[title="Anteprima della pagina"]')
  const page = frame.getByRole('main')
  await expect(page.getByRole('heading', { level: 2, name: 'sezione' })).toBeVisible({
    timeout: 15_000,
  })
  await expect(page.locator('strong', { hasText: 'forte' })).toBeVisible()
  await expect(page.locator('em', { hasText: 'piano' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'rimando' })).toHaveAttribute(
    'href',
    'https://example.com/rimando',
  )
  await expect(page.locator('ul > li > a[href="/contatti"]', { hasText: 'punto' })).toBeVisible()
  await expect(page.locator('ol > li', { hasText: 'numero' })).toBeVisible()
  await expect(page.locator('blockquote', { hasText: 'citato' })).toBeVisible()
  await expect(page.locator('strong', { hasText: 'svelto' })).toBeVisible()
  await expect(page.locator('em', { hasText: 'svelto' })).toBeVisible()

  const heal = await fail(panel, 'POST', /\/api\/admin\/preview$/, 500)
  await text.press('End')
  await text.press('x')
  await expect(
    dialog.getByText('L’anteprima non è disponibile adesso. Quello che scrivi non ne risente.'),
  ).toBeVisible()
  await heal()
})
