// Tests what a visitor sees in the first five seconds: name, place, how to begin, and the price.

import { expect, test } from './test'

for (const width of [1280, 375]) {
  test(`who and where stand above the title, a quiet way in beside the first, at ${width} px`, async ({
    page,
    site,
  }) => {
    await page.setViewportSize({ width, height: 812 })
    await page.goto(site.origin)
    const who = page.getByText('Anna Esempio · Como e Lugano')
    const title = page.getByRole('heading', { level: 1 })
    const [above, below] = [await who.boundingBox(), await title.boundingBox()]
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual((below?.y ?? 0) + 1)
    const way = page.getByRole('link', { name: 'Consulenza gratuita, 20 minuti' }).first()
    await expect(way).toBeInViewport()
    await expect(way).toHaveAttribute('href', /^\/contatti/)
  })
}

test('prices are found from the home page, and what the longest package is worth', async ({
  page,
  site,
}) => {
  await page.goto(site.origin)
  const main = page.getByRole('main')
  for (const [card, price] of [
    ['Sessioni private', 'da 95 €'],
    ['Sessioni di gruppo', '45 €'],
  ] as const) {
    const article = main.locator('article, li', { hasText: card }).filter({ hasText: price })
    const link = article.getByRole('link', { name: /^Vedi prezzi/ }).first()
    await expect(link).toHaveAttribute('href', '/servizi#pricing')
  }
  await expect(main.locator('a[href="/servizi"]').first()).toBeVisible()
  await page.goto(`${site.origin}/rebirthing`)
  await expect(main.locator('a[href="/servizi"]').first()).toBeVisible()
  await page.goto(`${site.origin}/servizi`)
  // Twelve sessions of 95, two evenings of 45, a weekend of 450.
  await expect(main).toContainText('Prese una per una, le sue parti costano 1.680 €.')
  await expect(main).toContainText('Perché le durate cambiano')
})
