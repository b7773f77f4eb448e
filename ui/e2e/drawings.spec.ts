// Tests of the illustrations in place of missing pictures: no two are equal, and beside photographs they are subdued.

import type { Page } from '@playwright/test'
import { fillWithHardContent } from './hard-content'
import { italian } from './italian'
import { expect, pathOf, test } from './test'

const looked = ['/', '/chi-sono', '/rebirthing', '/testimonianze', '/eventi', '/blog', '/contatti']

/** Identifies each illustration of a page: by its file, or by its SVG paths. */
function drawingsOn(page: Page): Promise<string[]> {
  return page
    .locator('main')
    .evaluate((main) => [
      ...[...main.querySelectorAll('img')]
        .map((image) => image.getAttribute('src') ?? '')
        .filter((source) => /svg/.test(source)),
      ...[...main.querySelectorAll('svg[data-drawing]')].map((drawing) =>
        [...drawing.querySelectorAll('path')].map((path) => path.getAttribute('d')).join(),
      ),
    ])
}

test('no drawing stands twice on a page, nor on two pages', async ({ page, fresh }) => {
  test.slow()
  const posts = (await (await fetch(`${fresh.origin}/api/blog`)).json()) as { slug: string }[]
  const seen = new Map<string, string>()
  const pages = [...looked, await pathOf('/evento/{id}', fresh), `/blog/${posts[0]?.slug}`]
  for (const path of pages) {
    await page.goto(fresh.origin + path)
    for (const drawing of await drawingsOn(page)) {
      expect(seen.get(drawing), `${drawing} on ${path}`).toBeUndefined()
      seen.set(drawing, path)
    }
  }
  expect(seen.size).toBeGreaterThan(10)
})

test('beside her photographs what is still drawn is quiet, and never the same twice', async ({
  page,
  fresh,
}) => {
  test.slow()
  test.setTimeout(180_000)
  await fillWithHardContent(fresh.origin)
  const events = (await (await fetch(`${fresh.origin}/api/events`)).json()) as { id: string }[]
  const seen = new Map<string, string>()
  for (const path of [...looked, ...events.map(({ id }) => `/evento/${id}`)]) {
    await page.goto(fresh.origin + path)
    expect(await page.locator('main img[src*=svg]').count(), path).toBe(0)
    const suns = page.locator('main svg[data-drawing] circle')
    expect(await suns.count(), path).toBe(0)
    const tints = await page
      .locator('main svg[data-drawing]')
      .evaluateAll((all) =>
        all.map(
          (one) =>
            new Set([...one.querySelectorAll('path')].map((path) => getComputedStyle(path).fill))
              .size,
        ),
      )
    for (const count of tints) expect(count, path).toBe(1)
    for (const drawing of await drawingsOn(page)) {
      expect(seen.get(drawing), path).toBeUndefined()
      seen.set(drawing, path)
    }
  }
  expect(seen.size).toBeGreaterThan(8)
})

test('the services take half the way on a phone, with every word in the page', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 375, height: 812 })
  await page.goto(`${site.origin}/servizi`)
  const height = () => page.evaluate(() => document.documentElement.scrollHeight)
  expect(await height()).toBeLessThanOrEqual(5627)
  const words = () =>
    page
      .getByRole('main')
      .evaluate((main) => [...main.querySelectorAll('details')].map((one) => one.textContent))
  const told = await words()
  expect(told).toHaveLength(17)
  const row = page.locator('article', { hasText: 'Sessioni di coppia' })
  await expect(row.getByText('160')).toBeVisible()
  await expect(row.getByRole('link', { name: 'Prenota per due' })).toBeHidden()
  await row.locator('summary').press('Enter')
  await expect(row.getByRole('link', { name: 'Prenota per due' })).toBeVisible()
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.reload()
  await expect(page.getByRole('link', { name: italian.prenotaOnline })).toBeVisible()
  await expect(page.locator('main summary').first()).toBeHidden()
  expect(await words()).toEqual(told)
})

test('an article leads to the one before it and the one after', async ({ page, fresh }) => {
  const posts = (await (await fetch(`${fresh.origin}/api/blog`)).json()) as {
    slug: string
    title: string
  }[]
  await page.goto(`${fresh.origin}/blog/${posts[1]?.slug}`)
  const around = page.getByRole('navigation', { name: 'Altri articoli' })
  await expect(around.getByRole('link')).toHaveCount(2)
  await expect(around.getByRole('link', { name: /^Articolo successivo/ })).toHaveAttribute(
    'href',
    `/blog/${posts[0]?.slug}`,
  )
  await around.getByRole('link', { name: /^Articolo precedente/ }).click()
  await expect(page).toHaveURL(`${fresh.origin}/blog/${posts[2]?.slug}`)
  await page.goto(`${fresh.origin}/blog/${posts[0]?.slug}`)
  await expect(around.getByRole('link')).toHaveCount(1)
  await expect(around.getByRole('link')).toHaveText(/Articolo precedente/)
})

test('an event that is published later follows on the pages of the others at once', async ({
  page,
  admin,
  fresh,
}) => {
  const events = (await (await fetch(`${fresh.origin}/api/events`)).json()) as { id: string }[]
  const path = `/evento/${events[0]?.id}`
  await page.goto(fresh.origin + path)
  for (const { id } of events.slice(1)) {
    const gone = await admin.request.delete(`${fresh.origin}/api/admin/events/${id}`, {
      headers: { origin: fresh.origin },
    })
    expect(gone.ok()).toBe(true)
  }
  await page.goto(fresh.origin + path)
  const next = page.getByRole('region', { name: italian.prossimiAppuntamenti })
  await expect(next).toHaveCount(0)
  await admin.request.post(`${fresh.origin}/api/admin/events`, {
    headers: { origin: fresh.origin },
    data: { title: 'Serata nuova', published: true },
  })
  await page.reload()
  await expect(next.getByRole('heading', { name: 'Serata nuova' })).toBeVisible()
})
