// Tests that nothing of the editor covers the text that is edited, the entries of the menu, or the next button.

import type { Page } from '@playwright/test'
import { expect } from './admin-kit'
import { openKind, originOf, rows, toast } from './admin-screen'
import { italian } from './italian'
import { drawnMs, test } from './pages-kit'

/** Focuses every text of the preview. Returns the paths of texts that a part of the overlay covers. */
function coveredTexts(panel: Page) {
  return panel.evaluate(async () => {
    const page = document.querySelector('iframe')?.contentDocument
    const view = page?.defaultView
    if (!page || !view) throw new Error('no page is open')
    const range = page.createRange()
    const linesOf = (element: Element) => {
      range.selectNodeContents(element)
      return [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1)
    }
    const isCut = (line: DOMRect, part: DOMRect) =>
      line.left < part.right - 1 &&
      line.right > part.left + 1 &&
      line.top < part.bottom - 1 &&
      line.bottom > part.top + 1
    const places = [...page.querySelectorAll<HTMLElement>('[data-words]')].filter(
      (element) => element.checkVisibility() && element.tabIndex === 0,
    )
    const result = { places: 0, own: [] as string[], menu: [] as string[], others: 0 }
    for (const element of places) {
      element.scrollIntoView({ block: 'center' })
      element.focus({ preventScroll: true })
      await new Promise((next) => view.requestAnimationFrame(() => setTimeout(next)))
      result.places += 1
      const path = element.dataset.words ?? ''
      const root = page.getElementById('words-over')?.shadowRoot
      const parts = [...(root?.querySelectorAll('.label, .pill, .row, .chip') ?? [])]
        .map((part) => part.getBoundingClientRect())
        .filter(({ width }) => width > 1)
      if (linesOf(element).some((line) => parts.some((part) => isCut(line, part))))
        result.own.push(path)
      for (const line of linesOf(element)) {
        const [x, y] = [(line.left + line.right) / 2, (line.top + line.bottom) / 2]
        const hit = x < 0 || y < 0 || y > view.innerHeight ? null : page.elementFromPoint(x, y)
        // A fixed part of the page, such as the messaging button.
        if (hit !== null && !element.contains(hit) && !hit.contains(element)) result.own.push(path)
      }
      const covered = places.filter(
        (other) =>
          !other.contains(element) &&
          !element.contains(other) &&
          linesOf(other).some((line) => parts.some((part) => isCut(line, part))),
      )
      if (covered.length > 0) result.others += 1
      for (const other of covered)
        if (other.dataset.words?.startsWith('header.menu:')) result.menu.push(path)
    }
    return result
  })
}

// Regression: labels, tools and add rows lay over words and over the entries of the menu.
const PAGES = [
  ...['home', 'chi-sono', 'rebirthing', 'servizi', 'testimonianze', 'eventi', 'blog', 'contatti'],
  ...['evento', 'articolo', 'privacy', 'termini', 'cookie'],
]

for (const [width, height, othersMax] of [
  [1440, 900, 0.15],
  [1366, 768, 0.15],
  [768, 1024, 0.2],
  [390, 844, 0.5],
] as const)
  test(`no part of the editor covers what is typed, nor the menu (${width})`, async ({ panel }) => {
    test.slow()
    await panel.setViewportSize({ width, height })
    for (const name of PAGES) {
      await panel.goto(`${originOf(panel)}/admin#/pagine/${name}`)
      // On a narrow screen a text is a button that opens the sheet.
      const texts = panel.frameLocator('iframe').locator('main [data-words][tabindex="0"]')
      await expect(texts.first()).toBeVisible({ timeout: drawnMs })
      const { places, own, menu, others } = await coveredTexts(panel)
      expect(places, name).toBeGreaterThan(30)
      expect(own, name).toEqual([])
      expect(menu, name).toEqual([])
      // Of dense lists a part may lie over the text of a neighbour.
      expect(others / places, name).toBeLessThan(othersMax)
    }
  })

/** Toasts of this page stay until they are dismissed. */
async function holdToasts(panel: Page) {
  await panel.addInitScript(() => {
    const start = window.setTimeout
    const toastMs: readonly unknown[] = [5_000, 15_000]
    const held = (act: TimerHandler, ms?: number, ...rest: unknown[]) =>
      toastMs.includes(ms) ? 0 : start(act, ms, ...rest)
    window.setTimeout = held as typeof window.setTimeout
  })
  await panel.reload()
}

/** The names of primary buttons that the toast covers, once it has found its place. */
function coveredButtons(panel: Page) {
  return panel.evaluate(async () => {
    await new Promise((next) => setTimeout(next, 300))
    const card = [...document.querySelectorAll('section[tabindex="-1"] > [role]')].find((one) =>
      one.querySelector('button'),
    )
    if (card === undefined) throw new Error('no toast is shown')
    const toast = card.getBoundingClientRect()
    const buttons = [...document.querySelectorAll('[data-primary], [type=submit]')]
    const covered = buttons.filter((button) => {
      const { left, right, top, bottom, width } = button.getBoundingClientRect()
      const isApart =
        left >= toast.right || right <= toast.left || top >= toast.bottom || bottom <= toast.top
      return button.checkVisibility() && width > 0 && !isApart
    })
    const outside = toast.left < 0 || toast.right > innerWidth || toast.bottom > innerHeight
    return [...covered.map(({ textContent }) => textContent), ...(outside ? ['outside'] : [])]
  })
}

const AREAS = [
  'contenuti/course-testimonials',
  'contenuti/photo-gallery',
  'contenuti/events',
  'blog',
  'visite',
  'newsletter',
  'impostazioni',
  'backup',
  'account',
  'avvisi',
  'cestino',
  'cronologia',
  'pagine',
  'pagine/home',
  'pagine/servizi/pricing.packages:packages[0].title',
] as const

for (const [width, height] of [
  [1366, 768],
  [768, 1024],
  [390, 844],
] as const)
  test(`a toast covers no button that comes next, in no area and no dialog (${width})`, async ({
    panel,
  }) => {
    test.slow()
    await panel.setViewportSize({ width, height })
    await holdToasts(panel)
    await openKind(panel, 'events')
    const row = rows(panel).first()
    const isOn = await row.getByRole('switch').isChecked()
    await row.getByRole('switch').click()
    await expect(toast(panel).getByRole('status')).toBeVisible()
    for (const area of AREAS) {
      await panel.evaluate((hash) => {
        location.hash = `#/${hash}`
      }, area)
      const drawn = area.startsWith('pagine/')
        ? panel.frameLocator('iframe').locator('main h1')
        : panel.getByRole('heading', { level: 1 }).first()
      await expect(drawn).toBeVisible({ timeout: drawnMs })
      expect(await coveredButtons(panel), area).toEqual([])
    }

    // In a dialog the toast of a refusal stands above its buttons.
    await openKind(panel, 'events')
    await row.getByRole('button', { name: /^Modifica: / }).click()
    const form = panel.getByRole('dialog', { name: italian.modificaEvento })
    await form.getByLabel(italian.titolo).fill('Un titolo')
    await panel.route(/\/api\/admin\/events\/[^/]+$/, (route) => route.abort())
    await form.getByRole('button', { name: italian.salvaModifiche }).click()
    await expect(toast(panel).getByRole('alert')).toBeVisible()
    expect(await coveredButtons(panel), 'form').toEqual([])
    await panel.unrouteAll()
    await panel.keyboard.press('Escape')
    await openKind(panel, 'events')
    if ((await row.getByRole('switch').isChecked()) !== isOn) await row.getByRole('switch').click()
  })
