// Tests of every public page: complete without JavaScript, no
// console messages, one origin, accessible, no layout shift.

import { italian } from './italian'
import { expect, expectAccessible, pathOf, publicPages, publicPaths, test, watch } from './test'

const navigation = [
  'Home',
  'Chi Sono',
  'Cos’è il Rebirthing',
  'Testimonianze',
  'Eventi',
  'Contatti',
]

for (const name of publicPages) {
  test(`${name} hydrates what was sent, quietly, asks no other origin and fits a phone`, async ({
    page,
    site,
  }) => {
    const url = site.origin + (await pathOf(name, site))
    const faults = watch(page, site.origin)
    const sent = await (await page.request.get(url)).text()
    await page.setViewportSize({ width: 320, height: 700 })
    expect((await page.goto(url))?.status()).toBe(200)
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
    await expect(page.locator('html[data-hydrated]')).toHaveCount(1)
    const kept = await page.evaluate((html) => {
      const server = new DOMParser().parseFromString(html, 'text/html').querySelector('#app')
      const live = document.querySelector('#app')
      const walk = (root: Element | null) =>
        [...(root?.querySelectorAll('main *') ?? [])].map((element) => element.tagName).join(' ')
      return { server: walk(server), live: walk(live) }
    }, sent)
    expect(kept.live).toBe(kept.server)
    const overflow = () =>
      page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
    expect(await overflow(), 'at 320 px').toBeLessThanOrEqual(0)
    await page.setViewportSize({ width: 375, height: 700 })
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
    })
    expect(await overflow(), 'with text at twice the size').toBeLessThanOrEqual(0)
    await page.mouse.wheel(0, 4000)
    await page.waitForTimeout(200)
    expect(faults).toEqual([])
  })

  test(`${name} is accessible, wide and narrow`, async ({ page, site }) => {
    await page.goto(site.origin + (await pathOf(name, site)))
    for (const width of [1280, 375]) {
      await page.setViewportSize({ width, height: 800 })
      await expectAccessible(page)
    }
  })
}

test('every page reads whole with JavaScript off', async ({ browser, site }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  for (const name of publicPages) {
    await page.goto(site.origin + (await pathOf(name, site)))
    await expect(page.getByRole('heading', { level: 1 }), name).toBeVisible()
    await expect(page.getByRole('contentinfo')).toBeVisible()
    const links = page.getByRole('banner').getByRole('link')
    for (const label of navigation)
      await expect(links.filter({ hasText: label }).first()).toBeAttached()
  }
  await page.setViewportSize({ width: 375, height: 800 })
  await page.goto(`${site.origin}/contatti`)
  await page.locator('summary').filter({ hasText: italian.eUnaTerapia }).click()
  await expect(page.locator('details[open]')).toHaveCount(1)
  await page.getByRole('button', { name: italian.apriIlMenu }).click()
  await page
    .getByRole('dialog', { name: italian.menu })
    .getByRole('link', { name: italian.eventi })
    .click()
  await expect(page).toHaveURL(`${site.origin}/eventi`)
  await context.close()
})

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
    page.getByText('L’evento che stai cercando non esiste o è stato rimosso.'),
  ).toBeVisible()
  await page.getByRole('link', { name: italian.tornaAgliEventi }).click()
  await expect(page).toHaveURL(`${site.origin}/eventi`)
})

test('the pages do not move while they load and hydrate', async ({ page, site }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
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
  for (const path of publicPaths) {
    await page.goto(site.origin + path, { waitUntil: 'networkidle' })
    const total = await page.evaluate(
      () => (window as unknown as { shifts: { total: number } }).shifts.total,
    )
    expect(total, path).toBeLessThan(0.01)
  }
})
