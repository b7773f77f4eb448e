// Tests that the headings of a page break into the same lines in the editor as on the site.

import type { FrameLocator, Page } from '@playwright/test'
import { expect } from './admin-kit'
import { originOf } from './admin-screen'
import { drawnMs, openPage, test } from './pages-kit'
import { answerCookies } from './test'

/** The lines of each heading, in a browser window or a frame. */
function linesOf(page: Page | FrameLocator): Promise<readonly string[]> {
  return page.locator('main').evaluate(async (main) => {
    const { ownerDocument: document } = main
    await document.fonts.ready
    const range = document.createRange()
    return [...main.querySelectorAll('h1, h2')].map((heading) => {
      const lines: { top: number; text: string }[] = []
      const walker = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        for (const { index, 0: word } of node.nodeValue?.matchAll(/\S+/g) ?? []) {
          range.setStart(node, index)
          range.setEnd(node, index + word.length)
          const { top } = range.getBoundingClientRect()
          const last = lines.at(-1)
          if (last !== undefined && Math.abs(last.top - top) < 8) last.text += ` ${word}`
          else lines.push({ top, text: word })
        }
      }
      return lines.map(({ text }) => text).join(' / ')
    })
  })
}

for (const width of [1366, 1440])
  test(`headings break in the editor as on the site (${width})`, async ({ panel, context }) => {
    test.slow()
    await panel.setViewportSize({ width, height: 900 })
    const site = await context.newPage()
    await answerCookies(site)
    for (const [name, path] of [
      ['rebirthing', '/rebirthing'],
      ['contatti', '/contatti'],
      ['home', '/'],
      ['chi-sono', '/chi-sono'],
    ] as const) {
      const frame = await openPage(panel, name)
      const size = await frame.locator('html').evaluate(({ clientWidth }) => clientWidth)
      await site.setViewportSize({ width: size, height: 900 })
      await site.goto(`${originOf(panel)}${path}`)
      await expect(site.locator('html[data-hydrated]')).toHaveCount(1)
      expect(await linesOf(frame), `${name} at ${size}`).toEqual(await linesOf(site))
    }
  })

// Regression: the preview is lower than the window of a phone, and a low window has a smaller heading, which broke elsewhere.
test('the heading of the home page breaks on a phone as on the site, however high', async ({
  panel,
  context,
}) => {
  const site = await context.newPage()
  await answerCookies(site)
  for (const [width, height] of [
    [390, 844],
    [390, 700],
    [360, 740],
    [412, 915],
  ] as const) {
    await panel.setViewportSize({ width, height })
    await panel.goto(`${originOf(panel)}/admin#/pagine/home`)
    const frame = panel.frameLocator('iframe')
    await expect(frame.locator('main h1')).toBeVisible({ timeout: drawnMs })
    const size = await frame.locator('html').evaluate(({ clientWidth }) => clientWidth)
    const [edited] = await linesOf(frame)
    for (const high of [height, 667]) {
      await site.setViewportSize({ width: size, height: high })
      await site.goto(`${originOf(panel)}/`)
      await expect(site.locator('html[data-hydrated]')).toHaveCount(1)
      expect((await linesOf(site))[0], `${width}×${height}, site ${high}`).toBe(edited)
    }
  }
})
