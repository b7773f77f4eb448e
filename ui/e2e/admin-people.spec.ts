// Tests of a second person: the invitation, an account with fewer rights, more rights, removal.

import { italian } from './italian'
import { account, expect, expectAccessible, test } from './test'

const PERSON = 'bruno@example.com'
const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]

for (const viewport of SIZES) {
  test.describe(`at ${viewport.width}`, () => {
    test.use({ viewport })

    test('a person is invited, edits, and reaches neither access nor other people’s data', async ({
      admin,
      fresh,
      browser,
    }) => {
      await admin.goto(`${fresh.origin}/admin#/account`)
      await admin.getByRole('button', { name: 'Invita una persona' }).click()
      const dialog = admin.getByRole('dialog', { name: 'Invita una persona' })
      await dialog.getByLabel('La sua e-mail').fill(PERSON)
      await expectAccessible(admin)
      await dialog.getByRole('button', { name: 'Crea l’invito' }).click()
      const url = await admin
        .getByRole('dialog', { name: 'Invito pronto' })
        .locator('code')
        .textContent()
      await expectAccessible(admin)
      await admin.getByRole('button', { name: italian.chiudi }).last().click()
      const row = admin.getByRole('listitem').filter({ hasText: PERSON })
      await expect(row).toContainText('Invito non ancora accettato')
      // The sticky header would cover a part of a button.
      await admin.evaluate(() => scrollTo(0, 0))
      await expectAccessible(admin)

      const context = await browser.newContext({ viewport, locale: 'it-IT' })
      const person = await context.newPage()
      await person.goto(url ?? '')
      await expect(person.getByRole('heading', { name: 'Ti hanno invitato' })).toBeFocused()
      await expectAccessible(person)
      await person.getByRole('textbox', { name: italian.password }).fill('tre barche ferme a Nesso')
      await person.getByRole('button', { name: 'Entra' }).click()
      await expect(person.getByRole('heading', { name: italian.adminPanel })).toBeVisible()
      await person.getByLabel(`Menu: ${PERSON}`).click()
      await expect(person.getByRole('link', { name: italian.account })).toBeVisible()
      for (const area of ['Newsletter', 'Impostazioni', 'Backup'])
        await expect(person.getByRole('link', { name: area })).toHaveCount(0)
      await person.keyboard.press('Escape')
      await person.goto(`${fresh.origin}/admin#/backup`)
      await expect(person.getByText('Questa parte è di chi può tutto.')).toBeVisible()
      await person.goto(`${fresh.origin}/admin#/account`)
      await expect(person.getByRole('heading', { name: 'Passkey' })).toBeVisible()
      await expect(person.getByRole('heading', { name: 'Chi può entrare' })).toHaveCount(0)
      await expectAccessible(person)

      await admin.reload()
      await row.getByRole('button', { name: `Cambia permessi: ${PERSON}` }).click()
      await admin.getByRole('alertdialog').getByRole('button', { name: 'Può tutto' }).click()
      await expect(row).toContainText('Può tutto')
      await person.reload()
      await expect(person.getByRole('heading', { name: 'Chi può entrare' })).toBeVisible()
      await row.getByRole('button', { name: `Togli: ${PERSON}` }).click()
      await admin.getByRole('alertdialog').getByRole('button', { name: 'Togli' }).click()
      await expect(row).toHaveCount(0)
      const own = admin.getByRole('listitem').filter({ hasText: account.email })
      await expect(own.getByRole('button', { name: /^Togli/ })).toHaveCount(0)
      await person.reload()
      await expect(person.getByRole('heading', { name: 'Entra nel pannello' })).toBeVisible()
      await context.close()
    })
  })
}
