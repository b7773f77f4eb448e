// Tests of a forgotten password and of the change of an account's address, with and without a mail server.

import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { italian } from './italian'
import { startWithMail } from './mail-server'
import { start } from './program'
import { type AtEnd, account, expect, expectAccessible, test } from './test'
import { totp } from './totp'

const NEW_PASSWORD = 'tre barche ferme a Nesso'
const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]

/** Starts a site with a mail server and the usual account. `link` waits for the next e-mail to an address. */
async function siteWithMail(page: Page, folder: string, atEnd: AtEnd) {
  const mails: string[] = []
  const origin = await startWithMail(page, folder, atEnd, (text) => mails.push(text))
  const link = async (to: string) => {
    const isMeant = (mail: string) => mail.includes(`To: ${to}`) && mail.includes('#link=')
    await expect.poll(() => mails.some(isMeant)).toBe(true)
    const [mail = ''] = mails.splice(mails.findIndex(isMeant), 1)
    return /http:\S+#link=[a-z2-7]+/.exec(mail)?.[0] ?? ''
  }
  return { origin, link }
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

for (const viewport of SIZES) {
  test.describe(`at ${viewport.width}`, () => {
    test.use({ viewport })

    test('a forgotten password is replaced by the link of an e-mail, once', async ({
      page,
      folder,
      atEnd,
    }) => {
      const { origin, link } = await siteWithMail(page, folder, atEnd)
      await page.request.post(`${origin}/api/auth/logout`, { headers: { origin } })
      await page.goto(`${origin}/admin`)
      await page.getByLabel(italian.eMail).fill(account.email)
      await page.getByRole('textbox', { name: italian.password }).fill('sbagliata-di-sicuro')
      await page.getByRole('button', { name: italian.accedi, exact: true }).click()
      await expectAccessible(page)
      await page.getByRole('alert').getByRole('button', { name: 'scegline una nuova' }).click()
      await expect(heading(page, 'Scegline una nuova')).toBeFocused()
      await expectAccessible(page)
      await expect(page.getByLabel('La tua e-mail')).toHaveValue(account.email)
      await page.getByRole('button', { name: 'Mandami il link' }).click()
      await expect(heading(page, 'Guarda la posta')).toBeFocused()
      await expect(page.getByText(/Puoi chiederne un’altra fra \d+ secondi/)).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Torna all’accesso' }).click()
      await expect(heading(page, 'Entra nel pannello')).toBeVisible()

      const url = await link(account.email)
      // A mail scanner opens the link.
      await fetch(url)
      await page.goto(url)
      await expect(heading(page, 'La tua nuova password')).toBeFocused()
      await expect(page.getByText(`Per ${account.email}.`)).toBeVisible()
      const save = page.getByRole('button', { name: 'Salva ed entra' })
      await page.getByRole('textbox', { name: 'Nuova password' }).fill(account.email)
      await save.click()
      await expect(page.getByText("La password non può essere l'indirizzo e-mail")).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('textbox', { name: 'Nuova password' }).fill(NEW_PASSWORD)
      await save.click()
      await expect(heading(page, italian.adminPanel)).toBeVisible()
      expect(page.url()).not.toContain('link=')

      await page.goto(url)
      await expect(heading(page, 'Questo link non vale più')).toBeFocused()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Mandami un altro link' }).click()
      await expect(heading(page, 'Scegline una nuova')).toBeVisible()
    })

    test('without a mail server the sign-in names who helps', async ({ page, folder, atEnd }) => {
      const contact = 'Studio Esempio, +39 031 000 000, studio@example.org'
      const options = ['--contact', contact]
      const program = await start(join(folder, 'respiro.redb'), options)
      atEnd(program.stop)
      await page.goto(`${program.origin}/admin`)
      await page.getByRole('button', { name: 'Password dimenticata?' }).click()
      await expect(page.getByText('Studio Esempio', { exact: true })).toBeVisible()
      const phone = page.getByRole('link', { name: '+39 031 000 000' })
      await expect(phone).toHaveAttribute('href', 'tel:+39031000000')
      await expect(page.getByRole('link', { name: 'studio@example.org' })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Mandami il link' })).toHaveCount(0)
      await expectAccessible(page)
    })

    test('the address of access changes when both mailboxes have confirmed', async ({
      page,
      folder,
      atEnd,
    }) => {
      const { origin, link } = await siteWithMail(page, folder, atEnd)
      const next = 'nuova@example.com'
      await page.goto(`${origin}/admin#/account`)
      await page.getByLabel('Nuovo indirizzo').fill(next)
      await page.getByRole('button', { name: 'Cambia indirizzo' }).click()
      await expect(page.getByText(`Abbiamo scritto a ${account.email} e a ${next}`)).toBeVisible()
      await expectAccessible(page)
      await page.goto(await link(next))
      await expect(page.getByText(`Da ${account.email} a ${next}.`)).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Conferma' }).click()
      await expect(heading(page, 'Manca una conferma')).toBeVisible()
      await page.goto(await link(account.email))
      await page.getByRole('button', { name: 'Conferma' }).click()
      await expect(heading(page, 'Indirizzo cambiato')).toBeVisible()
      await page.getByRole('link', { name: 'Vai al pannello' }).click()
      await page.goto(`${origin}/admin#/account`)
      await expect(page.getByText(`Il tuo accesso è ${next}.`)).toBeVisible()
    })
  })
}

test('after a new password the second factor is asked as at every sign-in', async ({
  page,
  folder,
  atEnd,
}) => {
  const { origin, link } = await siteWithMail(page, folder, atEnd)
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(`${origin}${path}`, { data, headers: { origin } })
    expect(answer.ok()).toBe(true)
    return answer
  }
  const offer = await (await post('/api/admin/second-factor/start', {})).json()
  const code = totp(offer.secret, Date.now())
  const made = await (await post('/api/admin/second-factor/confirm', { code })).json()
  await post('/api/auth/forgotten', { email: account.email })
  await page.goto(await link(account.email))
  await page.getByRole('textbox', { name: 'Nuova password' }).fill(NEW_PASSWORD)
  await page.getByRole('button', { name: 'Salva ed entra' }).click()
  await expect(heading(page, 'Un’ultima cosa')).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Codice di verifica').fill(made.recoveryCodes[0])
  await page.getByRole('button', { name: italian.accedi, exact: true }).click()
  await expect(heading(page, italian.adminPanel)).toBeVisible()
})
