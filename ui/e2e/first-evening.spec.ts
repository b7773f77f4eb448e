// Tests of what a practitioner stumbled over on her first evening, on a phone and on a laptop.

import { ask, expect, test } from './admin-kit'
import { openArea } from './admin-screen'

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
