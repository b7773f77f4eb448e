// Tests of long words that do not break, and of words with less room than before.

import type { Page } from '@playwright/test'
import { italian } from './italian'
import { expect, test } from './test'

const sixty = 'Respiroconsapevole'.repeat(4).slice(0, 60)
const endless = 'abbracciamoci'.repeat(31).slice(0, 400)

async function make(page: Page, origin: string, kind: string, data: object): Promise<string> {
  const answer = await page.request.post(`${origin}/api/admin/${kind}`, {
    headers: { origin },
    data: { published: true, sortOrder: 0, ...data },
  })
  expect(answer.status()).toBe(201)
  return (await answer.json()).id
}

/** Returns lines of text that overflow the window, or their card or column. */
function outside(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const range = document.createRange()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.nodeValue?.trim() ?? ''
      const parent = node.parentElement
      if (!/Respiroconsapevole|abbracciamoci/.test(text) || !parent?.checkVisibility()) continue
      // Visually hidden text for screen readers.
      if (parent.getBoundingClientRect().width <= 2) continue
      const card = parent.closest('article, figure, li, dd, section')?.getBoundingClientRect()
      range.selectNodeContents(node)
      for (const line of range.getClientRects())
        if (line.right > (card?.right ?? innerWidth) + 1) found.push(text.slice(0, 40))
    }
    return found
  })
}

test('a word of 60 or 400 letters stays in its card and in the window', async ({
  admin,
  fresh,
}) => {
  test.slow()
  const { origin } = fresh
  const both = `${sixty} e ${endless}`
  await make(admin, origin, 'course-testimonials', { name: sixty, testimonial: both, rating: 5 })
  await make(admin, origin, 'course-testimonials', { name: 'S.', testimonial: endless, rating: 5 })
  const words = {
    description: both,
    location: endless.slice(0, 150),
    content: `Programma\n10:00 ${both}\n\n${both}`,
  }
  const date = '6 marzo 2199'
  const id = await make(admin, origin, 'events', { title: sixty, date, ...words })
  await make(admin, origin, 'events', { title: endless.slice(0, 150), date, ...words })
  for (const width of [1440, 1024, 768, 500, 375])
    for (const path of ['/testimonianze', '/eventi', `/evento/${id}`, `/contatti?evento=${id}`]) {
      await admin.setViewportSize({ width, height: 812 })
      await admin.goto(origin + path)
      // Regression: a card in a row of three was as wide as its longest word.
      expect(await outside(admin), `${path} at ${width}`).toEqual([])
      const wider = await admin.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(wider, `${path} at ${width}`).toBeLessThanOrEqual(0)
    }
})

test('a telephone that is turned shows a testimonial to its last line', async ({
  admin,
  fresh,
}) => {
  const testimonial =
    'Sono arrivata con molte domande e sono tornata a casa con più calma. '.repeat(5)
  for (const name of ['Anna', 'Bea'])
    await make(admin, fresh.origin, 'course-testimonials', { name, testimonial, rating: 5 })
  await admin.setViewportSize({ width: 667, height: 375 })
  await admin.goto(`${fresh.origin}/testimonianze`)
  const strip = admin.getByRole('list', { name: italian.leParoleDeiCorsisti })
  await strip.scrollIntoViewIfNeeded()
  await admin.getByRole('button', { name: 'Vai alla pagina 2' }).first().click()
  const seen = () =>
    strip.evaluate((list) => {
      const slides = [...list.children].map((slide) => slide.getBoundingClientRect())
      const box = list.getBoundingClientRect()
      const now = slides.find(({ left }) => Math.abs(left - box.left) < 30)
      return {
        tall: Math.round(now?.height ?? 0),
        cut: Math.round((now?.bottom ?? 9999) - box.bottom),
      }
    })
  await expect.poll(async () => (await seen()).cut).toBeLessThanOrEqual(0)
  const { tall } = await seen()
  // Regression: the height of the wide layout stayed, and cut the end of the narrow one.
  await admin.setViewportSize({ width: 375, height: 667 })
  await expect.poll(async () => (await seen()).tall).toBeGreaterThan(tall)
  await expect.poll(async () => (await seen()).cut).toBeLessThanOrEqual(0)
  // Nor is the strip taller than its slide: below is only the usual padding.
  await expect.poll(async () => (await seen()).cut).toBeGreaterThan(-80)
})

test('an e-mail address breaks after its signs, not inside a word', async ({ admin, fresh }) => {
  const { origin } = fresh
  const email = 'annamaria.bernasconi.respiro@example-pratiche.com'
  const saved = await admin.request.put(`${origin}/api/admin/settings`, {
    headers: { origin },
    data: { email },
  })
  expect(saved.status()).toBe(200)
  for (const width of [390, 768, 1366]) {
    await admin.setViewportSize({ width, height: 844 })
    await admin.goto(`${origin}/contatti`)
    const lines = await admin.locator(':is(main, footer) a[href^="mailto:"]').evaluateAll((links) =>
      links.map((link) => {
        const walker = document.createTreeWalker(link, NodeFilter.SHOW_TEXT)
        const range = document.createRange()
        const lines = new Map<number, string>()
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
          for (const [index, letter] of [...(node.nodeValue ?? '')].entries()) {
            range.setStart(node, index)
            range.setEnd(node, index + 1)
            const { top } = range.getBoundingClientRect()
            lines.set(top, (lines.get(top) ?? '') + letter)
          }
        }
        return [...lines.values()]
      }),
    )
    expect(lines.length).toBeGreaterThan(1)
    for (const parts of lines) {
      expect(parts.join('')).toBe(email)
      for (const part of parts.slice(0, -1)) expect(part, `${width}`).toMatch(/[@._-]$/)
    }
  }
})
