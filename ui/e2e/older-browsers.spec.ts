// Tests the fallbacks of features above the floor of `browser-floor.ts` by switching the features off, and what browsers
// below the floor show.

import type { Page } from '@playwright/test'
import { expect as expectPanel, test as panelTest } from './admin-kit'
import { openKind, originOf } from './admin-screen'
import { italian } from './italian'
import { drawnMs, openPage } from './pages-kit'
import { answerCookies, expect, pathOf, publicPages, test } from './test'

/** Lets the page set none of these attributes, and removes those in its HTML. */
async function withoutAttributes(page: Page, names: readonly string[]) {
  await page.addInitScript((off) => {
    const { setAttribute } = Element.prototype
    Element.prototype.setAttribute = function (name, value) {
      if (!off.includes(name)) setAttribute.call(this, name, value)
    }
    for (const name of ['closedBy', 'popover', 'command']) {
      for (const { prototype } of [HTMLElement, HTMLDialogElement, HTMLButtonElement])
        if (off.includes(name.toLowerCase())) Reflect.deleteProperty(prototype, name)
    }
    addEventListener('DOMContentLoaded', () => {
      for (const name of off)
        for (const one of document.querySelectorAll(`[${name}]`)) one.removeAttribute(name)
    })
  }, names)
}

test('without closedby and command a press outside closes the drawer and the preferences', async ({
  page,
  site,
}) => {
  await withoutAttributes(page, ['closedby', 'command', 'commandfor'])
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${site.origin}/contatti`)
  await page.getByRole('button', { name: italian.personalizza }).click()
  const preferences = page.getByRole('dialog', { name: /cookie/i })
  await expect(preferences).toBeVisible()
  await preferences.getByRole('heading').first().click()
  await expect(preferences).toBeVisible()
  await page.mouse.click(195, 4)
  await expect(preferences).toBeHidden()
  await page.getByRole('button', { name: italian.soloNecessari }).click()

  await page.getByRole('button', { name: italian.apriIlMenu }).click()
  const drawer = page.getByRole('dialog', { name: italian.menu })
  await expect(drawer).toBeVisible()
  await page.mouse.click(20, 400)
  await expect(drawer).toBeHidden()
})

panelTest('without popovers tooltips are seen beside their control', async ({ page, panel }) => {
  await withoutAttributes(page, ['popover'])
  await page.addInitScript(() => {
    Reflect.deleteProperty(HTMLElement.prototype, 'showPopover')
    Reflect.deleteProperty(HTMLElement.prototype, 'hidePopover')
  })
  await panel.reload()
  const button = panel.getByRole('button', { name: /^Trascina/ }).first()
  await button.hover()
  const bubble = button.locator('span[aria-hidden=true]').last()
  await expectPanel(bubble).toBeVisible()
  const [tip, control] = [await bubble.boundingBox(), await button.boundingBox()]
  expectPanel(Math.abs((tip?.x ?? 0) - (control?.x ?? 0))).toBeLessThan(200)
  expectPanel(Math.abs((tip?.y ?? 0) - (control?.y ?? 0))).toBeLessThan(120)
})

panelTest('without field-sizing the title of an article shows all its lines', async ({ panel }) => {
  await panel.addInitScript(() => {
    const { supports } = CSS
    CSS.supports = ((...condition: [string]) =>
      condition[0] !== 'field-sizing' && supports.call(CSS, ...condition)) as typeof CSS.supports
  })
  await panel.reload()
  await openKind(panel, 'blog')
  // The browser of the tests knows the property: a rule of the page's own switches it off.
  await panel.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('textarea { field-sizing: fixed !important }')
    document.adoptedStyleSheets.push(sheet)
  })
  await panel.getByRole('button', { name: italian.nuovoArticolo }).click()
  const title = panel.getByRole('dialog').getByLabel(italian.titolo, { exact: true })
  await title.fill(
    'Un titolo molto lungo che non sta in una riga sola, perché dice tutto. '.repeat(3),
  )
  await expectPanel
    .poll(() => title.evaluate(({ clientHeight, scrollHeight }) => scrollHeight - clientHeight))
    .toBeLessThanOrEqual(0)
  expectPanel(await title.evaluate(({ clientHeight }) => clientHeight)).toBeGreaterThan(100)
})

panelTest(
  'without checkVisibility Tab goes on from text to text of an edited page',
  async ({ panel }) => {
    await panel.addInitScript(() => Reflect.deleteProperty(Element.prototype, 'checkVisibility'))
    await panel.reload()
    const frame = await openPage(panel, 'privacy')
    const title = frame.getByRole('textbox').first()
    await title.click()
    await expectPanel(title).toBeFocused()
    const faults: string[] = []
    panel.on('pageerror', (error) => faults.push(String(error)))
    await panel.keyboard.press('Tab')
    await panel.keyboard.press('Tab')
    await expectPanel(title).not.toBeFocused()
    expectPanel(faults).toEqual([])
  },
)

panelTest(
  'without moveBefore a page opens from the list of pages, and its previews go at once',
  async ({ panel }) => {
    await panel.addInitScript(() => {
      for (const { prototype } of [Document, DocumentFragment, Element])
        Reflect.deleteProperty(prototype, 'moveBefore')
    })
    await panel.goto(`${originOf(panel)}/admin#/pagine`)
    await panel.reload()
    const card = panel.getByRole('link', { name: italian.modificaServizi, exact: true })
    await expectPanel(card.locator('iframe')).toBeVisible({ timeout: drawnMs })
    await card.click()
    const title = panel.frameLocator('iframe').getByRole('textbox').first()
    await expectPanel(title).toBeVisible({ timeout: drawnMs })
    // The page and the edited page in its iframe; nothing waits in a hidden place.
    await expectPanel.poll(() => panel.frames().length).toBe(2)
  },
)

panelTest('without CSS highlights the words to review are still listed', async ({ panel }) => {
  await panel.addInitScript(() => {
    Object.defineProperty(CSS, 'highlights', { value: undefined })
    Reflect.deleteProperty(window, 'Highlight')
  })
  await panel.reload()
  const frame = await openPage(panel, 'servizi')
  const subtitle = frame.locator('[data-words="servizi.hero:subtitle"]')
  await subtitle.fill('Una terapia del respiro.')
  const hints = panel.getByRole('region', { name: 'Parole da rivedere' })
  await hints.getByText('terapia', { exact: true }).click()
  await hints.getByRole('button', { name: 'percorso' }).click()
  await expectPanel(subtitle).toHaveText('Una percorso del respiro.')
  await expectPanel(hints).toHaveCount(0)
})

/** All words of the page that a reader can see, or reach by scrolling. */
function shownWords(page: Page): Promise<string[]> {
  return page.getByRole('main').evaluate((main) => {
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
    const shown: string[] = []
    while (walker.nextNode()) {
      const { parentElement, nodeValue } = walker.currentNode
      const text = (nodeValue ?? '').trim()
      if (text !== '' && parentElement?.checkVisibility({ visibilityProperty: true }))
        shown.push(text)
    }
    return shown
  })
}

for (const [how, breakScripts] of [
  ['cannot be loaded', (page: Page) => page.route('**/assets/*.js', (route) => route.abort())],
  [
    'are not understood',
    (page: Page) =>
      page.route('**/assets/*.js', (route) =>
        route.fulfill({ contentType: 'text/javascript', body: 'let let = ?;' }),
      ),
  ],
] as const)
  test.describe(`scripts that ${how}`, () => {
    test.use({ named: /SyntaxError|Failed to fetch|dynamically imported|Unexpected/ })

    test('every public page is read whole, as without scripts', async ({ page, browser, site }) => {
      test.slow()
      await answerCookies(page)
      await breakScripts(page)
      const context = await browser.newContext({ javaScriptEnabled: false })
      const plain = await context.newPage()
      for (const path of publicPages) {
        const address = site.origin + (await pathOf(path, site))
        await page.goto(address)
        await expect(page.locator('html')).toHaveAttribute('data-plain', '')
        await plain.goto(address)
        const without = new Set(await shownWords(plain))
        await expect
          .poll(async () => {
            const shown = new Set(await shownWords(page))
            return [...without].filter((text) => !shown.has(text))
          }, path)
          .toEqual([])
      }
      await context.close()
    })
  })

test('below the floor the panel shows one sentence that says what to do', async ({
  page,
  site,
}) => {
  // As Chrome 109, the last for Windows 7, and Firefox before 128.
  await page.addInitScript(() => Reflect.deleteProperty(window, 'CSSPropertyRule'))
  await page.goto(`${site.origin}/admin`)
  await expect(page.getByText(/^Questo browser è troppo vecchio.*Aggiornalo/)).toBeVisible()
  await expect(page.locator('body')).not.toContainText('E-mail')
})
