// Takes screenshots of every page at four widths for review: `HARD_CONTENT=folder npx playwright test`.
//
// The site has hard content, or with CONTENT `demonstration` or `empty`. WIDTHS and PAGES select some.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { fillWithHardContent } from './hard-content'
import { start } from './program'
import { answerCookies, pathOf, publicPages, publicPaths, settled, test } from './test'

const folder = process.env.HARD_CONTENT ?? ''
const content = process.env.CONTENT ?? 'hard'
const widths = (process.env.WIDTHS ?? '1440,1024,768,375').split(',').map(Number)

async function take(page: Page, origin: string, paths: readonly string[]) {
  mkdirSync(folder, { recursive: true })
  await answerCookies(page)
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 500 ? 812 : 900 })
    for (const [index, path] of paths.entries()) {
      const label = path.replace(/\W+/g, '-').replace(/^-|-$/g, '') || 'home'
      if (process.env.PAGES && !process.env.PAGES.split(',').includes(label.split('-')[0] ?? ''))
        continue
      await page.goto(origin + path)
      await page.evaluate(async () => {
        for (const image of document.images) image.loading = 'eager'
        await Promise.all([...document.images].map((image) => image.decode().catch(() => null)))
      })
      // Scrolls through the page first, because some elements are measured when they come near the viewport.
      await page.evaluate(async () => {
        for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight) {
          scrollTo({ top, behavior: 'instant' })
          await new Promise((next) => requestAnimationFrame(next))
        }
        scrollTo({ top: 0, behavior: 'instant' })
      })
      await settled(page)
      const name = `${content}-${width}-${index}-${label.slice(0, 20)}.jpg`
      await page.screenshot({ path: join(folder, name), fullPage: true, type: 'jpeg', quality: 60 })
    }
  }
}

test('pictures of every page', async ({ page, fresh }) => {
  test.setTimeout(600_000)
  if (content === 'empty') {
    const data = mkdtempSync(join(tmpdir(), 'respiro-e2e-'))
    const program = await start(join(data, 'respiro.redb'))
    await take(page, program.origin, [
      ...publicPaths,
      '/evento/nessuno',
      '/blog/nessuno',
      '/niente',
    ])
    await program.stop()
    rmSync(data, { recursive: true })
    return
  }
  if (content === 'hard') await fillWithHardContent(fresh.origin)
  const events = (await (await fetch(`${fresh.origin}/api/events`)).json()) as { id: string }[]
  const paths = [
    ...(await Promise.all(publicPages.map((name) => pathOf(name, fresh)))),
    ...events.slice(1).map(({ id }) => `/evento/${id}`),
    ...['/contatti?servizio=online', '/eventi/passati'],
  ]
  await take(page, fresh.origin, paths)
})
