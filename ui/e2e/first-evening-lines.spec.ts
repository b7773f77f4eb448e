// Tests of what a practitioner typed and pressed on her first evening: each on a phone and on a laptop.

import type { Page } from '@playwright/test'
import { ask, expect, forget, forgetDrafts, type Item, openNewEvent, test } from './admin-kit'
import { openArea, openKind, originOf, toast } from './admin-screen'
import { italian } from './italian'
import { BIOGRAPHY, drawnMs, publicText, reset } from './pages-kit'
import { account } from './test'
import { totp } from './totp'

const screens = {
  'on a phone': { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  'on a laptop': { viewport: { width: 1366, height: 768 } },
}

const DATES = [
  ...['12 dicembre', 'sabato 12 dicembre', '12/12', '12/12/99', '12 dic', '12 dic. 2099'],
  ...['sab 12 dic 2099', '12 e 13 dicembre', 'ven. 12 e sab. 13 dic.', 'dal 5 al 7 marzo'],
  ...['6, 13 e 20 marzo', '6-7-8 gennaio 2027'],
]
const TIMES = ['h 20,30', 'ore 20,30', '20.30/22', '8 di sera']

/** The day of the week of 12 December 2099 is a Saturday. */
const DAY = '12 dicembre 2099'

/** Opens the form of a text that the page shows; on a phone a tap on the text does. */
async function openField(panel: Page, page: string, place: string) {
  const isPhone = panel.viewportSize()?.width === 390
  const field = isPhone ? '' : `/${encodeURIComponent(place)}`
  await panel.goto(`${originOf(panel)}/admin#/pagine/${page}${field}`)
  const texts = panel.frameLocator('iframe').locator(`[data-words="${place}"]`)
  if (isPhone) await texts.filter({ visible: true }).first().tap({ timeout: drawnMs })
  const [block = '', path = ''] = place.split(':')
  const control = panel.locator(`[id="w-${block}-${path.replace(/\W+/g, '-')}"]`)
  await expect(control).toBeVisible({ timeout: drawnMs })
  return control
}

/** Closes the sheet that covers 'Pubblica' on a phone. */
async function leaveSheet(panel: Page) {
  const done = panel.getByRole('button', { name: 'Fatto', exact: true })
  if (await done.isVisible()) await done.click()
}

for (const [screen, options] of Object.entries(screens)) {
  test.describe(screen, () => {
    test.use(options)

    test('dates and times of posters are understood, and an answer writes a wrong one anew', async ({
      panel,
    }) => {
      const { item, dialog, date, time } = await openNewEvent(panel, {})
      for (const text of DATES) {
        await date.fill(text)
        const understood = dialog.getByText(/Letta come|^Sono \d+ date/)
        await expect(understood.first(), text).toBeVisible()
        await expect(dialog.getByText(italian.laDataNonEStataCapita), text).toHaveCount(0)
      }
      await date.fill(DAY)
      for (const text of TIMES) {
        await time.fill(text)
        await expect(dialog.getByText(/Letta come .*20:[03]0/), text).toBeVisible()
      }
      // Free text is shown as it is typed, without a question.
      await time.fill('')
      await date.fill('fine marzo')
      await expect(dialog.getByText(italian.laDataNonEStataCapita)).toBeVisible()
      await date.fill('15 Settembre 2024')
      await expect(dialog.getByText(/Letta come .*15 settembre 2024/)).toBeVisible()

      await date.fill(`domenica ${DAY}`)
      await dialog.getByRole('button', { name: italian.salvaModifiche }).click()
      await expect(dialog).toBeHidden()
      await panel.getByRole('button', { name: 'Modifica: Cerchio di prova' }).click()
      await dialog.getByRole('button', { name: italian.pubblicaEvento }).click()
      await expect(date).toBeFocused()
      await expect(date).toHaveAttribute('aria-invalid', 'true')
      await dialog.getByRole('button', { name: 'Sabato 12' }).click()
      await expect(date).toHaveValue(/^sabato 12 dicembre/)
      await time.fill('8')
      await dialog.getByRole('button', { name: 'Le 20:00' }).click()
      await dialog.getByRole('button', { name: italian.pubblicaEvento }).click()
      await expect(dialog).toBeHidden()
      expect(await publicText(panel, `/evento/${item.id}`)).toContain(`sabato ${DAY}`)
      await forget(panel, 'events', item.id)
    })

    test('sentences with a former name and duration are shown, ten at most', async ({ panel }) => {
      test.slow()
      type Words = { value: { offers: { features: object[] }[] } & object }
      const path = '/api/admin/words/servizi.offers'
      const { value } = await ask<Words>(panel, 'GET', path)
      const [first, ...others] = value.offers
      const features = [{ id: '1', text: 'Durata: 50 minuti' }]
      await ask(panel, 'PUT', path, {
        value: { ...value, offers: [{ ...first, features }, ...others] },
      })
      const biography = await ask<{ value: object }>(panel, 'GET', BIOGRAPHY)
      const named = Array.from({ length: 11 }, (_, index) => `Sessioni individuali: ${index}.`)
      const text = `La sessione individuale dura 50 minuti.\n\n${named.join(' ')}`
      await ask(panel, 'PUT', BIOGRAPHY, { value: { ...biography.value, text } })
      await panel.reload()

      const dialog = panel.getByRole('alertdialog')
      const publish = panel.getByRole('button', { name: italian.pubblica, exact: true })
      const place = 'servizi.offers:offers[0]'
      const duration = await openField(panel, 'servizi', `${place}.features[0].text`)
      await duration.fill('Durata: 55 minuti')
      await leaveSheet(panel)
      await publish.click()
      await expect(dialog).toHaveAccessibleName(/fras[ei] con la durata vecchia$/)
      await expect(dialog.getByRole('listitem').first()).toHaveText(
        /La sessione individuale dura 50\sminuti 55\sminuti/,
      )
      await dialog.getByRole('button', { name: /^Corregg/ }).click()
      await expect(toast(panel)).toContainText(/aggiornat[ae] in \d+ ms/, { timeout: drawnMs })
      expect(await publicText(panel, '/chi-sono')).toContain('dura 55 minuti')

      const name = await openField(panel, 'servizi', `${place}.title`)
      await name.fill('Incontri a due')
      await leaveSheet(panel)
      await publish.click()
      await expect(dialog).toHaveAccessibleName(/^Restano \d+ frasi con il nome vecchio$/)
      await expect(dialog.getByRole('listitem')).toHaveCount(10)
      await expect(dialog.getByText(/^e altre \d+$/)).toBeVisible()
      await dialog.getByRole('button', { name: 'Lascia così' }).click()
      await expect(toast(panel)).toContainText(/aggiornat[ae] in \d+ ms/, { timeout: drawnMs })
      expect(await publicText(panel, '/chi-sono')).toContain('Sessioni individuali: 3.')
      for (const id of ['servizi.offers', 'pricing.packages', 'contatti.faq', 'chi-sono.biography'])
        await reset(panel, id)
    })

    test('a code of the second factor goes into its own field and opens the panel', async ({
      admin,
    }) => {
      type Begun = { secret: string }
      const path = '/api/admin/second-factor'
      await ask(admin, 'POST', '/api/auth/confirm', { password: account.password })
      const { secret } = await ask<Begun>(admin, 'POST', `${path}/start`, {})
      const code = totp(secret, Date.now())
      await ask(admin, 'POST', `${path}/confirm`, { code })
      await admin.context().clearCookies()
      await admin.reload()
      await admin.getByLabel(italian.eMail).fill(account.email)
      await admin.getByRole('textbox', { name: italian.password }).fill(account.password)
      await admin.getByRole('button', { name: italian.accedi, exact: true }).click()
      const digits = admin.getByLabel('Codice di verifica')
      await expect(digits).toBeFocused({ timeout: 60_000 })
      // A code is used up: the next one is taken half a minute early.
      await admin.keyboard.type(totp(secret, Date.now() + 30_000))
      const accept = admin.getByRole('button', { name: italian.accedi, exact: true })
      if (await accept.isVisible()) await accept.click()
      await expect(admin.getByRole('heading', { level: 1, name: /^Buon/ })).toBeVisible()
    })

    test('the form of a newsletter has neither a switch nor an order', async ({ panel }) => {
      await openArea(panel, 'newsletter', 'Newsletter')
      await panel.getByRole('button', { name: 'Scrivi una newsletter' }).first().click()
      await panel.getByRole('dialog').getByRole('button', { name: 'Foglio bianco' }).click()
      const dialog = panel.getByRole('dialog', { name: 'Nuova newsletter' })
      await expect(dialog.getByRole('textbox', { name: 'Oggetto' })).toBeVisible()
      await expect(dialog.getByText('Inviata')).toHaveCount(0)
      await expect(dialog.getByLabel(italian.ordine)).toHaveCount(0)
    })

    test('the wording that is proposed keeps person and tense', async ({ panel }) => {
      await openKind(panel, 'blog')
      await panel.getByRole('button', { name: italian.nuovoArticolo }).first().click()
      const text = panel.getByRole('dialog').locator('.ProseMirror')
      await text.click({ timeout: drawnMs })
      await panel.keyboard.type('Ti curo')
      await expect
        .poll(() => panel.evaluate(() => CSS.highlights.get('words-concern')?.size ?? 0))
        .toBe(1)
      await panel.keyboard.press('Alt+Enter')
      const hint = panel.getByRole('dialog', { name: /«curo»/ })
      await hint.getByRole('button', { name: 'accompagno' }).click()
      await expect(text).toHaveText('Ti accompagno')
      await forgetDrafts(panel)
    })

    test('a copy is not published before its title is its own', async ({ panel }) => {
      const { item, dialog } = await openNewEvent(panel, { date: DAY })
      const title = dialog.getByLabel(italian.titolo, { exact: true })
      await title.fill('Cerchio di prova (copia)')
      await dialog.getByRole('button', { name: italian.pubblicaEvento }).click()
      await expect(title).toBeFocused()
      await expect(title).toBeInViewport()
      await expect(dialog.getByText('Finisce ancora con «(copia)»')).toBeVisible()
      const { published } = await ask<Item>(panel, 'GET', `/api/admin/events/${item.id}`)
      expect(published).toBe(false)
      await forgetDrafts(panel)
      await panel.reload()
      await forget(panel, 'events', item.id)
    })

    test('a tax number with a wrong digit is refused where it stands', async ({ panel }) => {
      await openArea(panel, 'impostazioni', 'Impostazioni')
      const number = panel.getByLabel('Partita IVA')
      for (const [text, problem] of [
        ['0123456789', 'La partita IVA ha 11 cifre: qui sono 10.'],
        ['01234567890', 'Questa partita IVA non esiste: controlla le cifre.'],
        ['RSSMRA85T10A562T', 'Questo codice fiscale non esiste: controlla lettere e cifre.'],
        ['CHE-123.456.789', 'Questo numero IDI non esiste: controlla le cifre.'],
      ] as const) {
        await number.fill(text)
        await panel.getByRole('button', { name: italian.salvaModifiche }).click()
        await expect(panel.locator('#vatNumber-problem')).toHaveText(problem)
        await expect(number).toBeFocused()
        await expect(number).toBeInViewport()
      }
      await forgetDrafts(panel)
    })

    test('a title that is only the name of a file is stored, and no visitor sees it', async ({
      panel,
    }) => {
      const [photo] = await ask<Item[]>(panel, 'GET', '/api/admin/photo-gallery')
      const path = `/api/admin/photo-gallery/${photo?.id}`
      await ask(panel, 'PUT', path, { title: 'Foto IMG_4824.JPG' })
      expect((await ask<Item>(panel, 'GET', path)).title).toBe('Foto IMG_4824.JPG')
      await panel.goto(`${originOf(panel)}/testimonianze`)
      await expect(panel.getByText(/IMG_4824/)).toHaveCount(0)
      await panel.goto(`${originOf(panel)}/admin`)
      await ask(panel, 'PUT', path, { title: photo?.title ?? null })
    })

    test('this device was last active now', async ({ panel }) => {
      await openArea(panel, 'account', 'Account')
      for (const mark of ['Questo dispositivo', 'Sei tu']) {
        const row = panel.getByRole('listitem').filter({ hasText: mark })
        await expect(row).toContainText('Ultima attività: adesso')
      }
    })
  })
}
