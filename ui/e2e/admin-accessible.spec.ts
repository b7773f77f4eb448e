// Runs axe on every tab, area and open dialog of the panel: wide and narrow viewport, light and dark theme.

import type { Page } from '@playwright/test'
import { fail } from './admin-faults'
import { kinds, pictures } from './admin-kinds'
import { expect, test } from './admin-kit'
import { openArea, openKind, originOf, rows, toast } from './admin-screen'
import { italian } from './italian'
import { expectAccessible } from './test'

const looks = [
  { width: 1280, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
  { width: 375, colorScheme: 'light' },
  { width: 375, colorScheme: 'dark' },
] as const

async function expectGood(page: Page, inDialog = false) {
  if (inDialog) await expect(page.locator('dialog[open]').last()).toBeVisible()
  await expectAccessible(page)
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow, 'scrolls sideways').toBeLessThanOrEqual(0)
}

for (const { width, colorScheme } of looks) {
  test.describe(`${width} px, ${colorScheme}`, () => {
    test.use({
      viewport: { width, height: 800 },
      colorScheme,
      contextOptions: { reducedMotion: 'reduce' },
    })

    for (const { kind, tab, add } of kinds) {
      test(`${tab}: list, form, new items and question`, async ({ panel }) => {
        test.slow()
        await openKind(panel, kind)
        await expectGood(panel)
        await rows(panel)
          .first()
          .getByRole('button', { name: /^Modifica: / })
          .click()
        await expectGood(panel, true)
        await panel.keyboard.press('Escape')
        await panel.getByRole('button', { name: add }).click()
        await expectGood(panel, true)
        await panel.keyboard.press('Escape')
        await rows(panel)
          .first()
          .getByRole('button', { name: /^Elimina: / })
          .click()
        await expectGood(panel, true)
      })
    }

    test('blog: list and form', async ({ panel }) => {
      test.slow()
      await openKind(panel, 'blog')
      await expectGood(panel)
      await rows(panel)
        .first()
        .getByRole('button', { name: /^Modifica: / })
        .click()
      await expectGood(panel, true)
    })

    test('a preview beside its form, and toasts on the page and in a dialog', async ({ panel }) => {
      test.slow()
      await openKind(panel, 'events')
      const row = rows(panel).first()
      await row.getByRole('switch').click()
      await toast(panel).getByRole('status').hover()
      await expectGood(panel)
      await row.getByRole('switch').click()
      await expect(row.getByRole('switch')).toBeChecked()
      await row.getByRole('button', { name: /^Modifica: / }).click()
      const dialog = panel.getByRole('dialog')
      await dialog.getByLabel(italian.data).fill('una sera di maggio')
      await expect(dialog.getByText(italian.laDataNonEStataCapita)).toBeVisible()
      await dialog.getByRole('button', { name: italian.anteprima }).click()
      const frame = dialog.frameLocator('iframe[title="Anteprima della pagina"]')
      await expect(frame.getByText('una sera di maggio').first()).toBeVisible({ timeout: 15_000 })
      const heal = await fail(panel, 'PUT', /\/events\/[^/]+$/, 'offline')
      await dialog.getByRole('button', { name: italian.salvaModifiche }).click()
      await toast(panel).getByRole('alert').hover()
      await expectGood(panel, true)
      await heal()
    })

    test('a batch with a picture on its way and a refused one', async ({ panel }) => {
      await openKind(panel, 'photo-gallery')
      await panel.route(/\/api\/admin\/upload$/, () => {})
      await panel.getByRole('button', { name: italian.aggiungiFoto }).click()
      await panel
        .getByLabel(italian.selezionaUnaOPiuImmagini)
        .setInputFiles([...pictures.slice(0, 2)])
      await panel
        .getByLabel(italian.selezionaUnaOPiuImmagini)
        .setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('ciao') })
      await expect(panel.getByText(italian.saltata)).toBeVisible()
      await expectGood(panel)
    })

    test('the other areas and the open menu', async ({ panel }) => {
      test.slow()
      for (const [area, heading] of [
        ['visite', 'Visite'],
        ['newsletter', 'Newsletter'],
        ['impostazioni', 'Impostazioni'],
        ['backup', 'Backup'],
        ['cestino', 'Cestino'],
        ['cronologia', 'Cronologia'],
        ['avvisi', 'Avvisi'],
        ['account', 'Account'],
      ] as const) {
        await openArea(panel, area, heading)
        await expect(panel.getByText(italian.caricamento)).toHaveCount(0)
        await expectGood(panel)
      }
      await panel.getByRole('button', { name: italian.attiva }).click()
      await expect(panel.getByRole('dialog', { name: italian.attivaLaVerifica })).toBeVisible()
      await expectGood(panel)
      await panel.keyboard.press('Escape')
      await panel.getByLabel(/^Menu: /).click()
      await expectGood(panel)
    })

    test('the sign-in, before and over the panel', async ({ page, panel, browser, context }) => {
      await panel.getByRole('button', { name: italian.modificaLucaT }).click()
      await panel.getByLabel(italian.professione).fill('Marinaio')
      // Requests that the form still makes would get a 401 and open the sign-in dialog before the button is pressed.
      await expect(panel.getByText(italian.daDoveViene)).toBeVisible()
      await context.clearCookies()
      await panel.getByRole('button', { name: italian.salvaModifiche }).click()
      await expect(panel.getByRole('dialog', { name: italian.accediDiNuovo })).toBeVisible()
      await expectGood(panel)
      const stranger = await browser.newContext({
        viewport: { width, height: 800 },
        colorScheme,
        reducedMotion: 'reduce',
      })
      const door = await stranger.newPage()
      await door.goto(`${originOf(page)}/admin`)
      await expect(door.getByRole('button', { name: italian.accedi })).toBeVisible()
      await expectGood(door)
      await stranger.close()
    })
  })
}
