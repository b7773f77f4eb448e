// What AI crawlers may do: chosen in the settings, written into robots.txt.

import { ask, expect, test } from './admin-kit'
import { expectToast, openArea, originOf } from './admin-screen'
import { italian } from './italian'
import { expectAccessible } from './test'

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]) {
  test(`robots.txt refuses training once the settings do, ${viewport.width} pixels wide`, async ({
    panel,
  }) => {
    const robots = async () => (await panel.request.get(`${originOf(panel)}/robots.txt`)).text()
    await ask(panel, 'PUT', '/api/admin/settings', { aiCrawlers: null })
    const before = await robots()
    expect(before.startsWith('User-agent: *\nDisallow: /admin\nDisallow: /api/\n\nSitemap: ')).toBe(
      true,
    )
    await panel.setViewportSize(viewport)
    await openArea(panel, 'impostazioni', 'Impostazioni')
    const field = panel.getByLabel('Che cosa possono fare')
    await expect(field).toHaveValue('Nessuna indicazione')
    await field.selectOption('Possono citarti, non addestrarsi')
    await expectAccessible(panel)
    await panel.getByRole('button', { name: italian.salvaModifiche }).click()
    await expectToast(panel, 'Impostazioni salvate')
    const after = await robots()
    expect(after).toContain('User-agent: GPTBot\n')
    expect(after).toContain('\nDisallow: /\n')
    expect(after).not.toContain('OAI-SearchBot')
    await ask(panel, 'PUT', '/api/admin/settings', { aiCrawlers: null })
    expect(await robots()).toBe(before)
  })
}
