// Tests of the cookie banner: it is small, covers nothing important, and returns the focus.

import type { Page } from '@playwright/test'
import { fillWithHardContent } from './hard-content'
import { italian } from './italian'
import { withMotion } from './motion'
import { expect, expectAccessible, test } from './test'

test.use(withMotion)

const banner = (page: Page) => page.getByRole('region', { name: 'Informativa breve sui cookie' })

for (const leave of ['Escape', 'Annulla']) {
  test(`leaving the preferences by ${leave} gives the focus back`, async ({ page, site }) => {
    await page.goto(site.origin)
    const dialog = page.getByRole('dialog', { name: italian.preferenzeCookie })
    const out = async () => {
      if (leave === 'Escape') await page.keyboard.press('Escape')
      else await dialog.getByRole('button', { name: leave }).click()
      await expect(dialog).toHaveCount(0)
    }
    const customize = page.getByRole('button', { name: italian.personalizza })
    await customize.click()
    await expect(dialog).toBeVisible()
    await out()
    await expect(customize).toBeFocused()
    await page.getByRole('button', { name: italian.soloNecessari }).click()
    await expect(banner(page)).toHaveCount(0)
    await expect(page.getByRole('main')).toBeFocused()
    const reopen = page
      .getByRole('contentinfo')
      .getByRole('button', { name: italian.preferenzeCookie })
    await reopen.click()
    await expect(dialog).toBeVisible()
    await out()
    await expect(reopen).toBeFocused()
  })
}

test('the first choice made in the preferences leads on to the page', async ({ page, site }) => {
  await page.goto(site.origin)
  await page.getByRole('button', { name: italian.personalizza }).click()
  const dialog = page.getByRole('dialog', { name: italian.preferenzeCookie })
  await dialog.getByRole('button', { name: 'Salva preferenze' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(banner(page)).toHaveCount(0)
  await expect(page.getByRole('main')).toBeFocused()
  const reopen = page
    .getByRole('contentinfo')
    .getByRole('button', { name: italian.preferenzeCookie })
  await reopen.click()
  await dialog.getByRole('button', { name: 'Salva preferenze' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(reopen).toBeFocused()
})

/** Returns the elements that the banner covers in part. */
function covered(page: Page, selector: string): Promise<string[]> {
  return page.evaluate((wanted) => {
    const layer = document.querySelector('section[aria-label="Informativa breve sui cookie"] > div')
    const over = layer?.getBoundingClientRect()
    if (over === undefined) throw new Error('no banner')
    return [...document.querySelectorAll(wanted)]
      .filter((element) => {
        const box = element.getBoundingClientRect()
        const beside = box.right <= over.left || box.left >= over.right
        return !beside && box.bottom > over.top && box.top < over.bottom
      })
      .map((element) => element.getAttribute('aria-label') ?? element.tagName)
  }, selector)
}

for (const [width, height] of [
  [375, 667],
  [360, 640],
  [768, 1024],
  [1280, 800],
  [1440, 900],
] as const) {
  test(`at ${width} x ${height} the banner covers no title, button or focus`, async ({
    page,
    site,
  }) => {
    await page.setViewportSize({ width, height })
    await page.goto(site.origin)
    await expect(banner(page)).toBeVisible()
    const box = await banner(page).locator('> div').boundingBox()
    expect(box?.height ?? 999).toBeLessThanOrEqual(width < 375 ? 200 : 180)
    expect(await covered(page, 'main h1')).toEqual([])
    if (height >= 667) await expectFirstButtonAbove(page)
    // Regression: focused dots were hidden under the banner (WCAG 2.4.11).
    for (const dot of await page.getByRole('button', { name: /^Mostra l’immagine/ }).all()) {
      await dot.focus()
      expect(await covered(page, ':focus')).toEqual([])
    }
    await expectAccessible(page)
  })
}

/**
 * Expects that the first button is completely above the banner. Regression: on a phone 667 px high the banner covered
 * its lower half. On smaller phones text fills the view.
 */
async function expectFirstButtonAbove(page: Page) {
  const first = page.locator('main section').first().getByRole('link').first()
  const button = await first.boundingBox()
  const over = await banner(page).locator('> div').boundingBox()
  if (button === null || over === null) throw new Error('no button or no banner')
  expect(button.y).toBeGreaterThan(0)
  expect(button.y + button.height).toBeLessThanOrEqual(over.y)
}

test('under a long name and two long towns the first button stands above it too', async ({
  page,
  fresh,
}) => {
  test.slow()
  await fillWithHardContent(fresh.origin)
  for (const [width, height] of [
    [375, 667],
    [390, 844],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto(fresh.origin)
    await expect(banner(page)).toBeVisible()
    await expectFirstButtonAbove(page)
  }
  // Regression: the banner covered the title of an event, because the picture came before the text.
  await page.setViewportSize({ width: 375, height: 667 })
  for (const { id, title } of await (await fetch(`${fresh.origin}/api/events`)).json()) {
    await page.goto(`${fresh.origin}/evento/${id}`)
    await expect(banner(page)).toBeVisible()
    expect(await covered(page, 'main h1'), title).toEqual([])
  }
})

test('the two answers weigh the same and the link to the policy stands in the sentence', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 375, height: 667 })
  await page.goto(site.origin)
  const size = async (name: string) => {
    const button = page.getByRole('button', { name })
    const box = await button.boundingBox()
    const colours = await button.evaluate((element) => {
      const { backgroundColor, color, fontSize } = getComputedStyle(element)
      return [backgroundColor, color, fontSize]
    })
    return [Math.round(box?.width ?? 0), Math.round(box?.height ?? 0), ...colours]
  }
  expect(await size('Solo Necessari')).toEqual(await size('Accetta Tutti'))
  const sentence = banner(page).getByRole('paragraph').first()
  await expect(sentence).toContainText('se chiudi restano i tecnici.')
  await expect(sentence.getByRole('link', { name: 'Cookie Policy' })).toHaveAttribute(
    'href',
    '/cookies',
  )
})
