// Tests of what a practitioner stumbled over on her first evening, on a phone and on a laptop.

import { readFileSync } from 'node:fs'
import { pictures } from './admin-kinds'
import { ask, expect, forget, forgetDrafts, type Item, test } from './admin-kit'
import { openArea, openKind } from './admin-screen'
import { italian } from './italian'

/** A participant sends an incomplete testimonial. */
test.use({ named: /^422 POST \/testimonianza\// })

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
      await forgetDrafts(panel)
    })

    test('all wrong fields are marked at once, whoever finds them', async ({ panel }) => {
      await openArea(panel, 'impostazioni', 'Impostazioni')
      const wrong = {
        Telefono: '12',
        [italian.eMailPerIVisitatori]: 'nome@gmail',
        'Partita IVA': '0123456789',
      }
      for (const [label, text] of Object.entries(wrong))
        await panel.getByLabel(label, { exact: true }).fill(text)
      await panel.getByRole('button', { name: italian.salvaModifiche }).click()
      for (const label of Object.keys(wrong))
        await expect(panel.getByLabel(label, { exact: true })).toHaveAttribute(
          'aria-invalid',
          'true',
        )
      await expect(panel.getByLabel('Telefono', { exact: true })).toBeFocused()
      await forgetDrafts(panel)
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
      await expect(admin.getByText('Non aspetti nessuna testimonianza.')).toBeVisible()
    })
  })
}

/** A JPEG that shows the picture and has as many bytes more, in comments. */
function padded(jpeg: Buffer, bytes: number): Buffer {
  const comment = Buffer.alloc(0xffff + 2)
  comment.set([0xff, 0xfe, 0xff, 0xff])
  const comments = Array.from({ length: Math.ceil(bytes / comment.length) }, () => comment)
  return Buffer.concat([jpeg.subarray(0, 2), ...comments, jpeg.subarray(2)])
}

for (const [screen, options] of Object.entries(screens)) {
  test.describe(screen, () => {
    test.use(options)

    test('a photograph is seen at once, and one above the limit is shrunk before it is sent', async ({
      panel,
    }) => {
      test.slow()
      const alerts: string[] = []
      panel.on('dialog', (alert) => {
        alerts.push(alert.message())
        void alert.accept()
      })
      const item = await ask<Item>(panel, 'POST', '/api/admin/events', {
        title: 'Con una foto grande',
        published: false,
        sortOrder: 1000,
      })
      await openKind(panel, 'events')
      await panel.reload()
      await panel.getByRole('button', { name: 'Modifica: Con una foto grande' }).click()
      const dialog = panel.getByRole('dialog', { name: italian.modificaEvento })
      let sentBytes = 0
      let release: () => void = () => undefined
      const held = new Promise<void>((done) => {
        release = done
      })
      await panel.route(/\/objects\/uploads\/.*/, async (route) => {
        if (route.request().method() === 'PUT') {
          sentBytes = route.request().postDataBuffer()?.length ?? 0
          await held
        }
        await route.continue()
      })
      const buffer = padded(readFileSync(pictures[0] ?? ''), 11 * 1024 * 1024)
      await dialog
        .getByLabel(italian.immagine, { exact: true })
        .setInputFiles({ name: 'grande.jpg', mimeType: 'image/jpeg', buffer })
      const shown = dialog.getByRole('img', { name: italian.immagineAttuale })
      await expect(shown).toHaveAttribute('src', /^blob:/)
      await expect.poll(() => sentBytes).toBeGreaterThan(0)
      expect(sentBytes).toBeLessThan(10 * 1024 * 1024)
      release()
      await expect(dialog.getByRole('progressbar')).toHaveCount(0, { timeout: 60_000 })
      await expect(dialog.getByRole('button', { name: 'Sostituisci immagine' })).toBeVisible()
      await expect(shown).toHaveAttribute('src', /^blob:/)
      expect(alerts).toEqual([])
      await dialog.getByRole('button', { name: italian.salvaModifiche }).click()
      await expect(dialog).toBeHidden()
      const { image } = await ask<Item>(panel, 'GET', `/api/admin/events/${item.id}`)
      expect(image).not.toBe(null)
      await forget(panel, 'events', item.id)
    })
  })
}
