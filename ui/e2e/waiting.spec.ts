// Tests of navigation: a loading page is indicated, and a page is prefetched on hover or touch.

import type { Locator, Page } from '@playwright/test'
import { italian } from './italian'
import { withMotion } from './motion'
import { expect, test } from './test'

test.use(withMotion)

/** Records the `purpose` header of each request for the page. */
function asked(page: Page, path: string): (string | null)[] {
  const all: (string | null)[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === path) all.push(request.headers().purpose ?? null)
  })
  return all
}

/** Opens a page and waits for hydration. */
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

/** Expects a prefetch before the page is opened, and a second request on opening, for the statistics. */
async function expectAhead(
  page: Page,
  origin: string,
  means: (link: Locator) => Promise<void>,
  opens: (link: Locator) => Promise<void>,
) {
  await open(page, `${origin}/contatti`)
  const requests = asked(page, '/chi-sono')
  const link = page.getByRole('link', { name: italian.chiSono }).first()
  const arrived = page.waitForResponse('**/chi-sono')
  await means(link)
  await arrived
  expect(requests).toEqual(['prefetch'])
  await expect(page).toHaveURL(`${origin}/contatti`)
  await opens(link)
  await expect(page).toHaveURL(`${origin}/chi-sono`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(requests).toEqual(['prefetch', null])
}

test('a page that is meant is there before the click, and counted when it is opened', async ({
  page,
  site,
}) => {
  await expectAhead(
    page,
    site.origin,
    (link) => link.hover(),
    (link) => link.click(),
  )
})

// Regression: the page waited for a task and for the frame in which the browser captured the former page.
test('a page that has come ahead stands before the press is over, and its head follows', async ({
  page,
  site,
}) => {
  await open(page, `${site.origin}/contatti`)
  const link = page.getByRole('link', { name: italian.chiSono }).first()
  const script = page.waitForResponse(/\/assets\/chi-sono-[^/]+\.js$/)
  await link.hover()
  // The page is ready when its own script, the last one requested, has run.
  await page.evaluate(`import(${JSON.stringify((await script).url())}).then(() => null)`)
  await page.evaluate(() => {
    const note = () => {
      const told = document.querySelector('h1')?.textContent
      Object.assign(window, { told, at: location.pathname, titled: document.title })
    }
    // Runs after the site's own listener, in the same task.
    addEventListener('click', note, { once: true })
  })
  await link.click()
  const seen = await page.evaluate(() => {
    const { told, at, titled } = window as unknown as Record<string, string>
    return { told, at, titled }
  })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(seen.told ?? '')
  expect(seen).toMatchObject({ at: '/chi-sono', titled: expect.stringContaining('Chi') })
  await expect(page).toHaveTitle(seen.titled ?? '')
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute('href', /\/chi-sono$/)
  await expect(page.locator('link[rel="canonical"]')).toHaveCount(1)
  await expect(page.getByRole('main')).toBeFocused()
})

test.describe('by touch', () => {
  test.use({ hasTouch: true })

  test('a page is fetched as the finger comes down, before it is lifted', async ({
    page,
    site,
  }) => {
    await expectAhead(
      page,
      site.origin,
      (link) => link.dispatchEvent('touchstart'),
      (link) => link.tap(),
    )
  })
})

/** Returns the view count of each page from the panel's statistics. */
async function views(admin: Page, origin: string): Promise<Record<string, number>> {
  const answer = await admin.request.get(`${origin}/api/admin/statistics`)
  const { pages } = (await answer.json()) as { pages: { path: string; views: number }[] }
  return Object.fromEntries(pages.map(({ path, views }) => [path, views]))
}

test('a page that came ahead counts as one visit, whether site or browser fetched it', async ({
  admin,
  browser,
  fresh: { origin },
}) => {
  // The default user agent of the test browser names a bot, and bots are not counted.
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0'
  const context = await browser.newContext({ userAgent, locale: 'it-IT' })
  const visitor = await context.newPage()
  await open(visitor, `${origin}/contatti`)
  const link = (name: RegExp | string) => visitor.getByRole('link', { name }).first()
  const ahead = visitor.waitForResponse('**/chi-sono')
  await link(italian.chiSono).hover()
  await ahead
  expect(await views(admin, origin)).toEqual({ '/contatti': 1 })
  await link(italian.chiSono).click()
  await expect(visitor).toHaveURL(`${origin}/chi-sono`)
  await expect.poll(() => views(admin, origin)).toEqual({ '/contatti': 1, '/chi-sono': 1 })

  // Before hydration the browser's own speculation rules prefetch the page.
  await context.route('**/assets/*.js', (route) => route.abort())
  const without = visitor.waitForEvent('pageerror')
  await visitor.goto(`${origin}/contatti`)
  await without
  await context.unroute('**/assets/*.js')
  await link(italian.eventi).hover()
  await visitor.mouse.down()
  await visitor.mouse.up()
  await expect(visitor).toHaveURL(`${origin}/eventi`)
  await expect(visitor.locator('html[data-hydrated]')).toHaveCount(1)
  const [entry] = await visitor.evaluate(() => performance.getEntriesByType('navigation'))
  expect(entry).toMatchObject({ deliveryType: 'navigational-prefetch' })
  const all = { '/contatti': 2, '/chi-sono': 1, '/eventi': 1 }
  await expect.poll(() => views(admin, origin)).toEqual(all)
  await context.close()
})

for (const [who, connection] of [
  ['who saves data', { saveData: true }],
  ['whose line is slow', { saveData: false, effectiveType: '2g' }],
] as const)
  test(`${who} is sent nothing that was not asked for`, async ({ page, site }) => {
    await page.addInitScript((value) => {
      Object.defineProperty(navigator, 'connection', { value })
    }, connection)
    await page.clock.install()
    await open(page, `${site.origin}/contatti`)
    const requests = asked(page, '/chi-sono')
    const link = page.getByRole('link', { name: italian.chiSono }).first()
    await link.hover()
    // Longer than any hover delay of a prefetch.
    await page.clock.runFor(5_000)
    await link.dispatchEvent('touchstart')
    await link.click()
    await expect(page).toHaveURL(`${site.origin}/chi-sono`)
    // Events of earlier requests arrive before that of the page, so a prefetch would be listed here.
    expect(requests).toEqual([null])
  })
