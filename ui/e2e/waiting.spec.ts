// A page that is on its way is seen to be; one that is meant is there before it is asked for.

import type { Page } from '@playwright/test'
import { italian } from './italian'
import { withMotion } from './motion'
import { expect, test } from './test'

test.use(withMotion)

/** Every time the page is asked for, with what the request says of its purpose. */
function asked(page: Page, path: string): (string | null)[] {
  const all: (string | null)[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === path) all.push(request.headers().purpose ?? null)
  })
  return all
}

/** Opens a page whose links answer to clicks. */
async function open(page: Page, url: string) {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(url)
  await expect(page.locator('html[data-hydrated]')).toHaveCount(1)
}

test('a page that takes its time is announced by a line and the dimmed link', async ({
  page,
  site,
}) => {
  await open(page, `${site.origin}/contatti`)
  let answer = () => {}
  const held = new Promise<void>((done) => {
    answer = done
  })
  await page.route('**/eventi', async (route) => {
    await held
    await route.continue()
  })
  const link = page.getByRole('navigation').first().getByRole('link', { name: italian.eventi })
  await link.click()
  await expect(page.locator('html[data-waiting]')).toHaveCount(1)
  await expect(link).toHaveCSS('opacity', '0.6')
  await expect(page.getByRole('main')).toHaveAttribute('aria-busy', 'true')
  answer()
  await expect(page).toHaveURL(`${site.origin}/eventi`)
  await expect(page.locator('html[data-waiting]')).toHaveCount(0)
  await expect(link).toHaveCSS('opacity', '1')
  await expect(page.getByRole('main')).not.toHaveAttribute('aria-busy')
})

test('a page that is meant is there before the click, and counted when it is opened', async ({
  page,
  site,
}) => {
  await open(page, `${site.origin}/contatti`)
  const requests = asked(page, '/chi-sono')
  const link = page.getByRole('link', { name: italian.chiSono }).first()
  const arrived = page.waitForResponse('**/chi-sono')
  await link.hover()
  await arrived
  expect(requests).toEqual(['prefetch'])
  await link.click()
  await expect(page).toHaveURL(`${site.origin}/chi-sono`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(requests).toEqual(['prefetch', null])
})

test.describe('by touch', () => {
  test.use({ hasTouch: true })

  test('a page is fetched as the finger comes down, before it is lifted', async ({
    page,
    site,
  }) => {
    await open(page, `${site.origin}/contatti`)
    const requests = asked(page, '/chi-sono')
    const link = page.getByRole('link', { name: italian.chiSono }).first()
    const arrived = page.waitForResponse('**/chi-sono')
    await link.dispatchEvent('touchstart')
    await arrived
    expect(requests).toEqual(['prefetch'])
    await expect(page).toHaveURL(`${site.origin}/contatti`)
    await link.tap()
    await expect(page).toHaveURL(`${site.origin}/chi-sono`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(requests).toEqual(['prefetch', null])
  })
})

for (const [who, connection] of [
  ['who saves data', { saveData: true }],
  ['whose line is slow', { saveData: false, effectiveType: '2g' }],
] as const)
  test(`${who} is sent nothing that was not asked for`, async ({ page, site }) => {
    await page.addInitScript((value) => {
      Object.defineProperty(navigator, 'connection', { value })
    }, connection)
    await open(page, `${site.origin}/contatti`)
    const requests = asked(page, '/chi-sono')
    const link = page.getByRole('link', { name: italian.chiSono }).first()
    await link.hover()
    await link.dispatchEvent('touchstart')
    await page.waitForTimeout(300)
    expect(requests).toEqual([])
    await link.click()
    await expect(page).toHaveURL(`${site.origin}/chi-sono`)
    expect(requests).toEqual([null])
  })
