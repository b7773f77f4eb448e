// Runs axe inside the iframe of the edited page, at rest and with the label and tools of the active element. The
// iframe shows the site's light theme in both themes of the panel.

import type { Page } from '@playwright/test'
import { expect } from './admin-kit'
import { originOf } from './admin-screen'
import { italian } from './italian'
import { drawnMs, test } from './pages-kit'
import { expectAccessible, expectFrameAccessible } from './test'

const pages = [
  'home',
  'chi-sono',
  'servizi',
  'rebirthing',
  'testimonianze',
  'eventi',
  'evento',
  'blog',
  'articolo',
  'contatti',
  'privacy',
  'termini',
  'cookie',
] as const

const looks = [
  { width: 1440, colorScheme: 'light', shown: pages },
  { width: 360, colorScheme: 'dark', shown: ['home', 'servizi', 'contatti', 'cookie'] },
] as const

async function open(panel: Page, name: string) {
  await panel.goto(`${originOf(panel)}/admin#/pagine/${name}`)
  const frame = panel.frameLocator('iframe')
  const places = frame.locator('[data-words][tabindex]').filter({ visible: true })
  await expect(places.first()).toBeVisible({ timeout: drawnMs })
  return frame
}

for (const { width, colorScheme, shown } of looks) {
  for (const name of shown) {
    // Regression: headings, links and list items lost their roles, because each had the role textbox.
    test(`${name}: no fault that axe finds inside the frame (${colorScheme}, ${width})`, async ({
      panel,
    }) => {
      await panel.emulateMedia({ colorScheme })
      await panel.setViewportSize({ width, height: 800 })
      await open(panel, name)
      await expectFrameAccessible(panel)
    })
  }
}

// Regression: a screen reader listed 'I servizi, Titolo' six times, and 'Menu, Testo' once per link.
test('each place has a name of its own', async ({ panel }) => {
  for (const name of ['servizi', 'chi-sono', 'termini']) {
    const frame = await open(panel, name)
    const texts = frame.getByRole('textbox')
    await expect(texts.first()).toBeAttached({ timeout: drawnMs })
    const shared = await texts.evaluateAll((all) => {
      const places = new Map<string, Set<string>>()
      for (const one of all) {
        const label = one.getAttribute('aria-label') ?? ''
        // The paragraphs of one text are one field; a field that the page shows twice counts once.
        const [path = ''] = (one.getAttribute('data-words') ?? '').split('#')
        places.set(label, (places.get(label) ?? new Set()).add(path))
      }
      return [...places].filter(([, paths]) => paths.size > 1).map(([label]) => label)
    })
    expect(shared, name).toEqual([])
  }
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`with names and tools over it axe finds no fault inside the frame (${colorScheme})`, async ({
    panel,
  }) => {
    await panel.emulateMedia({ colorScheme })
    await panel.setViewportSize({ width: 1440, height: 800 })
    const frame = await open(panel, 'servizi')
    const entry = frame.locator('[data-words="servizi.offers:offers[1].title"]').first()
    await entry.click()
    await expect(frame.getByRole('group', { name: /^Strumenti: / })).toBeVisible()
    await frame.locator('[data-words="servizi.offers:offers[0].title"]').first().hover()
    // `target-size` is excluded: the tools cover other targets, which are reachable when the tools move.
    await expectFrameAccessible(panel, ['target-size'])
  })

  test(`what is tapped on a phone is marked without a fault inside the frame (${colorScheme})`, async ({
    panel,
  }) => {
    await panel.emulateMedia({ colorScheme })
    await panel.setViewportSize({ width: 360, height: 740 })
    const frame = await open(panel, 'servizi')
    await frame.getByRole('button', { name: /^Modifica: Titolo, I Nostri/ }).click()
    await expect(panel.getByRole('complementary', { name: italian.apertura })).toBeVisible()
    await expect(frame.locator('[data-words-chosen]')).toHaveCount(1)
    await expectFrameAccessible(panel)
    await expectAccessible(panel)
  })
}

test('headings, links and lists stay what they are around the words that are typed', async ({
  panel,
}) => {
  const frame = await open(panel, 'home')
  await expect(frame.getByRole('heading', { level: 1 })).toHaveText(/^Rebirthing/)
  const title = frame.getByRole('heading', { level: 1 }).getByRole('textbox')
  await expect(title).toHaveAccessibleName(italian.aperturaTitolo)
  const about = frame.locator('footer a:has(> [data-words="footer.links:site[0].label"])')
  await expect(about.getByRole('textbox')).toHaveText(italian.chiSono)
  // Each link has one tab stop: its text.
  await expect(about).toHaveAttribute('tabindex', '-1')
  // The padding of a button belongs to the button too.
  const button = frame.locator('a:has(> [data-words="home.hero:consultation"])')
  const words = button.locator('[data-words]')
  await button.click({ position: { x: 6, y: 6 } })
  await expect(words).toBeFocused()
  await expect(panel).toHaveURL(/#\/pagine\/home$/)
})
