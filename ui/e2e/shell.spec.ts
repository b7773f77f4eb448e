// Tests of the frame around every page, and of the pictures of the testimonials.

import { italian } from './italian'
import { answerCookies, expect, expectAccessible, test } from './test'

test('the cookie banner is answered once, and reopens from the footer', async ({ page, site }) => {
  await page.goto(`${site.origin}/eventi`)
  await page.getByRole('button', { name: italian.personalizza }).click()
  const dialog = page.getByRole('dialog', { name: italian.preferenzeCookie })
  await dialog.getByLabel('Autorizza i cookie di analisi').check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Salva preferenze' }).click()
  await expect(dialog).toHaveCount(0)
  const stored = await page.evaluate(() => localStorage.getItem('cookie-consent'))
  expect(JSON.parse(stored ?? '')).toMatchObject({
    necessary: true,
    analytics: true,
    marketing: false,
  })
  // Waits for the history.back() of the closed dialog, which would abort a reload.
  await expect.poll(() => page.evaluate(() => history.state?.layer ?? 0)).toBe(0)
  await page.reload()
  await expect(page.locator('html[data-hydrated]')).toHaveCount(1)
  await expect(page.getByRole('button', { name: italian.accettaTutti })).toHaveCount(0)
  await page.getByRole('button', { name: italian.preferenzeCookie }).click()
  await expect(page.getByLabel('Autorizza i cookie di analisi')).toBeChecked()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: italian.preferenzeCookie })).toBeFocused()
})

test('a picture opens over the page, wraps around and gives the focus back', async ({
  page,
  site,
}) => {
  await page.goto(`${site.origin}/testimonianze`)
  await expect(page.locator('html[data-hydrated]')).toHaveCount(1)
  const opener = page.getByRole('link', { name: /Ingrandisci/ }).first()
  await opener.click()
  const dialog = page.getByRole('dialog', { name: italian.immagineIngrandita })
  await expect(dialog.getByText('1 / 9')).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(dialog.getByText('9 / 9')).toBeVisible()
  await dialog.getByRole('button', { name: 'Immagine successiva' }).click()
  await expect(dialog.getByText('1 / 9')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(opener).toBeFocused()
})

test('a carousel stops at both ends', async ({ page, site }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`${site.origin}/testimonianze`)
  const previous = page.getByRole('button', { name: 'Precedente' }).first()
  const next = page.getByRole('button', { name: italian.successivo }).first()
  await expect(next).toBeEnabled()
  await expect(previous).toBeDisabled()
  for (let slide = 0; slide < 5; slide += 1) await next.click()
  await expect(next).toBeDisabled()
  await expect(previous).toBeEnabled()
})

const viewsByList = {
  'Le parole dei corsisti': [1, 2, 3],
  'Galleria Fotografica': [1, 2, 4],
  'Ringraziamenti Speciali': [1, 2, 2],
  'Parlano di noi': [1, 2, 3],
}

test('carousels show as many slides as the screen is wide for, before and after the slider', async ({
  page,
  site,
}) => {
  await page.goto(`${site.origin}/testimonianze`)
  const strips = Object.keys(viewsByList).map((name) => page.getByRole('list', { name }))
  const views = () =>
    Promise.all(
      strips.map((strip) =>
        strip.evaluate((list) => {
          const slide = list.children[0]?.getBoundingClientRect().width ?? Number.NaN
          return Number((list.getBoundingClientRect().width / slide).toFixed(1))
        }),
      ),
    )
  for (const isLive of [false, true]) {
    for (const strip of isLive ? strips : []) {
      await strip.scrollIntoViewIfNeeded()
      await expect(strip).toHaveAttribute('data-live')
    }
    // In one step from narrow to wide, as on rotation. Regression: the slider kept its former measurements.
    for (const [nth, width] of [375, 768, 1024].entries()) {
      await page.setViewportSize({ width, height: 800 })
      await expect.poll(views).toEqual(Object.values(viewsByList).map((counts) => counts[nth]))
    }
  }
})

test('the drawer leads to a page and closes', async ({ page, site }) => {
  await page.setViewportSize({ width: 375, height: 800 })
  await page.goto(`${site.origin}/eventi`)
  await page.getByRole('button', { name: italian.soloNecessari }).click()
  await page.getByRole('button', { name: italian.apriIlMenu }).click()
  const drawer = page.getByRole('dialog', { name: italian.menu })
  await drawer.getByRole('link', { name: italian.contatti }).click()
  await expect(page).toHaveURL(`${site.origin}/contatti`)
  await expect(drawer).toBeHidden()
  await expect(page.getByRole('main')).toBeFocused()
})

test('the messaging button makes way on a phone while one reads on', async ({ page, site }) => {
  await page.setViewportSize({ width: 375, height: 800 })
  await page.goto(`${site.origin}/rebirthing`)
  await page.getByRole('button', { name: italian.soloNecessari }).click()
  const button = page.getByRole('link', { name: /WhatsApp/ }).last()
  await expect(button).toBeInViewport()
  await page.mouse.wheel(0, 900)
  await expect(button).toBeHidden()
  await page.mouse.wheel(0, -200)
  await expect(button).toBeInViewport()
})

// Regression: over words the round button stood half outside of the window, with half of its sign.
test('over words the messaging button of a phone is a tab inside the window, with its whole sign', async ({
  page,
  site,
}) => {
  await answerCookies(page)
  await page.setViewportSize({ width: 390, height: 844 })
  for (const path of ['/terms', '/servizi', '/blog']) {
    await page.goto(site.origin + path)
    const button = page.getByRole('link', { name: /WhatsApp/ }).last()
    const marginPx = 20
    await expect(button).toHaveCSS('clip-path', new RegExp(`100% - ${marginPx}px`))
    for (const part of [button, button.locator('svg')]) {
      const edges = async () => {
        const box = await part.boundingBox()
        return box === null ? null : Math.ceil(box.x + box.width)
      }
      await expect.poll(edges, { message: path }).toBeLessThanOrEqual(390)
    }
    const left = async () => (await button.locator('svg').boundingBox())?.x
    await expect.poll(left, { message: path }).toBeGreaterThan(390 - marginPx)
  }
})

test("the milestones' buttons say where nothing more comes", async ({ page, site }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(`${site.origin}/chi-sono`)
  await expect(page.locator('html[data-hydrated]')).toHaveCount(1)
  const previous = page.getByRole('button', { name: italian.tappePrecedenti })
  const next = page.getByRole('button', { name: italian.tappeSuccessive })
  await expect(previous).toBeDisabled()
  await next.click()
  await expect(previous).toBeEnabled()
  for (let step = 0; step < 8; step += 1) await next.click({ force: true })
  await expect(next).toBeDisabled()
  await previous.click()
  await expect(next).toBeEnabled()
})

test('buttons that do the same thing have one colour', async ({ page, site }) => {
  await page.goto(`${site.origin}/servizi`)
  const colours = await page.evaluate(() =>
    [...document.querySelectorAll('article a[href^="/contatti"]')].map(
      (link) => getComputedStyle(link).backgroundColor,
    ),
  )
  expect(colours.length).toBeGreaterThanOrEqual(6)
  expect(new Set(colours.slice(0, 6)).size).toBe(1)
})
