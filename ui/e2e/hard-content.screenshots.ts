// Every page of a site with hard content at four widths: looked at by people, `HARD_CONTENT=folder npx playwright test`.

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fillWithHardContent } from './hard-content'
import { pathOf, publicPages, settled, test } from './test'

const folder = process.env.HARD_CONTENT ?? ''

test('pictures of every page with hard content', async ({ page, fresh }) => {
  test.setTimeout(600_000)
  mkdirSync(folder, { recursive: true })
  await fillWithHardContent(fresh.origin)
  const events = (await (await fetch(`${fresh.origin}/api/events`)).json()) as { id: string }[]
  const pages = [...publicPages, ...events.slice(1).map(({ id }) => `/evento/${id}`)]
  for (const width of (process.env.WIDTHS ?? '1440,1024,768,375').split(',').map(Number)) {
    await page.setViewportSize({ width, height: width < 500 ? 812 : 900 })
    for (const [index, name] of pages.entries()) {
      await page.goto(fresh.origin + (await pathOf(name, fresh)))
      await page.evaluate(async () => {
        document.querySelector('section[aria-label*=cookie]')?.remove()
        for (const image of document.images) image.loading = 'eager'
        await Promise.all([...document.images].map((image) => image.decode().catch(() => null)))
      })
      await settled(page)
      const label = name.replace(/\W+/g, '-').replace(/^-|-$/g, '') || 'home'
      const path = join(folder, `${width}-${index}-${label.slice(0, 20)}.jpg`)
      await page.screenshot({ path, fullPage: true, type: 'jpeg', quality: 60 })
    }
  }
})
