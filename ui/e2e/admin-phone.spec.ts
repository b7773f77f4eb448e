// Tests of telephone numbers: as the admin types them, and as visitors dial them.

import { ask, expect, forgetDrafts, test } from './admin-kit'
import { expectToast, openArea, originOf } from './admin-screen'
import { italian } from './italian'
import { withMotion } from './motion'

test.use(withMotion)

test('a number is read as it is written here, tried, kept whole and shown in groups', async ({
  panel,
}) => {
  const before = await ask<Record<string, unknown>>(panel, 'GET', '/api/admin/settings')
  await openArea(panel, 'impostazioni', 'Impostazioni')
  const messages = panel.getByLabel('Numero WhatsApp', { exact: true })
  // Regression: the number was used unchanged, and the link led to wa.me/3331234567, which does not exist.
  await messages.fill('333 12 34 567')
  await expect(panel.getByText('Si legge +39 333 123 4567')).toBeVisible()
  await expect(
    panel.getByRole('link', { name: 'Prova il link (si apre in una nuova scheda)' }),
  ).toHaveAttribute('href', 'https://wa.me/393331234567')
  const phone = panel.getByLabel(italian.telefono, { exact: true })
  await phone.fill('079 123 45 67')
  await expect(panel.getByText('Si legge +41 79 123 45 67')).toBeVisible()
  await expect(panel.getByRole('link', { name: 'Prova il link', exact: true })).toHaveAttribute(
    'href',
    'tel:+41791234567',
  )
  await panel.getByRole('button', { name: italian.salvaModifiche }).click()
  await expectToast(panel, italian.impostazioniSalvate)
  await expect(phone).toHaveValue('+41 79 123 45 67')
  expect(await ask(panel, 'GET', '/api/admin/settings')).toMatchObject({
    phone: '+41791234567',
    whatsapp: '+393331234567',
  })
  const page = await (await panel.request.get(`${originOf(panel)}/contatti`)).text()
  expect(page).toContain('href="tel:+41791234567"')
  expect(page).toContain('+41 79 123 45 67')
  expect(page).toContain('https://wa.me/393331234567?text=')
  const { phone: number, whatsapp } = before
  await ask(panel, 'PUT', '/api/admin/settings', { phone: number, whatsapp })
})

test('a number that two countries have is asked about, and one press answers', async ({
  panel,
}) => {
  await openArea(panel, 'impostazioni', 'Impostazioni')
  const phone = panel.getByLabel(italian.telefono, { exact: true })
  await phone.fill('091 1234567')
  await expect(
    panel.getByText('Manca il prefisso del Paese: Italia (+39) o Svizzera (+41)?'),
  ).toBeVisible()
  await panel.getByRole('button', { name: '+41 91 123 45 67' }).click()
  await expect(phone).toHaveValue('+41 91 123 45 67')
  await phone.fill('333 12')
  await panel.keyboard.press('Control+s')
  await expect(
    panel
      .getByRole('main')
      .getByText('Il campo «Telefono» non è un numero che si può chiamare: controlla le cifre'),
  ).toBeVisible()
  await expect(phone).toHaveValue('333 12')
  await forgetDrafts(panel)
})
