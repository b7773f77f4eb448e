// Tests of what a practitioner stumbled over on her first evening, on a phone and on a laptop.

import { ask, expect, test } from './admin-kit'
import { openArea, openKind } from './admin-screen'
import { italian } from './italian'

const screens = {
  'on a phone': { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  'on a laptop': { viewport: { width: 1366, height: 768 } },
}

for (const [screen, options] of Object.entries(screens)) {
  test.describe(screen, () => {
    test.use(options)

    test('two numbers in one field are asked about, and a note in brackets is no number', async ({
      panel,
    }) => {
      await openArea(panel, 'impostazioni', 'Impostazioni')
      const phone = panel.getByLabel('Telefono', { exact: true })
      await phone.fill('333 1234567 (solo WhatsApp)')
      await expect(panel.getByText('Si legge +39 333 123 4567')).toBeVisible()
      await phone.fill('333 1234567 / 031 123456')
      await expect(panel.getByText('Qui sta un numero solo: quale?')).toBeVisible()
      await panel.getByRole('button', { name: '+39 031 123 456' }).click()
      await expect(panel.getByText('Si legge +39 031 123 456')).toBeVisible()
      await panel.evaluate(() => localStorage.clear())
    })
  })
}

for (const [screen, { viewport }] of Object.entries(screens)) {
  test(`the form of a participant is in the first screen, and an error goes with the first letter, ${screen}`, async ({
    panel,
    browser,
  }) => {
    const made = await ask<{ url: string }>(panel, 'POST', '/api/admin/testimonial-requests', {
      name: 'Marta',
      activity: 'Seminario di marzo',
      attended: true,
    })
    const context = await browser.newContext({ viewport, locale: 'it-IT' })
    const page = await context.newPage()
    await page.goto(made.url)
    await expect(page.locator('html[data-hydrated]')).toHaveCount(1)
    const sign = page.getByLabel('Come vuoi firmare')
    await expect(sign).toBeInViewport({ ratio: 1 })
    await page.getByRole('button', { name: 'Invia la testimonianza' }).click()
    await expect(page.getByText('Scrivi come vuoi firmare.')).toBeVisible()
    await sign.fill('M')
    await expect(page.getByText('Scrivi come vuoi firmare.')).toHaveCount(0)
    await expect(sign).not.toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByText('Scegli le stelle.')).toBeVisible()
    // What becomes public is read before the consent.
    const isBefore = await page
      .getByRole('heading', { name: 'Che cosa diventa pubblico' })
      .evaluate((heading) => {
        const consent = document.getElementById('consent')
        return consent !== null && heading.compareDocumentPosition(consent) === 4
      })
    expect(isBefore).toBe(true)
    await context.close()
  })
}

for (const [screen, options] of Object.entries(screens)) {
  test.describe(screen, () => {
    test.use(options)

    test('a received testimonial is published without scrolling', async ({ admin, browser }) => {
      const made = await ask<{ url: string }>(admin, 'POST', '/api/admin/testimonial-requests', {
        name: 'Marta',
        activity: 'Seminario di marzo',
        attended: true,
      })
      const context = await browser.newContext({ javaScriptEnabled: false })
      const page = await context.newPage()
      await page.goto(made.url)
      await page.getByLabel('Come vuoi firmare').fill('Marta Q.')
      await page.getByRole('radio', { name: '4 stelle su 5' }).check()
      await page.getByLabel('Il tuo racconto').fill('Parole.\n\n'.repeat(30))
      await page.getByRole('checkbox').check()
      await page.getByRole('button', { name: 'Invia la testimonianza' }).click()
      await expect(page.getByRole('heading', { name: 'Grazie, Marta Q.' })).toBeVisible()
      await context.close()
      await openKind(admin, 'course-testimonials')
      await admin.reload()
      await admin.getByRole('button', { name: 'Modifica: Marta Q.' }).click()
      const editor = admin.getByRole('dialog', { name: italian.modificaTestimonianza })
      const publish = editor.getByRole('button', { name: italian.pubblica, exact: true })
      await expect(publish).toBeInViewport({ ratio: 1 })
      await publish.click()
      await expect(editor).toBeHidden()
      await expect(admin.getByText('Nessuna in attesa.')).toBeVisible()
    })
  })
}
