// Tests of line breaks at the most common screen sizes.

import type { Page } from '@playwright/test'
import { answerCookies, expect, test } from './test'

const looked = ['/', '/chi-sono', '/servizi', '/rebirthing', '/contatti', '/privacy'] as const
const widths = [1440, 1024, 768, 375] as const

type Set = { readonly text: string; readonly lines: readonly string[] }

/** Returns every text that is alone in its element, with its rendered lines. */
function linesOf(page: Page, selector: string): Promise<Set[]> {
  return page.evaluate((wanted) => {
    const range = document.createRange()
    const topOf = (node: Node, at: number) => {
      range.setStart(node, at)
      range.setEnd(node, at + 1)
      return range.getBoundingClientRect().top
    }
    return [...document.querySelectorAll<HTMLElement>(wanted)].flatMap((element) => {
      const [node] = element.childNodes
      if (!(node instanceof Text) || element.childNodes.length > 1) return []
      if (!element.checkVisibility({ visibilityProperty: true })) return []
      const lines = ['']
      for (let at = 0; at < node.length; at += 1) {
        const isNew = at > 0 && Math.abs(topOf(node, at) - topOf(node, at - 1)) > 8
        // A space at the end of a line has no box of its own.
        if (isNew && node.data[at] !== ' ') lines.push('')
        lines.push((lines.pop() ?? '') + node.data[at])
      }
      return [{ text: node.data.trim(), lines: lines.map((line) => line.trim()) }]
    })
  }, selector)
}

test('no line of running text ends after a short word or before a unit', async ({ page, site }) => {
  await answerCookies(page)
  let seen = 0
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    for (const path of looked) {
      await page.goto(site.origin + path)
      const all = await linesOf(page, 'main p:not([data-literal])')
      const running = all.filter(({ text, lines }) => text.length >= 35 && lines.length > 1)
      seen += running.length
      const ends = running.flatMap(({ lines }) =>
        lines.slice(0, -1).filter((line, index) => {
          if (/(?:^|\D[\s(«])\p{L}{1,2}$/u.test(line)) return true
          return /\d$/.test(line) && /^(?:€|%|minuti|ore)/.test(lines[index + 1] ?? '')
        }),
      )
      expect(ends, `${path} at ${width}`).toEqual([])
    }
  }
  expect(seen).toBeGreaterThan(100)
})

// Regression: on a tablet «Testimonianze» broke within the word.
// A last line of more than one short word comes from `text-wrap: balance` (Chromium 114 and newer).
test('a heading breaks between words, and leaves none alone on its last line', async ({
  page,
  site,
}) => {
  await answerCookies(page)
  let seen = 0
  for (const width of [...widths, 900, 360]) {
    await page.setViewportSize({ width, height: 900 })
    for (const path of [...looked, '/testimonianze', '/eventi', '/blog']) {
      await page.goto(site.origin + path)
      const headings = await linesOf(page, 'main :is(h1, h2, h3)')
      for (const { text, lines } of headings.filter(({ lines }) => lines.length > 1)) {
        seen += 1
        // A word broken in two counts as one more word.
        expect(lines.join(' ').split(/\s+/), `${path} at ${width}`).toEqual(text.split(/\s+/))
        expect(lines.at(-1)?.length, `«${lines.join(' | ')}»`).toBeGreaterThan(3)
      }
    }
  }
  expect(seen).toBeGreaterThan(30)
})
