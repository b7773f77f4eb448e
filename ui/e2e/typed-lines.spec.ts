// Tests of line breaks in typed texts: kept on pages, without
// empty lines in cards, and removed where one line is needed.

import type { Locator } from '@playwright/test'
import { ask } from './admin-kit'
import { italian } from './italian'
import { plainly } from './pages-kit'
import { expect, test } from './test'

const typed = 'Prima riga\nSeconda riga\n\nTerzo capoverso'
const inCard = 'Prima riga\nSeconda riga\nTerzo capoverso'
const inOneLine = 'Prima riga Seconda riga Terzo capoverso'

/** Expects the lines of the paragraph as rendered. */
async function expectLines(within: Locator, lines: string) {
  const shown = within.locator('p').filter({ hasText: 'Prima riga' })
  await expect(shown).toBeVisible()
  // biome-ignore lint/performance/useDomNodeTextContent: only what is drawn has its lines
  expect(plainly(await shown.innerText())).toBe(lines)
}

test('lines of a description stay lines on the site', async ({ admin: page, fresh }) => {
  test.slow()
  const [photo] = await ask<{ id: string }[]>(page, 'GET', '/api/photo-gallery')
  await ask(page, 'PUT', `/api/admin/photo-gallery/${photo?.id}`, { description: typed })
  const event = await ask<{ id: string }>(page, 'POST', '/api/admin/events', {
    title: 'Sera a righe',
    description: typed,
    date: '3 marzo 2090',
    location: 'Milano',
    published: true,
  })
  await ask(page, 'POST', '/api/admin/blog', {
    title: 'Scritto a righe',
    slug: 'righe',
    excerpt: typed,
    published: true,
  })

  await page.goto(`${fresh.origin}/testimonianze`)
  const slide = page
    .getByRole('list', { name: italian.galleriaFotografica })
    .locator('li')
    .filter({ hasText: 'Prima riga' })
  await expectLines(slide, typed)
  await page.getByRole('button', { name: italian.soloNecessari }).click()
  await slide.getByRole('link').click()
  await expectLines(page.getByRole('dialog', { name: italian.immagineIngrandita }), typed)

  await page.goto(`${fresh.origin}/eventi`)
  await expectLines(page.getByRole('article').filter({ hasText: 'Sera a righe' }), inCard)
  await page.goto(`${fresh.origin}/evento/${event.id}`)
  await expectLines(page.getByRole('article').first(), typed)

  await page.goto(`${fresh.origin}/blog`)
  await expectLines(page.getByRole('article').filter({ hasText: 'Scritto a righe' }), inCard)
  await page.goto(`${fresh.origin}/blog/righe`)
  await expectLines(page.getByRole('article').first(), typed)

  for (const path of [`/evento/${event.id}`, '/blog/righe']) {
    await page.goto(fresh.origin + path)
    const description = page.locator('meta[name="description"]')
    expect(plainly((await description.getAttribute('content')) ?? '')).toBe(inOneLine)
    const told = await page.locator('script[type="application/ld+json"]').allTextContents()
    expect(plainly(told.join(' '))).toContain(`"description":"${inOneLine}"`)
  }
})
