// What every public page keeps: whole without JavaScript, quiet console, one origin, accessible.

import { expect, expectAccessible, publicPaths, test, watch } from './test'

for (const path of publicPaths) {
  test(`${path} loads with a quiet console and asks no other origin`, async ({ page, site }) => {
    const faults = watch(page, site.origin)
    const answer = await page.goto(site.origin + path)
    expect(answer?.status()).toBe(200)
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
    await page.mouse.wheel(0, 4000)
    await page.waitForTimeout(300)
    expect(faults).toEqual([])
  })

  test(`${path} reads whole with JavaScript off`, async ({ browser, site }) => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(site.origin + path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('contentinfo')).toBeVisible()
    for (const name of [
      'Home',
      'Chi Sono',
      "Cos'è il Rebirthing",
      'Testimonianze',
      'Eventi',
      'Contatti',
    ])
      await expect(
        page.getByRole('banner').getByRole('link', { name, exact: true }).first(),
      ).toBeAttached()
    await context.close()
  })

  for (const width of [1280, 375]) {
    test(`${path} is accessible at ${width} px`, async ({ page, site }) => {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await page.goto(site.origin + path)
      await expectAccessible(page)
    })
  }

  test(`${path} never scrolls sideways at 320 px, nor with text at twice the size`, async ({
    page,
    site,
  }) => {
    await page.setViewportSize({ width: 320, height: 700 })
    await page.goto(site.origin + path)
    const overflow = () =>
      page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
    expect(await overflow()).toBeLessThanOrEqual(0)
    await page.setViewportSize({ width: 640, height: 700 })
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
    })
    expect(await overflow()).toBeLessThanOrEqual(0)
  })

  test(`${path} hydrates without touching what the server sent`, async ({ page, site }) => {
    const sent = await (await page.request.get(site.origin + path)).text()
    await page.goto(site.origin + path)
    await expect(page.locator('html[data-hydrated]')).toHaveCount(1)
    const kept = await page.evaluate((html) => {
      const server = new DOMParser().parseFromString(html, 'text/html').querySelector('#app')
      const live = document.querySelector('#app')
      const walk = (root: Element | null) =>
        [...(root?.querySelectorAll('main *') ?? [])].map((element) => element.tagName).join(' ')
      return { server: walk(server), live: walk(live) }
    }, sent)
    expect(kept.live).toBe(kept.server)
  })
}

test('an unknown path answers 404 with the words of the specification', async ({ page, site }) => {
  const answer = await page.goto(`${site.origin}/non-esiste`)
  expect(answer?.status()).toBe(404)
  await expect(page.getByText('404 Page Not Found')).toBeVisible()
  await expect(page.getByText('Did you forget to add the page to the router?')).toBeVisible()
  await expectAccessible(page)
})

test('a missing event answers 404 with its own screen and a way back', async ({ page, site }) => {
  const answer = await page.goto(`${site.origin}/evento/${'a'.repeat(26)}`)
  expect(answer?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Evento Non Trovato' })).toBeVisible()
  await expect(
    page.getByText("L'evento che stai cercando non esiste o è stato rimosso."),
  ).toBeVisible()
  await page.getByRole('link', { name: 'Torna agli eventi' }).click()
  await expect(page).toHaveURL(`${site.origin}/eventi`)
})

test('the pages do not move while they load and hydrate', async ({ page, site }) => {
  for (const path of publicPaths) {
    await page.addInitScript(() => {
      const shifts = { total: 0 }
      Object.assign(window, { shifts })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & {
          value: number
          hadRecentInput: boolean
        })[])
          if (!entry.hadRecentInput) shifts.total += entry.value
      }).observe({ type: 'layout-shift', buffered: true })
    })
    await page.goto(site.origin + path, { waitUntil: 'networkidle' })
    const total = await page.evaluate(
      () => (window as unknown as { shifts: { total: number } }).shifts.total,
    )
    expect(total, path).toBeLessThan(0.01)
  }
})
