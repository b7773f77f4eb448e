// Tests of two tabs of one device: text typed in one tab stays, whatever the other does.

import type { Page } from '@playwright/test'
import { ask, expect, forget, forgetDrafts, type Item, makeTestimonial } from './admin-kit'
import { expectToast, rows } from './admin-screen'
import { italian } from './italian'
import { drawnMs, openPage, plainly, publish, reset, test } from './pages-kit'

/** Opens the form of a new testimonial and waits until it is visible. */
async function openNew(tab: Page) {
  await tab.getByRole('button', { name: italian.aggiungiTestimonianza }).first().click()
  const dialog = tab.getByRole('dialog', { name: italian.nuovaTestimonianza })
  await expect(dialog).toBeVisible()
  return dialog
}

// Regression: saving in one tab deleted the other tab's draft; with both closed only the later draft remained.
test('something new that is written in two tabs is kept in both', async ({ panel }) => {
  const address = panel.url().replace(/#.*/, '')
  const other = await panel.context().newPage()
  for (const tab of [panel, other]) {
    await tab.goto(address)
    await expect(rows(tab).first()).toBeVisible()
  }
  const [here, there] = [await openNew(panel), await openNew(other)]
  await here.getByLabel(italian.nome).fill('Prima Scheda')
  await there.getByLabel(italian.nome).fill('Seconda Scheda')
  await there.getByRole('textbox', { name: italian.testimonianza }).fill('Parole di là.')
  await here.getByRole('textbox', { name: italian.testimonianza }).fill('Parole di qua.')
  await other.close()
  await here.getByRole('button', { name: italian.aggiungiTestimonianza }).click()
  await expectToast(panel, italian.testimonianzaAggiuntaConSuccesso)

  const again = await openNew(panel)
  await again.getByRole('button', { name: italian.riprendi }).click()
  await expect(again.getByLabel(italian.nome)).toHaveValue('Seconda Scheda')
  await expect(again.getByRole('textbox', { name: italian.testimonianza })).toHaveValue(
    'Parole di là.',
  )
  await expect(again.getByRole('button', { name: italian.riprendi })).toHaveCount(0)
  await forgetDrafts(panel)
  const items = await ask<Item[]>(panel, 'GET', '/api/admin/course-testimonials')
  const made = items.find(({ name }) => name === 'Prima Scheda')
  await forget(panel, 'course-testimonials', made?.id ?? '')
})

// Regression: discarding or resuming a draft in another tab deleted the stored draft of the form open here.
for (const answer of [italian.scarta, italian.riprendi]) {
  test(`what is open in a tab stays kept when another presses '${answer}'`, async ({ panel }) => {
    const item = await makeTestimonial(panel, 'Due Schede')
    const address = panel.url().replace(/#.*/, '')
    const other = await panel.context().newPage()
    const open = {
      new: openNew,
      [item.id]: async (tab: Page) => {
        await tab.getByRole('button', { name: 'Modifica: Due Schede' }).click()
        const dialog = tab.getByRole('dialog')
        await expect(dialog).toBeVisible()
        return dialog
      },
    }
    for (const [form, openForm] of Object.entries(open)) {
      for (const tab of [panel, other]) {
        await tab.goto(address)
        await tab.reload()
        await expect(rows(tab).first()).toBeVisible()
      }
      const words = { name: italian.testimonianza }
      const here = await openForm(panel)
      await here.getByRole('textbox', words).fill('Parole di qua.')
      const there = await openForm(other)
      await there.getByRole('button', { name: answer }).click()
      await expect(there.getByRole('button', { name: answer })).toHaveCount(0)
      // A draft that was resumed there may be deleted as well.
      await there.getByRole('textbox', words).fill(form === 'new' ? '' : 'Parole di Due Schede.')

      await panel.reload()
      const again = await openForm(panel)
      await again.getByRole('button', { name: italian.riprendi }).click()
      await expect(again.getByRole('textbox', words), form).toHaveValue('Parole di qua.')
      await forgetDrafts(panel)
    }
    await other.close()
    await forget(panel, 'course-testimonials', item.id)
  })
}

// Regression: the tab that has the text open stores it again, and the list of the server, which came later, offered it anew.
test('an offer that was answered does not come back with a late list of drafts', async ({
  panel,
}) => {
  const address = panel.url().replace(/#.*/, '')
  const other = await panel.context().newPage()
  for (const tab of [panel, other]) {
    await tab.goto(address)
    await expect(rows(tab).first()).toBeVisible()
  }
  const here = await openNew(panel)
  await here.getByRole('textbox', { name: italian.testimonianza }).fill('Parole di qua.')
  let release: () => void = () => undefined
  const held = new Promise<void>((done) => {
    release = done
  })
  await other.route(/\/api\/admin\/drafts$/, async (route) => {
    await held
    await route.continue()
  })
  const there = await openNew(other)
  await there.getByRole('button', { name: italian.scarta }).click()
  const draft = () => JSON.stringify(localStorage).includes('Parole di qua.')
  await panel.waitForFunction(draft)
  const listed = other.waitForResponse(/\/api\/admin\/drafts$/)
  release()
  await (await listed).finished()
  await other.evaluate(() => new Promise((next) => requestAnimationFrame(() => setTimeout(next))))
  await expect(there.getByRole('button', { name: italian.scarta })).toHaveCount(0)
  await other.close()
  await forgetDrafts(panel)
})

// Regression: one tab's draft replaced the other's, and publishing deleted the drafts of both.
test('a block that is written in two tabs keeps the words of both', async ({ panel }) => {
  test.slow()
  const other = await panel.context().newPage()
  await other.goto(panel.url())
  const here = await openPage(panel, 'servizi')
  const there = await openPage(other, 'servizi')
  const subtitle = /^Apertura, Sottotitolo/
  await there.getByRole('textbox', { name: subtitle }).fill('Di là.')
  await other.keyboard.press('Control+s')
  await here.getByRole('textbox', { name: italian.aperturaTitolo }).fill('Di qua')
  await publish(panel)
  await other.close()

  await panel.reload()
  await panel.getByRole('button', { name: italian.riprendi }).click({ timeout: drawnMs })
  const words = here.getByRole('textbox', { name: subtitle })
  await expect(words).toHaveText('Di là.', { timeout: drawnMs })
  const title = here.getByRole('textbox', { name: italian.aperturaTitolo })
  expect(plainly((await title.textContent()) ?? '')).toBe('Di qua')
  await forgetDrafts(panel)
  await reset(panel, 'servizi.hero')
})
