// Tests the state after a deletion: the list shows all rows, and the focus is on a neighbouring row.

import { ask, expect, forget, makeTestimonial, test } from './admin-kit'
import { expectToast, openArea, rows, titles } from './admin-screen'
import { italian } from './italian'

const kind = 'course-testimonials'

// Regression: with few rows left the search field disappeared while its query still filtered the list.
test('the field to search stays while its words choose, however short the list', async ({
  panel,
}) => {
  const item = await makeTestimonial(panel, 'Una Da Cercare')
  let total = 5
  await panel.route(/course-testimonials\/page\?/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), total } })
  })
  await panel.reload()
  const search = panel.getByRole('searchbox', { name: 'Cerca in Testimonianze Corsisti' })
  await search.fill('Da Cercare')
  await expect(rows(panel)).toHaveCount(1)
  total = 4
  await panel.getByRole('button', { name: 'Elimina: Una Da Cercare' }).click()
  const question = panel.getByRole('alertdialog')
  await question.getByRole('button', { name: italian.elimina, exact: true }).click()
  await expect(panel.getByText('Qui non c’è nulla con queste parole.')).toBeVisible()
  await search.fill('')
  await expect(rows(panel).first()).toBeVisible()
  // Clearing the field does not remove it either.
  await expect(search).toBeFocused()
  await ask(panel, 'DELETE', `/api/admin/trash/${item.id}`)
})

// Regression: the focus fell to the beginning of the page.
test('after a row is deleted the next one has the focus, after the last the one before', async ({
  panel,
}) => {
  const made = [await makeTestimonial(panel, 'Penultima'), await makeTestimonial(panel, 'Ultima')]
  await panel.reload()
  await expect(rows(panel).first()).toBeVisible()
  const before = (await titles(panel)).filter((name) => !/ltima$/.test(name))
  const remove = (name: string) => panel.getByRole('button', { name: `Elimina: ${name}` })
  const question = panel.getByRole('alertdialog')
  const yes = question.getByRole('button', { name: italian.elimina, exact: true })
  await remove('Penultima').press('Enter')
  await yes.press('Enter')
  await expectToast(panel, italian.testimonianzaEliminata)
  await expect(remove('Ultima')).toBeFocused()
  await panel.keyboard.press('Enter')
  await yes.press('Enter')
  await expect(remove('Ultima')).toHaveCount(0)
  await expect(remove(before.at(-1) ?? '')).toBeFocused()

  await openArea(panel, 'cestino', 'Cestino')
  const back = (name: string) =>
    panel.getByRole('button', { name: `Ripristina: ${name}`, exact: true })
  await back('Ultima').press('Enter')
  await expectToast(panel, italian.diNuovoAlSuoPosto)
  await expect(back('Penultima')).toBeFocused()
  await panel.getByRole('button', { name: 'Elimina per sempre: Penultima' }).press('Enter')
  await question.getByRole('button', { name: 'Elimina per sempre' }).press('Enter')
  await expect(back('Penultima')).toHaveCount(0)
  await expect(panel.getByRole('heading', { level: 1, name: 'Cestino' })).toBeFocused()
  await forget(panel, kind, made[1]?.id ?? '')
})
