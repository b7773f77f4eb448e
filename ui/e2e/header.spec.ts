// Tests of the header and the messaging button with texts of any length.

import type { Browser, Page } from '@playwright/test'
import { italian } from './italian'
import { answerCookies, expect, settled, test } from './test'

const widths = [320, 375, 768, 961, 1024, 1216, 1280, 1440, 1920]
const names = ['Respiro', 'Respiro Consapevole', 'Maria Addolorata Quattrocchi Della Valle']
const further = [
  { side: 'left', label: 'Servizi e prezzi', labelLink: '/servizi' },
  { side: 'right', label: 'Blog', labelLink: '/blog' },
  { side: 'left', label: 'Aziende e sport', labelLink: '/rebirthing' },
  { side: 'right', label: 'Domande frequenti', labelLink: '/contatti' },
] as const

async function put(page: Page, path: string, data: object) {
  const { origin } = new URL(page.url())
  const answer = await page.request.put(`${origin}/api/admin/${path}`, {
    headers: { origin },
    data,
  })
  expect(answer.status(), path).toBe(200)
}

/** Sets the original menu plus that many further entries. */
async function setMenu(page: Page, count: number) {
  const { origin } = new URL(page.url())
  const { value } = await (await page.request.get(`${origin}/api/admin/words/header.menu`)).json()
  const add = (wanted: 'left' | 'right') =>
    further.slice(0, count).flatMap(({ side, ...entry }) => (side === wanted ? [entry] : []))
  const menu = { left: [...value.left, ...add('left')], right: [...value.right, ...add('right')] }
  await put(page, 'words/header.menu', { value: menu })
}

/** Returns the faults of the header: a word of the name on two lines, or an element outside the window. */
function faults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    const name = document.querySelector('header nav > a')?.firstChild as Text
    const range = document.createRange()
    for (const { 0: word, index } of name.data.matchAll(/\S+/g)) {
      range.setStart(name, index)
      range.setEnd(name, index + word.length)
      const tops = [...range.getClientRects()].map(({ top }) => Math.round(top))
      if (new Set(tops).size > 1) found.push(`«${word}» is broken`)
    }
    const bar = document.querySelector('header')?.getBoundingClientRect()
    let before = 0
    for (const part of document.querySelectorAll('header > nav :is(a, button)')) {
      if (!part.checkVisibility()) continue
      const box = part.getBoundingClientRect()
      const isOut = box.left < before || box.right > innerWidth || box.top < 0
      if (isOut || box.bottom > (bar?.bottom ?? 0)) found.push(`«${part.textContent}» is out`)
      before = box.right
    }
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth > clientWidth ? [...found, 'it scrolls sideways'] : found
  })
}

/** Tests a header with the menu button alone, with the keyboard: with scripts and without. */
async function expectMenuByKeys(browser: Browser, origin: string, width: number) {
  for (const javaScriptEnabled of [true, false]) {
    const viewport = { width, height: 700 }
    const context = await browser.newContext({ javaScriptEnabled, viewport })
    const page = await context.newPage()
    await page.goto(`${origin}/eventi`)
    const opener = page.getByRole('button', { name: italian.apriIlMenu })
    await opener.focus()
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog', { name: italian.menu })
    await expect(drawer.getByRole('listitem').filter({ visible: true })).toHaveCount(10)
    await page.keyboard.press('Escape')
    await expect(drawer).toBeHidden()
    await expect(opener).toBeFocused()
    await opener.click()
    await drawer.getByRole('link', { name: 'Domande frequenti' }).click()
    await expect(page).toHaveURL(`${origin}/contatti`)
    await context.close()
  }
}

// Regression: ten entries, the maximum, left the name room for one letter a line.
test('a full menu and a long name leave every word whole at every width', async ({
  admin,
  browser,
  fresh,
}) => {
  test.slow()
  const { origin } = fresh
  await answerCookies(admin)
  const isMenuAt = new Map<string, number[]>()
  for (const count of [0, 2, 3, 4]) {
    if (count > 0) await setMenu(admin, count)
    for (const brand of names) {
      await put(admin, 'settings', { brand })
      for (const width of widths) {
        await admin.setViewportSize({ width, height: 700 })
        await admin.goto(`${origin}/eventi`)
        expect(await faults(admin), `${brand}, ${6 + count} entries at ${width}`).toEqual([])
        const button = admin.getByRole('button', { name: italian.apriIlMenu })
        const seen = isMenuAt.get(`${brand} ${count}`) ?? []
        isMenuAt.set(`${brand} ${count}`, (await button.isVisible()) ? [...seen, width] : seen)
      }
    }
    await put(admin, 'words/header.menu', { value: null })
  }
  // The header shows as many entries as there is room for.
  expect(isMenuAt.get('Respiro 0')).toEqual([320, 375, 768])
  expect(isMenuAt.get('Respiro 2')).toEqual([320, 375, 768])
  expect(isMenuAt.get('Respiro 3')).toEqual([320, 375, 768, 961, 1024])
  expect(isMenuAt.get('Respiro 4')).toEqual(widths)
  await setMenu(admin, 4)
  await expectMenuByKeys(browser, origin, 1440)
})

// Regression: from 27 characters on the icon had no room left on a small phone.
test('the messaging button keeps its sign whatever it is named', async ({ admin, fresh }) => {
  await answerCookies(admin)
  for (const label of [
    'Scrivimi quando vuoi su WhatsApp',
    'Scrivimi su WhatsApp adesso '.repeat(2),
  ]) {
    await put(admin, 'words/header.messaging', { value: { label: label.trim() } })
    for (const width of [320, 360, 412]) {
      await admin.setViewportSize({ width, height: 640 })
      await admin.goto(`${fresh.origin}/contatti`)
      const button = admin.getByRole('complementary').getByRole('link', { name: label.trim() })
      await button.focus()
      await settled(admin)
      const { sign, name, box } = await button.evaluate((link) => {
        const edges = (part: Element | null) => part?.getBoundingClientRect().toJSON()
        const [svg, span] = [link.querySelector('svg'), link.querySelector('span')]
        return { sign: edges(svg), name: edges(span), box: edges(link) }
      })
      expect(sign.width, `${label} at ${width}`).toBeGreaterThan(20)
      // Text and icon do not overlap, and the whole text is inside the button.
      expect(name.right).toBeLessThan(sign.left)
      expect(name.left).toBeGreaterThan(box.left)
      expect(name.bottom - name.top).toBeLessThanOrEqual(box.bottom - box.top + 6)
      expect(box.left).toBeGreaterThanOrEqual(0)
    }
  }
})
