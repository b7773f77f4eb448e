// Tests of what a practitioner stumbled over on her first evening, on a phone and on a laptop.

import { ask, expect, test } from './admin-kit'
import { openArea } from './admin-screen'

const screens = {
  'on a phone': { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  'on a laptop': { viewport: { width: 1366, height: 768 } },
}

for (const [screen, options] of Object.entries(screens)) {
  test.describe(screen, () => {
    test.use(options)

    test('two numbers in one field are asked about, and a note in brackets is no number', async ({
      panel,
    }) => {
      await openArea(panel, 'impostazioni', 'Impostazioni')
      const phone = panel.getByLabel('Telefono', { exact: true })
      await phone.fill('333 1234567 (solo WhatsApp)')
      await expect(panel.getByText('Si legge +39 333 123 4567')).toBeVisible()
      await phone.fill('333 1234567 / 031 123456')
      await expect(panel.getByText('Qui sta un numero solo: quale?')).toBeVisible()
      await panel.getByRole('button', { name: '+39 031 123 456' }).click()
      await expect(panel.getByText('Si legge +39 031 123 456')).toBeVisible()
      await panel.evaluate(() => localStorage.clear())
    })
  })
}
