// Tests of the portrait, which the settings and a page can both define: each form says which one it shows.

import { readFileSync } from 'node:fs'
import { pictures } from './admin-kinds'
import { ask, expect, forgetDrafts } from './admin-kit'
import { originOf, toast } from './admin-screen'
import { italian } from './italian'
import { drawnMs, letGo, openPage, publicText, publish, reset, test } from './pages-kit'

// Regression: the form asked for a picture that the page had, and link previews used another one than the page.
test('one portrait of two sources is shown, shared and taken back as what it is', async ({
  panel,
}) => {
  test.slow()
  const frame = await openPage(panel, 'chi-sono')
  const { uploadURL } = await ask<{ uploadURL: string }>(panel, 'POST', '/api/admin/upload')
  await panel.request.put(uploadURL, { data: readFileSync(pictures[0] ?? '') })
  const kept = `/objects/uploads/${new URL(uploadURL).pathname.split('/').at(-1)}`
  await ask(panel, 'PUT', '/api/admin/settings', { portraitImage: kept })
  const place = encodeURIComponent('chi-sono.hero:portrait')
  await panel.goto(`${originOf(panel)}/admin#/pagine/chi-sono/${place}`)
  await panel.reload()
  const side = panel.getByRole('complementary', { name: italian.apertura })
  const field = side.locator('fieldset:has(> [id="w-chi-sono.hero-portrait"])')
  await expect(field.getByRole('img')).toHaveAttribute('src', kept, { timeout: drawnMs })
  const line = side.getByText('Viene da Impostazioni')
  await expect(line.getByRole('link')).toHaveAttribute('href', /impostazioni\/portraitImage$/)
  await expect(side.getByRole('button', { name: /^Torna a/ })).toHaveCount(0)
  await side.getByRole('button', { name: italian.questaPagina }).click()
  const bubble = panel.getByRole('img', { name: 'Anteprima in una chat' }).locator('img')
  await expect(bubble).toHaveAttribute('src', `${kept}/social.jpg`)
  expect(await publicText(panel, '/chi-sono')).toContain(`${kept}/social.jpg`)

  const portrait = frame.locator('[data-words-picture="chi-sono.hero:portrait"]').first()
  await expect(portrait).toBeVisible({ timeout: drawnMs })
  await letGo(portrait)
  await expect(toast(panel)).toContainText('Immagine sostituita', { timeout: 60_000 })
  await expect(line).toHaveCount(0)
  const own = (await field.getByRole('img').getAttribute('src')) ?? ''
  expect(own).not.toBe(kept)
  await publish(panel)
  expect(await publicText(panel, '/chi-sono')).toContain(`${own}/social.jpg`)
  await side.getByRole('button', { name: italian.questaPagina }).click()
  await expect(bubble).toHaveAttribute('src', `${own}/social.jpg`)

  await panel.locator('[data-opens="chi-sono.hero"]').click()
  await side.getByRole('button', { name: "Torna all'immagine di Impostazioni" }).click()
  await expect(line).toBeVisible()
  await expect(field.getByRole('img')).toHaveAttribute('src', kept)
  await forgetDrafts(panel)
  await reset(panel, 'chi-sono.hero')
  await ask(panel, 'PUT', '/api/admin/settings', { portraitImage: null })
})
