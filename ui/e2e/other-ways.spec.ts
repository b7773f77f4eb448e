// Tests of the site with the keyboard, with touch, and with forced colours.

import type { Locator, Page } from '@playwright/test'
import { italian } from './italian'
import { expect, expectAccessible, pathOf, publicPages, test } from './test'

async function open(page: Page, url: string) {
  await page.goto(url)
  await expect(page.locator('html[data-hydrated]')).toHaveCount(1)
}

const dialogs = [
  { path: '/', opener: 'Scopri i benefici FISICI', dialog: 'Benefici fisici', items: 10 },
  { path: '/', opener: 'Scopri i benefici MENTALI', dialog: 'Benefici mentali', items: 9 },
  { path: '/testimonianze', opener: /^Ingrandisci/, dialog: 'Immagine ingrandita' },
  { path: '/eventi', opener: 'Preferenze cookie', dialog: 'Preferenze cookie' },
  { path: '/contatti', opener: 'Apri il menu', dialog: 'Menu', items: 6, width: 375 },
] as const

for (const { path, opener: name, dialog: title, ...rest } of dialogs) {
  test(`keys alone open, keep to and leave the dialog "${title}"`, async ({ page, site }) => {
    await page.setViewportSize({ width: 'width' in rest ? rest.width : 1280, height: 800 })
    await open(page, site.origin + path)
    await page.getByRole('button', { name: italian.soloNecessari }).press('Enter')
    const opener = page.getByRole('button', { name }).or(page.getByRole('link', { name })).first()
    await opener.press('Enter')
    const dialog = page.getByRole('dialog', { name: title })
    await expect(dialog).toBeVisible()
    if ('items' in rest) await expect(dialog.getByRole('listitem')).toHaveCount(rest.items)
    for (let step = 0; step < 12; step += 1) {
      // Between the last control and the first one the focus is in
      // the browser's own UI, and activeElement is the body.
      const isKept = await dialog.evaluate(
        (element) =>
          element.contains(document.activeElement) || document.activeElement === document.body,
      )
      expect(isKept, `after ${step} steps`).toBe(true)
      await page.keyboard.press('Tab')
    }
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(opener).toBeFocused()
  })
}

test('cards turn, questions open and carousels move by keys alone', async ({ page, site }) => {
  await open(page, `${site.origin}/rebirthing`)
  const back = page.getByText(italian.pauseBreviCheLascianoIlSegno)
  await page.getByRole('button', { name: italian.mostraIBeneficiPerLePersone }).press('Enter')
  await expect(back).toBeVisible()
  await page.getByRole('button', { name: italian.tornaAlTitoloPerLePersone }).press('Space')
  await expect(back).toBeHidden()
  await open(page, `${site.origin}/contatti`)
  const question = page.locator('summary').filter({ hasText: italian.eUnaTerapia })
  await question.press('Enter')
  await expect(page.locator('details[open]')).toHaveCount(1)
  await question.press('Space')
  await expect(page.locator('details[open]')).toHaveCount(0)
  await open(page, `${site.origin}/testimonianze`)
  const strip = page.getByRole('list', { name: italian.galleriaFotografica })
  const isInView = (nth: number) =>
    strip
      .getByRole('listitem')
      .nth(nth)
      .evaluate((slide) => {
        const { left, right } = slide.getBoundingClientRect()
        return left > -20 && right < innerWidth + 20
      })
  await strip.press('ArrowRight')
  await expect.poll(() => isInView(0)).toBe(false)
  await strip.press('ArrowLeft')
  await expect.poll(() => isInView(0)).toBe(true)
  // The strip scrolls a focused element into view.
  await strip.getByRole('listitem').nth(7).getByRole('link').focus()
  await expect.poll(() => isInView(7)).toBe(true)
})

/** In the page: contrast ratios (1 to 21) of the selected elements to the background of the forced colours. */
function contrasts([selector, property]: readonly [string, string]) {
  const luminance = (colour: string) => {
    const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((channel) => {
      const share = Number(channel) / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const ground = luminance(getComputedStyle(document.body).backgroundColor)
  return [...document.querySelectorAll(selector)]
    .filter((element) => element.checkVisibility())
    .map((element) => {
      const style = getComputedStyle(element)
      const light = luminance(style.getPropertyValue(property))
      return (Math.max(light, ground) + 0.05) / (Math.min(light, ground) + 0.05)
    })
}

test('where the system forces its colours, everything that matters is still seen', async ({
  page,
  site,
}) => {
  await page.emulateMedia({
    forcedColors: 'active',
    colorScheme: 'dark',
    reducedMotion: 'reduce',
  })
  await open(page, site.origin)
  await page.getByRole('button', { name: italian.soloNecessari }).click()
  for (const name of publicPages) {
    await page.goto(site.origin + (await pathOf(name, site)))
    // Regression: an icon that kept a colour of the page was invisible on the black of the system.
    const icons = await page.evaluate(contrasts, ["svg[stroke='currentColor']", 'color'] as const)
    expect(icons.length, name).toBeGreaterThan(0)
    expect(Math.min(...icons), `icons of ${name}`).toBeGreaterThan(4.5)
  }
  await open(page, `${site.origin}/testimonianze`)
  const edge = (of: Locator, property: string) =>
    of.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
  // Forced colours draw every border, so the current page needs a different width.
  const navigation = page.getByRole('banner')
  const current = navigation.getByRole('link', { name: 'Testimonianze' })
  const other = navigation.getByRole('link', { name: italian.eventi })
  expect(await edge(current, 'border-bottom-width')).not.toBe(
    await edge(other, 'border-bottom-width'),
  )
  const controls = [
    page.getByRole('button', { name: italian.successivo }).first(),
    page.getByRole('link', { name: 'Contattami' }),
    page.getByRole('link', { name: /^Scrivimi su WhatsApp/ }),
  ]
  for (const control of controls) {
    expect(await edge(control, 'border-top-style')).toBe('solid')
    expect(Number.parseFloat(await edge(control, 'border-top-width'))).toBeGreaterThanOrEqual(1)
  }
  await page.getByRole('list', { name: italian.galleriaFotografica }).focus()
  await page.keyboard.press('Tab')
  const focused = page.locator(':focus')
  await expect(focused).toHaveAttribute('aria-label', /^Ingrandisci/)
  expect(await edge(focused, 'outline-style')).toBe('solid')
  expect(Number.parseFloat(await edge(focused, 'outline-width'))).toBeGreaterThanOrEqual(2)
  await page.setViewportSize({ width: 375, height: 800 })
  const dots = page.getByRole('group', { name: /Galleria Fotografica/ }).getByRole('button')
  const breadth = (nth: number) =>
    dots.nth(nth).evaluate((dot) => {
      const mark = getComputedStyle(dot, '::before')
      return mark.borderTopStyle === 'solid' ? Number.parseFloat(mark.width) : 0
    })
  expect(await breadth(1)).toBeGreaterThan(0)
  expect(await breadth(0)).toBeGreaterThan(2 * (await breadth(1)))
})
