// Takes the screenshots of docs/uso.md from the demonstration content: `USO=1 npx playwright test uso`.

import { mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { pictures } from './admin-kinds'
import { expect, test } from './admin-kit'
import { openArea, openKind, rows, toast } from './admin-screen'
import { italian } from './italian'
import { settled } from './test'

const folder = resolve('../docs/uso')

test.use({ viewport: { width: 1100, height: 720 }, contextOptions: { reducedMotion: 'reduce' } })

async function shot(page: Page, name: string) {
  await settled(page)
  // Waits for the images of the page and of its iframes: an iframe without scripts never becomes idle.
  for (const frame of page.frames()) {
    await frame
      .evaluate(() => {
        const seen = [...document.images].filter(
          ({ loading, complete }) => loading !== 'lazy' || complete,
        )
        return Promise.all(seen.map((image) => image.decode().catch(() => undefined)))
      })
      .catch(() => undefined)
  }
  // WebP, which Playwright itself does not write: the binary contains these pictures.
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 72 })
  await session.detach()
  writeFileSync(`${folder}/${name}.webp`, Buffer.from(data, 'base64'))
}

test('the pictures of the guide', async ({ panel, page, browser, house }) => {
  test.setTimeout(120_000)
  mkdirSync(folder, { recursive: true })
  const stranger = await browser.newContext({ viewport: { width: 1100, height: 720 } })
  const door = await stranger.newPage()
  await door.goto(`${house.origin}/admin`)
  await expect(door.getByRole('button', { name: italian.accedi })).toBeVisible()
  await shot(door, 'accesso')
  await stranger.close()

  await openHome(panel, house.origin)
  await shot(panel, 'casa')
  await panel.getByRole('button', { name: 'Guida', exact: true }).click()
  await expect(panel.getByRole('dialog').getByText('Per questa schermata')).toBeVisible()
  await shot(panel, 'guida')
  await panel.keyboard.press('Escape')
  await openKind(panel, 'course-testimonials')
  await shot(panel, 'contenuti')
  await rows(panel)
    .first()
    .getByRole('button', { name: /^Modifica: / })
    .click()
  await shot(panel, 'testimonianza')
  await page.keyboard.press('Escape')

  await openKind(panel, 'photo-gallery')
  await panel.getByRole('button', { name: italian.aggiungiFoto }).click()
  await panel.getByLabel(italian.selezionaUnaOPiuImmagini).setInputFiles(pictures.slice(0, 3))
  await expect(panel.getByText(italian.immaginiSelezionate3)).toBeVisible({ timeout: 60_000 })
  await shot(panel, 'foto')
  await panel.reload()

  await rows(panel)
    .first()
    .getByRole('button', { name: /^Modifica: / })
    .click()
  await panel.getByRole('button', { name: 'Ritaglia e ruota' }).click()
  const corner = panel.getByRole('button', { name: 'Angolo in basso a destra' })
  for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowUp', 'ArrowUp', 'ArrowUp']) {
    await corner.press(`Shift+${key}`)
  }
  await shot(panel, 'ritaglio')
  await panel.reload()

  await openKind(panel, 'events')
  await panel.getByRole('button', { name: italian.modificaEsempioIlRespiroPrimaDella }).click()
  await panel.getByRole('button', { name: italian.anteprima }).click()
  await expect(panel.locator('iframe[title="Anteprima della pagina"]')).toBeVisible()
  await shot(panel, 'evento')
  await panel.reload()

  await rows(panel)
    .first()
    .getByRole('button', { name: /^Condividi: / })
    .click()
  await expect(panel.getByRole('img', { name: /^Locandina: / })).toBeVisible({ timeout: 30_000 })
  await shot(panel, 'condividi')
  await panel.reload()

  await openKind(panel, 'blog')
  await rows(panel)
    .first()
    .getByRole('button', { name: /^Modifica: / })
    .click()
  await shot(panel, 'blog')
  await panel.reload()

  await pages(panel, `${house.origin}/admin#/pagine`)

  for (const [area, heading] of [
    ['impostazioni', 'Impostazioni'],
    ['backup', 'Backup'],
    ['account', 'Account'],
  ] as const) {
    await openArea(panel, area, heading)
    await expect(panel.getByText(italian.caricamento)).toHaveCount(0)
    await shot(panel, area)
  }
  await page.setViewportSize({ width: 375, height: 720 })
  await openKind(panel, 'events')
  await shot(panel, 'telefono')
})

async function openHome(panel: Page, origin: string) {
  await panel.goto(`${origin}/admin#/casa`)
  await expect(panel.getByRole('heading', { name: 'Prossimi eventi' })).toBeVisible()
  await expect(panel.locator('iframe').first()).toBeVisible()
}

/** The list of pages, one page open with a text being edited, and on a phone. */
async function pages(panel: Page, area: string) {
  await panel.goto(area)
  await expect(panel.getByRole('link', { name: italian.modificaServizi })).toBeVisible()
  // The thumbnails are rendered two at a time.
  const drawn = panel.locator('iframe')
  await expect.poll(() => drawn.count(), { timeout: 30_000 }).toBeGreaterThan(3)
  await shot(panel, 'pagine')

  await panel.setViewportSize({ width: 1280, height: 760 })
  await panel.goto(`${area}/servizi`)
  const frame = panel.frameLocator('iframe')
  await frame
    .locator(':is(h2, h2 *)[data-words^="servizi.offers:offers[1]"]')
    .click({ timeout: 30_000 })
  await panel.keyboard.press('End')
  await panel.keyboard.type(' la sera')
  await expect(panel.getByRole('button', { name: /non pubblicat/ }).first()).toBeVisible()
  // Waits until the outlines that are shown briefly are gone.
  const edges = frame.locator('[data-words-breath]')
  await expect(edges).toHaveCount(0)
  await shot(panel, 'pagina')

  await panel.setViewportSize({ width: 375, height: 720 })
  // A phone has no hovering pointer.
  await panel.mouse.move(0, 0)
  await panel.reload()
  await panel.getByRole('button', { name: italian.scarta }).first().click()
  await toast(panel).getByRole('button', { name: italian.chiudi }).click()
  await frame.getByRole('button', { name: /^Modifica: Titolo, I Nostri/ }).press('Enter')
  await expect(panel.getByLabel(italian.titolo, { exact: true }).first()).toBeFocused()
  await expect(edges).toHaveCount(0)
  await shot(panel, 'pagina-telefono')
  await panel.setViewportSize({ width: 1100, height: 720 })
}
