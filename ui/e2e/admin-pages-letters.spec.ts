// Letters typed without a pause on the page: kept on the device, and not handed on before the pause.

import { expect } from './admin-kit'
import { openPage, test } from './pages-kit'

const PLACES = [
  { page: 'servizi', path: 'servizi.hero:title', field: 'w-servizi.hero-title' },
  {
    page: 'cookie',
    path: 'legal.cookies:sections[0].text',
    field: 'w-legal.cookies-sections-0-text',
  },
] as const
/** Faster than a pause, and for longer than anything may stay unkept. */
const BETWEEN_MS = 100
const LETTERS = 40

for (const { page, path, field } of PLACES) {
  // The form looked at its words four times a second and had them handed on for that: every second
  // letter had the whole panel drawn, and the page asked for.
  test(`who types on without a pause is kept, and the form follows in it (${page})`, async ({
    panel,
  }) => {
    await panel.clock.install()
    const frame = await openPage(panel, page)
    const text = frame.locator(`[data-words="${path}"]`)
    await text.click()
    const form = panel.locator(`[id="${field}"]`)
    const shown = () =>
      form.evaluate((element) =>
        'value' in element ? String(element.value) : (element.textContent ?? ''),
      )
    await expect.poll(shown).not.toBe('')
    await expect(text).toHaveAttribute('contenteditable', /true|plaintext-only/)
    await panel.keyboard.press('End')
    await panel.clock.pauseAt(new Date(Date.now() + 60_000))
    await panel.keyboard.press('x')
    await panel.clock.runFor(1_000)
    await expect.poll(shown).toContain('x')
    for (let letter = 0; letter < LETTERS; letter += 1) {
      await panel.keyboard.press('y')
      await panel.clock.runFor(BETWEEN_MS)
    }
    expect(await shown()).not.toContain('xy')
    const kept = await panel.evaluate(() => JSON.stringify({ ...localStorage }))
    expect(kept).toMatch(/xy{20,}/)
    await panel.clock.runFor(1_000)
    await expect.poll(shown).toContain(`x${'y'.repeat(LETTERS)}`)
  })
}
