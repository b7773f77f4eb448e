// Tests of 'Cronologia': who changed what, before and after, and the way back.
import type { Page } from '@playwright/test'
import { ask } from './admin-kit'
import { toast } from './admin-screen'
import { italian } from './italian'
import { expect, expectAccessible, test } from './test'

const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]
const BACK = "Torna a com'era"

type Hero = { readonly value: Readonly<Record<string, unknown>> }
const HERO = '/api/admin/words/home.hero'

async function heroTitle(page: Page) {
  return (await ask<Hero>(page, 'GET', HERO)).value.title
}

async function putTitle(page: Page, title: string) {
  const { value } = await ask<Hero>(page, 'GET', HERO)
  await ask(page, 'PUT', HERO, { value: { ...value, title } })
}

for (const viewport of SIZES) {
  test.describe(`at ${viewport.width}`, () => {
    test.use({ viewport })

    test('a change is read before and after, goes back, and the return goes back too', async ({
      admin,
      fresh,
    }) => {
      await admin.goto(`${fresh.origin}/admin#/cronologia`)
      await expect(admin.getByRole('heading', { name: 'Ancora niente' })).toBeVisible()
      await expectAccessible(admin)
      await putTitle(admin, 'Respira con me')
      await ask(admin, 'PUT', '/api/admin/settings', { phone: '+39 031 000 111' })
      await admin.reload()

      const day = admin.getByRole('region', { name: /^Oggi / })
      await expect(day.getByRole('listitem')).toHaveCount(2)
      await expect(day.getByRole('listitem').first()).toContainText('Telefono')
      await expectAccessible(admin)
      await day.getByRole('button', { name: /Titolo|Apertura/ }).click()
      const detail =
        viewport.width < 960 ? admin.getByRole('dialog') : admin.getByRole('complementary')
      await expect(detail.getByText('Prima', { exact: true })).toBeVisible()
      await expect(detail.getByText('Dopo', { exact: true })).toBeVisible()
      await expect(detail).toContainText('Respira con me')
      await expectAccessible(admin)
      await detail.getByRole('button', { name: BACK }).click()
      await expect(toast(admin)).toContainText("Tornato a com'era")
      expect(await heroTitle(admin)).not.toBe('Respira con me')
      await expect(day.getByRole('listitem')).toHaveCount(3)
      await toast(admin).getByRole('button', { name: italian.annulla }).click()
      await expect(day.getByRole('listitem')).toHaveCount(4)
      expect(await heroTitle(admin)).toBe('Respira con me')
    })

    test('the whole site asks first and lists what returns', async ({ admin, fresh }) => {
      await admin.goto(`${fresh.origin}/admin#/cronologia`)
      await putTitle(admin, 'Com’era')
      await putTitle(admin, 'Com’è')
      await ask(admin, 'PUT', '/api/admin/settings', { towns: 'Como' })
      await admin.reload()
      const lines = admin.getByRole('region', { name: /^Oggi / }).getByRole('listitem')
      await expect(lines).toHaveCount(3)
      await lines.nth(1).getByRole('button').click()
      const detail =
        viewport.width < 960 ? admin.getByRole('dialog') : admin.getByRole('complementary')
      await detail.getByRole('radio', { name: /^Tutto il sito/ }).check()
      await detail.getByRole('button', { name: BACK }).click()
      const question = admin.getByRole('alertdialog')
      await expect(question.getByRole('button', { name: "Lascia com'è" })).toBeFocused()
      await expect(question.getByRole('listitem').filter({ hasText: 'Home' })).toBeVisible()
      await expect(question).toContainText('Impostazioni')
      await expect(question).toContainText('Chi è iscritto alla newsletter')
      await expectAccessible(admin)
      await question.getByRole('button', { name: "Lascia com'è" }).click()
      expect(await heroTitle(admin)).toBe('Com’è')
      await detail.getByRole('button', { name: BACK }).click()
      await question.getByRole('button', { name: BACK }).click()
      await expect(toast(admin)).toContainText("Tornato a com'era")
      expect(await heroTitle(admin)).toBe('Com’era')
      await expect(lines.first()).toContainText("Il sito, tornato a com'era")
    })
  })
}
