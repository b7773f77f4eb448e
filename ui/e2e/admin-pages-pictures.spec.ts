// Tests of pictures on pages: deleted before publication, with a
// description that is too long, and the first own picture.

import { expect, forgetDrafts } from './admin-kit'
import { toast } from './admin-screen'
import { italian } from './italian'
import { drawnMs, letGo, openPage, publicText, publish, reset, test } from './pages-kit'

/** The panel asks whether the server still has a picture. */
test.use({ named: /^404 HEAD \/objects\/uploads\// })

// Regression: no page could be published, no field was marked, and the message said 'Non hai perso niente'.
test('a picture that is gone is named and marked, and the rest is published', async ({ panel }) => {
  test.slow()
  const frame = await openPage(panel, 'contatti')
  const place = frame.locator('[data-words-picture="contatti.hero:picture"]').first()
  await letGo(place)
  await expect(toast(panel)).toContainText('Immagine sostituita', { timeout: 60_000 })
  const side = panel.getByRole('complementary', { name: italian.apertura })
  await side.locator('[id="w-contatti.hero-title"]').fill('Senza la foto')
  await panel.keyboard.press('Control+s')
  // Imitates the end of the day for which the server keeps an upload. The tab stores all drafts once more on unload,
  // so the script changes them once, before the next page starts.
  await panel.addInitScript(() => {
    if (sessionStorage.getItem('picture') !== null) return
    sessionStorage.setItem('picture', 'gone')
    for (const name of Object.keys(localStorage)) {
      const kept = localStorage.getItem(name) ?? ''
      const gone = `/objects/uploads/${'a'.repeat(26)}`
      localStorage.setItem(name, kept.replaceAll(/\/objects\/uploads\/[a-z2-7]{26}/g, gone))
    }
  })
  await panel.reload()
  await panel.getByRole('button', { name: italian.riprendi }).click({ timeout: drawnMs })
  const alert = toast(panel).getByRole('alert')
  const where = 'in Contatti, Apertura, Immagine di apertura l'
  await expect(alert).toContainText(where.replace('in', 'In'))
  await toast(panel).getByRole('link', { name: 'Vai al testo' }).click()
  const field = side.locator('fieldset:has(> [id="w-contatti.hero-picture"])')
  await expect(field.getByRole('alert')).toContainText('caricala di nuovo', { timeout: drawnMs })
  await publish(panel)
  expect(await publicText(panel, '/contatti')).toContain('Senza la foto</h1>')

  // The same for a picture that is deleted while the page is open.
  await letGo(place)
  await expect(toast(panel)).toContainText('Immagine sostituita', { timeout: 60_000 })
  await panel.route(/\/objects\/uploads\/[a-z2-7]{26}$/, async (route) => {
    if (route.request().method() === 'HEAD') await route.fulfill({ status: 404 })
    else await route.continue()
  })
  await panel.evaluate(() => caches.delete('respiro-pictures'))
  await side.locator('[id="w-contatti.hero-title"]').fill('Ancora senza')
  await panel.getByRole('button', { name: italian.pubblica, exact: true }).click()
  await expect(alert).toContainText(`Non pubblicato: ${where}`)
  await publish(panel)
  expect(await publicText(panel, '/contatti')).toContain('Ancora senza</h1>')
  await forgetDrafts(panel)
  await reset(panel, 'contatti.hero')
})

// Regression: a draft lives for weeks, but the server keeps an unpublished
// upload for one day, and the admin had to find the photograph again.
test('a picture that is gone from the server is sent again from this device', async ({ panel }) => {
  test.slow()
  const frame = await openPage(panel, 'contatti')
  await letGo(frame.locator('[data-words-picture="contatti.hero:picture"]').first())
  await expect(toast(panel)).toContainText('Immagine sostituita', { timeout: 60_000 })
  await panel.keyboard.press('Control+s')
  const path = /\/objects\/uploads\/[a-z2-7]{26}/
  const kept = await panel.evaluate(() => JSON.stringify({ ...localStorage }))
  const [former = ''] = path.exec(kept) ?? []
  await panel.route(new RegExp(`${former}$`), async (route) => {
    if (route.request().method() === 'HEAD') await route.fulfill({ status: 404 })
    else await route.continue()
  })
  await panel.reload()
  const sent = panel.waitForResponse(
    (answer) => answer.request().method() === 'PUT' && answer.url().includes('/objects/uploads/'),
  )
  await panel.getByRole('button', { name: italian.riprendi }).click({ timeout: drawnMs })
  const [again = ''] = path.exec((await sent).url()) ?? []
  expect(again).not.toBe(former)
  await publish(panel)
  const page = await publicText(panel, '/contatti')
  expect(page).toContain(again)
  expect(page).not.toContain(former)
  // After publication the server keeps the picture.
  await expect
    .poll(() =>
      panel.evaluate((own) => caches.match(own).then((found) => found === undefined), again),
    )
    .toBe(true)
  await forgetDrafts(panel)
  await reset(panel, 'contatti.hero')
})

// Regression: 'L'immagine non si può usare: caricala di nuovo' made the admin upload it again, in vain.
test('words of a picture that are too long are refused as such, with one number', async ({
  panel,
}) => {
  test.slow()
  const frame = await openPage(panel, 'contatti')
  await letGo(frame.locator('[data-words-picture="contatti.hero:picture"]').first())
  await expect(toast(panel)).toContainText('Immagine sostituita', { timeout: 60_000 })
  const side = panel.getByRole('complementary', { name: italian.apertura })
  await expect(side.getByText('È la tua prima fotografia')).toBeVisible()
  const alt = side.getByLabel(italian.testoAlternativo)
  await alt.fill('è'.repeat(359))
  await expect(side.getByText('359 / 300')).toBeVisible()
  await expect(side.getByText('359 caratteri su 300, 59 di troppo')).toHaveCount(1)
  await panel.getByRole('button', { name: italian.pubblica, exact: true }).click()
  const alert = toast(panel).getByRole('alert')
  await expect(alert).toContainText(
    'in Contatti, Apertura, Immagine di apertura, Testo alternativo ci sono 359 caratteri, il massimo è 300',
  )
  await toast(panel).getByRole('link', { name: 'Vai al testo' }).click()
  await expect(alt).toBeFocused({ timeout: drawnMs })
  await expect(panel.getByText('La pagina mostra ancora')).toHaveCount(0)
  await alt.fill('La sala')
  await publish(panel)
  // The hint disappears once the picture is published.
  await expect(side.getByText('È la tua prima fotografia')).toHaveCount(0)
  await forgetDrafts(panel)
  await reset(panel, 'contatti.hero')
})
