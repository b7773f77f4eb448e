// Tests of external failures while the admin types: storage that refuses
// writes, a new release of the program, the browser's own undo.

import type { Page } from '@playwright/test'
import { expect } from './admin-kit'
import { originOf, toast } from './admin-screen'
import { italian } from './italian'
import { drawnMs, openPage, test } from './pages-kit'

const NOT_KEPT = 'Questo browser non conserva le bozze: pubblica prima di chiudere.'

// Regression: below 84rem the only line that reports failing storage had no width,
// and closing the window on a phone lost all drafts.
for (const width of [360, 1200]) {
  test(`at ${width} px it is said that nothing is kept`, async ({ panel }) => {
    await panel.addInitScript(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
    })
    await panel.setViewportSize({ width, height: 740 })
    await panel.goto(`${originOf(panel)}/admin#/pagine/servizi`)
    await panel.reload()
    const title = panel.frameLocator('iframe').locator('[data-words="servizi.hero:title"]')
    await title.click({ timeout: drawnMs })
    await panel.keyboard.type(' Nuovi')
    await expect(toast(panel)).toContainText(NOT_KEPT)
    await toast(panel).getByRole('button', { name: italian.chiudi }).click()
    if (width === 360) await panel.getByRole('button', { name: 'Fatto' }).click()
    const line = panel.getByRole('main').getByText(NOT_KEPT)
    await expect(line).toBeInViewport({ ratio: 1 })
    await panel.getByRole('link', { name: 'Torna a Pagine' }).click()
    await expect(line).toBeInViewport({ ratio: 1 })
  })
}

/** Imitates a new release, in which the chunks have other names. */
async function install(panel: Page, parts: RegExp) {
  await panel.route(parts, (route) => route.fulfill({ status: 404 }))
  await panel.route(/\/admin$/, async (route) => {
    const answer = await route.fetch()
    const body = (await answer.text()).replaceAll(/\/panel-[\w-]+\.js/g, '/panel-another.js')
    await route.fulfill({ response: answer, body })
  })
}

// Regression: the panel blamed the connection, and 'Riprova' requested the missing chunk forever.
test('a part that went with a former release says so, and the page is opened anew', async ({
  panel,
}) => {
  await panel.setViewportSize({ width: 360, height: 740 })
  await install(panel, /\/assets\/statistics-[^/]*\.js/)
  const told = panel.getByRole('alert').filter({ hasText: 'il pannello è stato aggiornato' })
  await panel.goto(`${originOf(panel)}/admin#/visite`)
  await expect(told).toBeVisible()
  await expect(panel.getByRole('button', { name: italian.riprova })).toHaveCount(0)
  await panel.unrouteAll()
  const opened = panel.waitForEvent('load')
  await told.getByRole('button', { name: 'Ricarica la pagina' }).click()
  await opened
  await expect(told).toHaveCount(0)
})

// Regression: the page cancelled the browser's own undo and performed none.
test('a step back from the menu of the browser is one of the page', async ({ panel }) => {
  const frame = await openPage(panel, 'servizi')
  const title = frame.getByRole('textbox', { name: italian.aperturaTitolo })
  const before = await title.textContent()
  await title.click()
  await panel.keyboard.press('ControlOrMeta+End')
  await panel.keyboard.type(' Nuovi')
  await expect(title).toContainText('Nuovi')
  const tools = await panel.context().newCDPSession(panel)
  await tools.send('Input.dispatchKeyEvent', { type: 'keyDown', key: 'F15', commands: ['undo'] })
  await expect(title).toHaveText(before ?? '')
  await expect(panel.getByRole('button', { name: /^Ripeti: / }).first()).toBeEnabled()
})
