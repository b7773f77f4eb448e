// Tests what a keyboard, dictation or a screen reader needs and axe cannot see.

import type { Page } from '@playwright/test'
import { expect, makeTestimonial, test } from './admin-kit'
import { originOf, rows, toast } from './admin-screen'
import { italian } from './italian'
import { withMotion } from './motion'
import { answerCookies, pathOf, publicPages } from './test'

test.describe('with motion', () => {
  test.use(withMotion)

  /** Animations without an end, as `running` or `paused`, with the time of each. */
  const endless = (page: Page) =>
    page.evaluate(() =>
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY)
        .map(({ playState }) => playState),
    )

  for (const [path, least] of [
    ['/', 3],
    ['/rebirthing', 6],
  ] as const) {
    test(`${path}: everything that moves without end stops and resumes at one button`, async ({
      page,
      site,
    }) => {
      await answerCookies(page)
      await page.goto(site.origin + path)
      await expect.poll(async () => (await endless(page)).length).toBeGreaterThanOrEqual(least)
      expect(new Set(await endless(page))).toEqual(new Set(['running']))
      await page.getByRole('button', { name: 'Ferma le animazioni' }).click()
      await expect.poll(async () => new Set(await endless(page))).toEqual(new Set(['paused']))
      await page.getByRole('button', { name: 'Riprendi le animazioni' }).click()
      await expect.poll(async () => new Set(await endless(page))).toEqual(new Set(['running']))
    })
  }

  test('what was stopped on a page stays so on the next', async ({ page, site }) => {
    await answerCookies(page)
    await page.goto(site.origin)
    await page.getByRole('button', { name: 'Ferma le animazioni' }).click()
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /Rebirthing/ })
      .first()
      .click()
    await expect(page).toHaveURL(/\/rebirthing$/)
    await expect(page.getByRole('button', { name: 'Riprendi le animazioni' })).toBeVisible()
    expect(new Set(await endless(page))).toEqual(new Set(['paused']))
  })

  test('without scripts, which the button needs, nothing moves without end', async ({
    browser,
    site,
  }) => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      reducedMotion: 'no-preference',
    })
    const page = await context.newPage()
    for (const path of ['/', '/rebirthing']) {
      await page.goto(site.origin + path)
      const session = await context.newCDPSession(page)
      const { nodeIds } = await search(session)
      expect(nodeIds.length).toBeGreaterThan(0)
      for (const nodeId of nodeIds) {
        const { computedStyle } = await session.send('CSS.getComputedStyleForNode', { nodeId })
        const name = computedStyle.find((one) => one.name === 'animation-name')
        expect(name?.value, path).toBe('none')
      }
    }
    await context.close()
  })
})

/** The nodes that move on the home page and in the drawing of /rebirthing. */
async function search(session: Awaited<ReturnType<ReturnType<Page['context']>['newCDPSession']>>) {
  await session.send('DOM.enable')
  await session.send('CSS.enable')
  const { root } = await session.send('DOM.getDocument', { depth: -1 })
  const selector = 'main section img, main section svg circle'
  return session.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector })
}

test('the image of the opening that is not shown is hidden from screen readers', async ({
  page,
  site,
}) => {
  await page.goto(site.origin)
  const opening = page.getByRole('main').locator('section').first()
  const hidden = opening.locator('[aria-hidden=true] > img')
  await expect(hidden).toHaveCount(1)
  const first = await hidden.getAttribute('src')
  await opening.getByRole('button', { name: 'Mostra l’immagine 2 di 2' }).click()
  await expect(hidden).toHaveCount(1)
  expect(await hidden.getAttribute('src')).not.toBe(first)
})

test('toasts come into a live region that was there before them, on the page and in a dialog', async ({
  panel,
}) => {
  const item = await makeTestimonial(panel, 'Voce Presente')
  await panel.reload()
  const status = toast(panel).getByRole('status')
  const mark = () => status.evaluate((region) => region.setAttribute('data-marked', ''))
  await expect(status).toBeEmpty()
  await mark()
  const marked = panel.locator('[role=status][data-marked]')
  const row = rows(panel).filter({ hasText: item.name ?? '' })
  await row.getByRole('switch').click()
  await expect(marked).toContainText('Stato pubblicazione aggiornato!')

  await row.getByRole('button', { name: /^Elimina: / }).click()
  const question = panel.getByRole('alertdialog')
  await expect(question).toHaveAccessibleDescription(/Voce Presente/)
  await question.getByRole('button', { name: italian.elimina }).click()
  await expect(marked).toContainText('Testimonianza eliminata!')
  await expect(toast(panel)).toHaveCount(1)
  await panel.request.delete(`${new URL(panel.url()).origin}/api/admin/trash/${item.id}`, {
    headers: { origin: new URL(panel.url()).origin },
  })
})

test('the tools of an entry are a group, because arrow keys do not walk them', async ({
  panel,
}) => {
  await panel.goto(`${new URL(panel.url()).origin}/admin#/pagine/servizi`)
  await expect(panel.frameLocator('iframe').getByRole('heading', { level: 1 })).toBeVisible()
  const offers = panel.frameLocator('iframe').locator('[data-words^="servizi.offers:offers[1]"]')
  await offers.first().click()
  await expect(panel.getByRole('group', { name: /^Strumenti: / }).first()).toBeVisible()
  await expect(panel.getByRole('toolbar', { name: /^Strumenti: / })).toHaveCount(0)
})

/** Texts that their box cuts off, and the width by which the page is wider than the window. */
function cutTexts(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement
  const faults = scrollWidth > clientWidth ? [`page ${scrollWidth - clientWidth} px too wide`] : []
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    const style = getComputedStyle(element)
    const isClipping = [style.overflowX, style.overflowY].some((one) => /hidden|clip/.test(one))
    const hasText = [...element.childNodes].some(
      ({ nodeType, nodeValue }) => nodeType === Node.TEXT_NODE && nodeValue?.trim() !== '',
    )
    // Text for screen readers only, and lines that a press shows.
    const isMeant = style.clipPath !== 'none' || style.webkitLineClamp !== 'none'
    if (!isClipping || !hasText || isMeant || element.closest('[hidden], [inert]')) continue
    if (element.clientHeight === 0) continue
    if (
      element.scrollHeight > element.clientHeight + 1 ||
      element.scrollWidth > element.clientWidth + 1
    )
      faults.push(element.textContent.slice(0, 40))
  }
  return faults
}

for (const width of [1280, 390])
  test(`text that is spaced as WCAG 1.4.12 asks is not cut off (${width})`, async ({
    page,
    site,
  }) => {
    test.slow()
    await answerCookies(page)
    await page.setViewportSize({ width, height: 800 })
    for (const name of publicPages) {
      await page.goto(site.origin + (await pathOf(name, site)))
      await page.evaluate(() => {
        const sheet = new CSSStyleSheet()
        sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
          word-spacing: 0.16em !important } p { margin-block-end: 2em !important }`)
        document.adoptedStyleSheets.push(sheet)
      })
      await expect.poll(() => page.evaluate(cutTexts), name).toEqual([])
    }
  })

test('no area of the panel is wider than a window of 320 px', async ({ panel }) => {
  await panel.setViewportSize({ width: 320, height: 640 })
  const areas = ['contenuti', 'pagine', 'blog', 'visite', 'newsletter', 'impostazioni', 'backup']
  for (const area of [...areas, 'cestino', 'account', 'avvisi']) {
    await panel.goto(`${originOf(panel)}/admin#/${area}`)
    await expect(panel.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
    await expect
      .poll(
        () =>
          panel.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          ),
        area,
      )
      .toBeLessThanOrEqual(0)
  }
})
