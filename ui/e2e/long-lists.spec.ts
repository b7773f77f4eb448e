// Tests of lists longer than a page: pagination with links alone, and carousels that load further slides.

import type { Page } from '@playwright/test'
import { italian } from './italian'
import { account, answerCookies, expect, expectAccessible, test } from './test'

const testimonials = 30
const events = 45

async function fill(origin: string, request: import('@playwright/test').APIRequestContext) {
  const headers = { origin }
  const signedIn = await request.post(`${origin}/api/auth/login`, { data: account, headers })
  expect(signedIn.status()).toBe(200)
  const create = async (kind: string, data: object) => {
    const answer = await request.post(`${origin}/api/admin/${kind}`, { data, headers })
    expect(answer.status()).toBe(201)
  }
  for (let number = 1; number <= testimonials; number += 1) {
    const testimonial = 'Ho imparato a respirare con calma, e la calma è rimasta.'
    await create('course-testimonials', { name: `Voce ${number}`, testimonial })
  }
  for (let number = 1; number <= events; number += 1) {
    const date = number % 3 === 0 ? '3 marzo 2025' : '3 marzo 2090'
    await create('events', { title: `Serata ${number}`, date, published: true })
  }
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })
  test('every event and testimonial is reached by links', async ({ page, fresh }) => {
    test.slow()
    await fill(fresh.origin, page.request)
    await page.goto(`${fresh.origin}/eventi`)
    await expect(page.getByRole('article')).toHaveCount(24)
    await page.getByRole('link', { name: 'Pagina successiva' }).click()
    await expect(page).toHaveTitle(/^Eventi, pagina 2 \|/)
    await expect(page.getByRole('heading', { name: 'Serata 44' })).toBeVisible()
    await page.getByRole('link', { name: 'Mostra gli eventi passati' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Eventi passati' })).toBeVisible()
    await expect(page.getByRole('article')).toHaveCount(15)
    await page.goto(`${fresh.origin}/testimonianze`)
    await page.getByRole('link', { name: 'Tutte le testimonianze' }).click()
    await page.getByRole('link', { name: 'Pagina successiva' }).click()
    await expect(page.getByText('Voce 30', { exact: true })).toBeVisible()
  })
})

test('a carousel fetches what follows as it is reached, and its page has all', async ({
  page,
  fresh,
}) => {
  test.slow()
  await fill(fresh.origin, page.request)
  await page.goto(`${fresh.origin}/testimonianze`)
  const strip = page.getByRole('list', { name: italian.leParoleDeiCorsisti })
  await expect(strip.locator('> li')).toHaveCount(12)
  await strip.scrollIntoViewIfNeeded()
  const next = page.getByRole('button', { name: italian.successivo }).first()
  await expect(async () => {
    await next.click({ timeout: 1_000 })
    await expect(strip.locator('> li')).not.toHaveCount(12, { timeout: 200 })
  }).toPass()
  await expect(strip.locator('> li').last()).toContainText('Voce 30')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Tutte le testimonianze' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(italian.leParoleDeiCorsisti)
  await expectAccessible(page)
  await page.goto(`${fresh.origin}/eventi/passati`)
  await expectAccessible(page)
})

test('Back and a reload find a carousel where it was left', async ({ page, fresh }) => {
  test.slow()
  await fill(fresh.origin, page.request)
  await answerCookies(page)
  await page.goto(`${fresh.origin}/testimonianze`)
  const slides = page.getByRole('list', { name: italian.leParoleDeiCorsisti }).locator('> li')
  await slides.first().scrollIntoViewIfNeeded()
  const next = page.getByRole('button', { name: italian.successivo }).first()
  // Beyond the slides that the page contains.
  const left = slides.nth(14)
  const former = page.getByRole('button', { name: 'Precedente' }).first()
  await expect(async () => {
    // Regression of the test: a second press during the movement
    // skipped the slide on a busy machine, with no way back.
    const box = (await left.count()) > 0 ? await left.boundingBox() : null
    const isPast = box !== null && box.x < 0
    await (isPast ? former : next).click({ timeout: 1_000 })
    await expect(left).toBeInViewport({ ratio: 0.9, timeout: 500 })
  }).toPass()
  const expectAsLeft = async () => {
    await expect(left).toBeInViewport({ ratio: 0.9 })
    // The button responds once the slider script has started.
    await expect(next).toBeEnabled()
    await expect(left).toBeInViewport({ ratio: 0.9 })
  }
  await page.getByRole('link', { name: 'Tutte le testimonianze' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(italian.leParoleDeiCorsisti)
  await page.goBack()
  await expectAsLeft()
  await page.reload()
  await expectAsLeft()
})

/** Opens the blog with nine further articles, and waits until it is hydrated. */
async function openLongBlog(page: Page, origin: string) {
  const headers = { origin }
  await page.request.post(`${origin}/api/auth/login`, { data: account, headers })
  for (let number = 1; number <= 9; number += 1) {
    const data = { title: `Pagina ${number}`, slug: `pagina-${number}`, published: true }
    const answer = await page.request.post(`${origin}/api/admin/blog`, { data, headers })
    expect(answer.status()).toBe(201)
  }
  await answerCookies(page)
  await page.goto(`${origin}/blog`)
  await expect(page.locator('html[data-hydrated]')).toHaveCount(1)
  return {
    articles: page.getByRole('region', { name: 'Blog' }).getByRole('article'),
    more: page.getByRole('link', { name: 'Carica Altri Articoli' }),
  }
}

test('reading goes on with the first article that was loaded', async ({ page, fresh }) => {
  test.slow()
  const { articles, more } = await openLongBlog(page, fresh.origin)
  await more.click()
  await expect(articles).toHaveCount(12)
  await expect(articles.nth(6).getByRole('link')).toBeFocused()
  // The last part removes the pressed button.
  await more.click()
  await expect(articles).toHaveCount(15)
  await expect(more).toHaveCount(0)
  await expect(articles.nth(12).getByRole('link')).toBeFocused()
})

test('Back, Forward and a reload find the articles that were loaded', async ({ page, fresh }) => {
  test.slow()
  const { articles, more } = await openLongBlog(page, fresh.origin)
  for (const loaded of [12, 15]) {
    await more.click()
    await expect(articles).toHaveCount(loaded)
  }
  const tenth = articles.nth(9)
  await tenth.getByRole('link').click()
  await expect(page).toHaveURL(/\/blog\/.+/)
  const expectAsLeft = async () => {
    await expect(page).toHaveURL(/\/blog$/)
    await expect(articles).toHaveCount(15)
    await expect(tenth).toBeInViewport()
  }
  await page.goBack()
  await expectAsLeft()
  await page.goForward()
  // Waits for the rendered page, because the address changes earlier.
  await expect(articles).toHaveCount(0)
  await page.goBack()
  await expectAsLeft()
  await page.reload()
  await expectAsLeft()
})
