// Tests of printed pages: complete, dark on white, without fixed elements.

import { expect, pathOf, publicPages, test } from './test'

/** Contrast on white: `#1c1c1c` has 17. */
const CONTRAST_MIN = 7
/** Maximum height of an empty box. */
const VOID_MAX_PX = 60
/** A4 without its margins. */
const paper = { width: 672, height: 986 }

/** Returns the texts of the page, without those of controls. */
function wordsIn(): string[] {
  const all = [...document.querySelectorAll<HTMLElement>('main :is(h1, h2, h3, p, li, dt, dd, td)')]
  return all
    .filter((one) => one.closest('button, nav, dialog, [aria-hidden=true]') === null)
    .filter((one) => one.querySelector('button, h2, h3, p, li') === null)
    .filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .flatMap((one) => one.textContent?.trim() || [])
}

// Regressions: the header covered every sheet, cards that are links as a whole showed no address, the milestones
// overflowed the paper, and hidden decorative pictures left empty frames.
test('a printed page is dark on white, whole, and nothing on it floats', async ({ page, site }) => {
  await page.setViewportSize(paper)
  for (const name of publicPages) {
    const path = await pathOf(name, site)
    await page.emulateMedia({ media: 'screen' })
    await page.goto(site.origin + path)
    await expect(page.locator('html[data-hydrated]')).toHaveCount(1)
    const onScreen = await page.evaluate(wordsIn)
    await page.emulateMedia({ media: 'print' })
    const onPaper = new Set(await page.evaluate(wordsIn))
    expect(onScreen.length, path).toBeGreaterThan(8)
    expect(
      onScreen.filter((text) => !onPaper.has(text)),
      path,
    ).toEqual([])
    const seen = await page.evaluate((voidMax) => {
      const luminance = (color: string) => {
        const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map((part) => {
          const value = Number(part) / 255
          return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
        })
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
      }
      const shown = [...document.querySelectorAll<HTMLElement>('body *')].filter((element) =>
        element.checkVisibility({ visibilityProperty: true }),
      )
      const hasWords = (element: Element) =>
        [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim())
      const hasPicture = (element: Element) =>
        [element, ...element.querySelectorAll('img, svg')].some(
          (one) => one.matches('img, svg') && one.checkVisibility(),
        )
      const styles = shown.map((element) => ({ element, style: getComputedStyle(element) }))
      return {
        floats: styles
          .filter(({ style }) => ['fixed', 'sticky'].includes(style.position))
          .map(({ element }) => element.outerHTML.slice(0, 120)),
        contrasts: styles
          .filter(({ element }) => hasWords(element))
          .map(({ style }) => 1.05 / (luminance(style.color) + 0.05)),
        grounds: styles.filter(
          ({ style }) =>
            style.backgroundImage !== 'none' || !style.backgroundColor.endsWith(', 0)'),
        ).length,
        voids: styles
          .filter(({ element }) => element.matches('main :is(a, div, figure, span)'))
          .filter(({ element }) => element.textContent?.trim() === '' && !hasPicture(element))
          .filter(({ element }) => element.getBoundingClientRect().height > voidMax)
          .map(({ element }) => element.outerHTML.slice(0, 120)),
        cut: styles
          .filter(({ element }) => hasWords(element))
          .filter(({ element }) => element.getBoundingClientRect().right > innerWidth + 1)
          .map(({ element }) => element.textContent?.slice(0, 60)),
      }
    }, VOID_MAX_PX)
    expect(seen.voids, path).toEqual([])
    expect(seen.floats, path).toEqual([])
    expect(seen.contrasts.length, path).toBeGreaterThan(10)
    expect(Math.min(...seen.contrasts), path).toBeGreaterThanOrEqual(CONTRAST_MIN)
    expect(seen.grounds, path).toBe(0)
    expect(seen.cut, path).toEqual([])
  }
})

// Regression: a long testimonial was cut after its eighth line, and paper has no button to expand it.
test('a long testimonial is whole on paper', async ({ page, site }) => {
  await page.setViewportSize(paper)
  await page.goto(`${site.origin}/testimonianze`)
  const quote = page.locator('main blockquote').first()
  const isWhole = () => quote.evaluate((one) => one.scrollHeight <= one.clientHeight + 1)
  // Imitates a card with a long text.
  await quote.evaluate((one) => {
    one.textContent = 'Una riga di parole che si ripete. '.repeat(60)
    one.classList.add(clampedClass())
    function clampedClass() {
      for (const sheet of document.styleSheets)
        for (const rule of sheet.cssRules)
          if (rule instanceof CSSStyleRule && rule.style.webkitLineClamp === '8')
            return rule.selectorText.slice(1)
      throw new Error('no rule cuts long words')
    }
  })
  expect(await isWhole()).toBe(false)
  await page.emulateMedia({ media: 'print' })
  expect(await isWhole()).toBe(true)
})

test('answers and prices are whole on paper, and contacts carry their address', async ({
  page,
  site,
}) => {
  await page.setViewportSize(paper)
  await page.emulateMedia({ media: 'print' })
  await page.goto(`${site.origin}/contatti`)
  const answers = page.locator('main details:not([open]) > :not(summary)')
  expect(await answers.count()).toBeGreaterThan(4)
  for (const answer of await answers.all()) {
    // The content of a closed details element keeps its height, so its box alone does not show whether it is visible.
    const isSeen = await answer.evaluate((element) => {
      const { bottom } = element.getBoundingClientRect()
      const next = element.closest('details')?.nextElementSibling?.getBoundingClientRect()
      return element.checkVisibility() && (next === undefined || bottom <= next.top + 1)
    })
    expect(isSeen, (await answer.textContent()) ?? '').toBe(true)
  }
  for (const start of ['tel:', 'mailto:']) {
    const link = page.locator(`main a[href^="${start}"]`).first()
    const [href, said] = [await link.getAttribute('href'), await link.textContent()]
    const spelled = start === 'tel:' ? said?.replace(/[^\d+]/g, '') : said
    expect(spelled).toBe(href?.slice(start.length))
  }
  const message = page.locator('main li[data-paper^="wa.me/"]')
  const printed = await message.evaluate((one) => getComputedStyle(one, '::after').content)
  expect(printed).toMatch(/wa\.me\/\d+/)
  await page.goto(`${site.origin}/rebirthing`)
  const back = page.getByRole('heading', { name: 'Che cosa portano a casa' })
  await expect(back).toBeVisible()
  await expect(back.locator('xpath=..').getByRole('listitem').first()).toBeVisible()
  await page.goto(`${site.origin}/`)
  await expect(page.getByRole('heading', { name: 'Benefici mentali' })).toBeVisible()
  await page.goto(`${site.origin}/servizi`)
  for (const price of ['95 €', '270 €', '1.200 €'])
    await expect(page.getByRole('main').getByText(price).first()).toBeVisible()
  // A page break must not split a card.
  const split = await page
    .locator('main article:not(main > article), main li, main figure, main blockquote')
    .evaluateAll((all) => all.filter((one) => getComputedStyle(one).breakInside !== 'avoid').length)
  expect(split).toBe(0)
  // An article longer than a sheet begins on the first one.
  await page.goto(`${site.origin}/privacy`)
  const text = page.locator('main article').first()
  expect(await text.evaluate((one) => getComputedStyle(one).breakInside)).toBe('auto')
})
