// Tests a site with realistic difficult content: faces are not cut, nothing overflows, no card has a gap.

import type { Page } from '@playwright/test'
import { typeset } from '../src/lib/typography'
import { settledMs } from '../src/site/layout/use-fab-space'
import { fillWithHardContent, hardContent } from './hard-content'
import { italian } from './italian'
import type { Program } from './program'
import { answerCookies, test as base, expect, expectAccessible, pathOf, publicPages } from './test'

const test = base.extend<object, { hard: Program }>({
  hard: [
    async ({ site }, use) => {
      await fillWithHardContent(site.origin)
      await use(site)
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})

const widths = [1440, 1024, 768, 375]

/**
 * Position of the face in `portrait-tall.jpg`, from hairline to chin and from ear to ear, as fractions of the picture.
 */
const face = { left: 0.3, right: 0.68, top: 0.12, bottom: 0.36 }
const tallRatio = 900 / 1536

async function open(page: Page, hard: Program, name: string, width: number) {
  await page.setViewportSize({ width, height: width < 500 ? 812 : 900 })
  await page.goto(hard.origin + (await pathOf(name, hard)))
  await page.evaluate(async () => {
    for (const image of document.images) image.loading = 'eager'
    await Promise.all([...document.images].map((image) => image.decode().catch(() => null)))
  })
}

async function eventPath(hard: Program, title: string): Promise<string> {
  const events = await (await fetch(`${hard.origin}/api/events`)).json()
  return `/evento/${events.find((event: { title: string }) => event.title.startsWith(title)).id}`
}

test('the face of a tall portrait is whole wherever it stands', async ({ page, hard }) => {
  test.slow()
  const pages = [...publicPages, await eventPath(hard, 'Ritiro')]
  let seen = 0
  for (const width of widths)
    for (const name of pages) {
      await open(page, hard, name, width)
      const cut = await page.locator('main img[sizes]').evaluateAll(
        (images, [ratio, part]) =>
          (images as HTMLImageElement[]).flatMap((image) => {
            const own = Number(image.getAttribute('width')) / Number(image.getAttribute('height'))
            const { width, height } = image.getBoundingClientRect()
            if (Math.abs(own - ratio) > 0.01 || width === 0) return []
            const style = getComputedStyle(image)
            const [x = 50, y = 50] = style.objectPosition.split(' ').map(Number.parseFloat)
            const covers = style.objectFit === 'cover'
            const across = covers ? Math.min(1, width / height / own) : 1
            const down = covers ? Math.min(1, own / (width / height)) : 1
            const left = ((1 - across) * x) / 100
            const top = ((1 - down) * y) / 100
            return [
              left <= part.left &&
                left + across >= part.right &&
                top <= part.top &&
                top + down >= part.bottom,
            ]
          }),
        [tallRatio, face] as const,
      )
      seen += cut.length
      expect(cut, `${name} at ${width}`).not.toContain(false)
    }
  expect(seen).toBeGreaterThan(20)
})

test('no picture is drawn at more than twice its pixels, the lightbox included', async ({
  page,
  hard,
}) => {
  test.slow()
  const largest = (page: Page) =>
    page.locator('img[sizes]').evaluateAll((images) =>
      (images as HTMLImageElement[]).map((image) => {
        const [own, tall] = [
          Number(image.getAttribute('width')),
          Number(image.getAttribute('height')),
        ]
        // Layout sizes: for a second after the pointer has left a card its picture is scaled up.
        const { offsetWidth: width, offsetHeight: height } = image
        return Math.round(Math.max(width / own, height / tall) * 100) / 100
      }),
    )
  // Regression: at 1920 px, the most common desktop width, the home page scaled a picture up further.
  for (const width of [1920, ...widths])
    for (const name of publicPages) {
      await open(page, hard, name, width)
      for (const scale of await largest(page))
        expect(scale, `${name} at ${width}`).toBeLessThanOrEqual(2.01)
    }
  await open(page, hard, '/testimonianze', 1440)
  await page.getByRole('link', { name: 'La pausa' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  for (const scale of await largest(page)) expect(scale).toBeLessThanOrEqual(2.01)
})

test('nothing overflows, and letters and clippings are not cropped', async ({ page, hard }) => {
  test.slow()
  for (const width of [...widths, 360])
    for (const name of [...publicPages, await eventPath(hard, 'Ritiro')]) {
      await open(page, hard, name, width)
      const wider = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(wider, `${name} at ${width}`).toBeLessThanOrEqual(0)
      // Regression: beside a long address the place icon was squeezed to a dot.
      const squeezed = await page
        .locator("main svg[width='1em']")
        .evaluateAll((icons) =>
          icons
            .map((icon) => [
              icon.getBoundingClientRect().width,
              Number.parseFloat(getComputedStyle(icon).fontSize),
            ])
            .filter(([drawn = 0, asked = 0]) => drawn > 0 && drawn < asked * 0.8),
        )
      expect(squeezed, `${name} at ${width}`).toEqual([])
    }
  await open(page, hard, '/testimonianze', 1440)
  for (const label of ['Ringraziamenti Speciali', 'Parlano di noi'])
    for (const fit of await page
      .getByRole('list', { name: label })
      .locator('img[sizes]')
      .evaluateAll((images) => images.map((image) => getComputedStyle(image).objectFit)))
      expect(fit).not.toBe('cover')
})

/** In pixels; a larger gap in a card looks like missing content. */
const emptyMax = 120

test('no card has a hole', async ({ page, hard }) => {
  test.slow()
  let seen = 0
  for (const width of widths)
    for (const name of [...publicPages, await eventPath(hard, 'Ritiro')]) {
      await open(page, hard, name, width)
      const cards = await page.evaluate(() => {
        const range = document.createRange()
        /** Returns the boxes of visible content: lines of text, pictures, controls. */
        const contents = (card: Element) => {
          const walker = document.createTreeWalker(card, NodeFilter.SHOW_ALL)
          const boxes: DOMRect[] = []
          for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
            if (node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim()) {
              range.selectNodeContents(node)
              boxes.push(...range.getClientRects())
            } else if (node instanceof Element && node.matches('img, svg, a, button, input, hr'))
              boxes.push(node.getBoundingClientRect())
          }
          return boxes
        }
        const isCard = (element: Element) => {
          const { backgroundColor, boxShadow, borderTopWidth } = getComputedStyle(element)
          const painted = !/, 0\)$|transparent/.test(backgroundColor)
          return painted || boxShadow !== 'none' || borderTopWidth !== '0px'
        }
        const turns = (element: Element) =>
          element.closest('[aria-hidden="true"], [hidden], details:not([open])') !== null
        return [...document.querySelectorAll('main :is(article, figure, li, li > *)')]
          .filter(
            (card) => isCard(card) && !turns(card) && card.getBoundingClientRect().height > 40,
          )
          .map((card) => {
            const { top, bottom, left, right } = card.getBoundingClientRect()
            const boxes = contents(card)
              .filter(
                (box) => box.width > 0 && box.right > left && box.left < right && box.top < bottom,
              )
              .sort((a, b) => a.top - b.top)
            let reached = top
            let hole = 0
            for (const box of boxes) {
              hole = Math.max(hole, box.top - reached)
              reached = Math.max(reached, Math.min(box.bottom, bottom))
            }
            return {
              hole: Math.round(Math.max(hole, bottom - reached)),
              of: card.textContent?.trim().slice(0, 40),
            }
          })
      })
      seen += cards.length
      const holes = cards.filter(({ hole }) => hole > emptyMax)
      expect(holes, `${name} at ${width}`).toEqual([])
    }
  expect(seen).toBeGreaterThan(100)
})

/** Scrolls, and waits until the button has measured the page at rest and has moved. */
function comeToRest({ top, restMs }: { top: number; restMs: number }): Promise<void> {
  const frame = () => new Promise((next) => requestAnimationFrame(next))
  return new Promise((done) => {
    const rest = () =>
      setTimeout(
        () =>
          frame()
            .then(frame)
            .then(() => done()),
        // Set after the button's own timer of the same length, so it fires after it.
        restMs,
      )
    const before = scrollY
    scrollTo({ top, behavior: 'instant' })
    if (scrollY === before) rest()
    else addEventListener('scroll', rest, { once: true })
  })
}

test('a card with a title alone, or a small picture, keeps its shape beside a long one', async ({
  page,
  hard,
}) => {
  await open(page, hard, '/eventi', 1440)
  const card = (title: RegExp | string) =>
    page.getByRole('article').filter({ has: page.getByRole('heading', { name: title }) })
  const height = async (title: RegExp | string) => (await card(title).boundingBox())?.height ?? 0
  expect(await height(/^Ritiro/)).toBeGreaterThan(600)
  for (const title of ['Online', 'Serata introduttiva']) {
    const picture = await card(title).locator('> div').first().boundingBox()
    expect(picture?.height, title).toBeLessThan(picture?.width ?? 0)
  }
})

// Regression: in Firefox the last word and its icon wrapped although
// there was room; a newer Chromium broke the line elsewhere.
test('the icon of a link stays beside its last word at every width', async ({ page, hard }) => {
  await open(page, hard, '/', 768)
  const link = page.getByRole('link', { name: 'Scopri le proposte per le aziende' })
  const faults = await link.evaluate((link) => {
    const icon = link.querySelector('svg') as SVGElement
    const box = document.createElement('div')
    box.style.cssText = 'position: fixed; inset: 0 auto auto 0'
    box.append(link)
    document.body.append(box)
    const text = document.createRange()
    text.selectNodeContents(link.firstChild as Node)
    const found: string[] = []
    const check = (name: string, isWrong: boolean) => {
      if (isWrong) found.push(`${box.style.inlineSize}: ${name}`)
    }
    const lines = () => [...text.getClientRects()].filter(({ width }) => width > 0)
    box.style.inlineSize = 'max-content'
    check('more than one line where all words fit', lines().length !== 1)
    const widest = Math.ceil(box.getBoundingClientRect().width)
    for (let width = 140; width <= widest + 2; width += 1) {
      box.style.inlineSize = `${width}px`
      const last = lines().at(-1) as DOMRect
      const sign = icon.getBoundingClientRect()
      check(
        'the icon is not on the last line',
        sign.top < last.top || sign.bottom > last.bottom + 4,
      )
      const gap = sign.left - last.right
      check(`${gap} px between word and icon`, gap <= 0 || gap >= 16)
      check('the icon is outside', sign.right > box.getBoundingClientRect().right + 1)
      check('two lines where one fits', width >= widest && lines().length > 1)
    }
    return found
  })
  expect(faults).toEqual([])
})

// Needs `text-wrap: balance` (Chromium 114 and newer).
test('a long brand is balanced in the footer, without a single word on its last line', async ({
  page,
  hard,
}) => {
  await open(page, hard, '/', 1024)
  const brand = page.getByRole('contentinfo').getByRole('link', { name: 'Maria Addolorata' })
  const words = await brand.evaluate((link) => {
    const text = link.firstChild as Text
    const range = document.createRange()
    const perLine = new Map<number, number>()
    // Wide enough for all words but the last one.
    const natural = document.createElement('span')
    natural.style.cssText = 'position: absolute; inline-size: max-content'
    natural.textContent = text.data.trim().split(/\s+/).slice(0, -1).join(' ')
    link.append(natural)
    const width = natural.getBoundingClientRect().width
    natural.remove()
    const box = link as HTMLElement
    box.style.cssText = `display: block; max-inline-size: none; inline-size: ${Math.ceil(width) + 2}px`
    for (const { 0: word, index } of text.data.matchAll(/\S+/g)) {
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      const top = Math.round(range.getBoundingClientRect().top)
      perLine.set(top, (perLine.get(top) ?? 0) + 1)
    }
    return [...perLine.values()]
  })
  expect(words.length).toBeGreaterThan(1)
  expect(Math.min(...words)).toBeGreaterThan(1)
})

test('round an opening picture of 600 pixels nothing is enlarged to blocks', async ({
  page,
  hard,
}) => {
  await open(page, hard, '/', 1440)
  const ground = page.locator('main [data-small] img[aria-hidden]').first()
  await expect(ground).toHaveCSS('filter', /blur/)
  await expect(ground).not.toHaveCSS('opacity', '1')
})

test('the messaging button covers no words where a page comes to rest on a phone', async ({
  page,
  hard,
}) => {
  test.slow()
  await page.addInitScript(() => localStorage.clear())
  for (const name of [...publicPages, await eventPath(hard, 'Ritiro')]) {
    await open(page, hard, name, 375)
    const refuse = page.getByRole('button', { name: italian.soloNecessari })
    if (await refuse.isVisible()) await refuse.click()
    await expect(page.locator('html[data-hydrated]')).toHaveCount(1)
    const tall = await page.evaluate(() => document.documentElement.scrollHeight)
    // Scrolls upwards, because the button is hidden while scrolling down.
    for (let top = tall; top > -700; top -= 700) {
      await page.evaluate(comeToRest, { top: Math.max(0, top), restMs: settledMs })
      const covered = () =>
        page.evaluate(() => {
          const button = document.querySelector('aside > a[href*="wa.me"]')
          if (button === null || getComputedStyle(button).visibility === 'hidden') return []
          const { right, top, bottom } = button.getBoundingClientRect()
          // The button is clipped to its round icon, or to a tab in the margin.
          const { clipPath } = getComputedStyle(button)
          const shownPx = Number(/100% - ([\d.]+)px/.exec(clipPath)?.[1])
          const round = { left: right - shownPx, right }
          /** Returns the part of a line that its clipping ancestors leave visible. */
          const visiblePart = (box: DOMRect, inside: Element) => {
            let { left, right, top, bottom } = box
            for (let at: Element | null = inside; at !== null; at = at.parentElement) {
              if (getComputedStyle(at).overflowX === 'visible') continue
              const clip = at.getBoundingClientRect()
              left = Math.max(left, clip.left)
              right = Math.min(right, clip.right)
              top = Math.max(top, clip.top)
              bottom = Math.min(bottom, clip.bottom)
            }
            return { left, right, top, bottom }
          }
          const range = document.createRange()
          const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
          const words: string[] = []
          for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
            const parent = node.parentElement
            if (!node.nodeValue?.trim() || !parent || button.contains(parent)) continue
            if (!parent.checkVisibility({ visibilityProperty: true })) continue
            // Visually hidden text for screen readers.
            if (parent.getBoundingClientRect().width <= 2) continue
            range.selectNodeContents(node)
            const touches = [...range.getClientRects()].some((box) => {
              const seen = visiblePart(box, parent)
              return (
                // Text of the next slide that the window cuts is read when the visitor turns to that slide.
                box.right <= innerWidth &&
                seen.right - seen.left > 1 &&
                seen.right > round.left + 1 &&
                seen.left < round.right &&
                seen.bottom > top + 1 &&
                seen.top < bottom - 1
              )
            })
            if (touches) words.push(node.nodeValue.trim().slice(0, 40))
          }
          return words
        })
      // Late pictures move the page, and the button measures it again.
      await expect
        .poll(covered, { message: `${name} at ${top} of ${tall}`, timeout: 3_000 })
        .toEqual([])
    }
  }
})

// Regression: the box around the button, as wide as its hidden label, took the presses on the dots of the opening.
test('nothing that can be pressed lies under the messaging button', async ({ page, hard }) => {
  test.slow()
  await answerCookies(page)
  for (const [width, name] of [
    [360, '/'],
    [375, '/'],
    [375, '/contatti'],
    [375, '/servizi'],
    [375, '/eventi'],
    [768, '/contatti'],
    [1366, '/'],
  ] as const) {
    await open(page, hard, name, width)
    const tall = await page.evaluate(() => document.documentElement.scrollHeight)
    for (let top = tall; top > -500; top -= 500) {
      await page.evaluate(comeToRest, { top: Math.max(0, top), restMs: settledMs })
      const covered = () =>
        page.evaluate(() => {
          const corner = document.querySelector('aside:has(> a[href*="wa.me"])')
          const controls = document.querySelectorAll('main :is(a, button, summary), footer a')
          return [...controls].flatMap((control) =>
            [...control.getClientRects()].flatMap((box) =>
              [0.1, 0.5, 0.9].flatMap((share) => {
                const [x, y] = [box.left + box.width * share, box.top + box.height / 2]
                const hit = document.elementFromPoint(x, y)
                const name = control.getAttribute('aria-label') ?? control.textContent
                return hit !== null && corner?.contains(hit) === true ? [name] : []
              }),
            ),
          )
        })
      await expect
        .poll(covered, { message: `${name} at ${width} px, ${top} of ${tall}`, timeout: 3_000 })
        .toEqual([])
    }
  }
})

test('a strip that a search in the page has scrolled stands at a slide again', async ({
  page,
  hard,
}) => {
  await answerCookies(page)
  for (const width of [375, 1440]) {
    await open(page, hard, '/testimonianze', width)
    await expect(page.locator('html[data-hydrated]')).toHaveCount(1)
    const strip = page.getByRole('list', { name: italian.leParoleDeiCorsisti })
    await strip.scrollIntoViewIfNeeded()
    if (width > 1000) await expect(strip).toHaveAttribute('data-live')
    const last = strip.getByRole('listitem').last()
    // As a search does: it scrolls whatever hides the words.
    await last.evaluate((slide) => slide.scrollIntoView({ block: 'end' }))
    const place = () =>
      strip.evaluate(({ scrollLeft, scrollTop, firstElementChild, dataset }) => ({
        top: scrollTop,
        aside:
          dataset.live === undefined
            ? scrollLeft % (firstElementChild?.clientWidth ?? 1)
            : scrollLeft,
      }))
    await expect.poll(place, { message: `${width} px` }).toEqual({ top: 0, aside: 0 })
    await expect(last).toBeInViewport()
  }
})

test('date, time and place of an event with a long title are in the first screen', async ({
  page,
  hard,
}) => {
  await answerCookies(page)
  const path = await eventPath(hard, 'Ritiro')
  for (const [width, height] of [
    [375, 812],
    [390, 844],
    [1440, 900],
    [1366, 768],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto(hard.origin + path)
    const place = await page.locator('aside dl > div', { hasText: 'Luogo' }).boundingBox()
    const end = (place?.y ?? height) + (place?.height ?? 0)
    expect(end, `${width}x${height}`).toBeLessThanOrEqual(height)
  }
})

test('a long testimonial is opened by keys and reads whole without script', async ({
  page,
  hard,
  browser,
}) => {
  const long = hardContent.courseTestimonials[1] as { name: string; testimonial: string }
  await open(page, hard, '/testimonianze', 1440)
  const cards = page.getByRole('list', { name: italian.leParoleDeiCorsisti }).getByRole('listitem')
  const heights = await cards.evaluateAll((all) => all.map((one) => one.clientHeight))
  expect(Math.max(...heights)).toBeLessThan(620)
  const more = page.getByRole('link', { name: `Leggi tutto: testimonianza di ${long.name}` })
  await more.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: `Testimonianza di ${long.name}` })
  await expect(dialog).toContainText(typeset(long.testimonial.trim().slice(-200)))
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(more).toBeFocused()

  const context = await browser.newContext({ javaScriptEnabled: false })
  const plain = await context.newPage()
  await plain.goto(`${hard.origin}/testimonianze`)
  const card = plain.getByRole('figure').filter({ hasText: long.name })
  const clamped = await card.evaluate((figure) => figure.clientHeight)
  await plain.getByRole('link', { name: `testimonianza di ${long.name}` }).click()
  expect(await card.evaluate((figure) => figure.clientHeight)).toBeGreaterThan(2 * clamped)
  await context.close()
})

test('two other events follow an event, whatever it lacks', async ({ page, hard }) => {
  await open(page, hard, await eventPath(hard, 'Online'), 1440)
  const next = page.getByRole('region', { name: italian.prossimiAppuntamenti })
  await expect(next.getByRole('article')).toHaveCount(2)
  await expect(next.getByRole('heading', { name: /^Ritiro/ })).toBeVisible()
  await expectAccessible(page)
})

test('a title of 118 letters leaves when and where on the first screen', async ({ page, hard }) => {
  const path = await eventPath(hard, 'Ritiro')
  for (const width of [1440, 375]) {
    await open(page, hard, path, width)
    const box = await page.getByText('dal 10 all’11 aprile 2027').boundingBox()
    expect(box && box.y + box.height, `at ${width}`).toBeLessThan(width === 375 ? 812 : 900)
  }
})

test('lines of days and hours are set as a programme', async ({ page, hard }) => {
  await open(page, hard, await eventPath(hard, 'Ritiro'), 1440)
  const main = page.getByRole('main')
  for (const name of ['Programma', 'Sabato', 'Domenica', 'Che cosa portare', 'Per chi'])
    await expect(main.getByRole('heading', { name, exact: true })).toBeVisible()
  await expect(main.getByRole('listitem').filter({ hasText: '10:00' })).toHaveText(
    '10:00 Accoglienza',
  )
  await expect(main.getByText('La pratica è controindicata')).toBeVisible()
  await expectAccessible(page)
})
