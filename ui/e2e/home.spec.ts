// Tests of the panel's home, of its search, and of the guide that opens from every screen.

import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { account, ask, expect, forget, forgetDrafts, type Item, test } from './admin-kit'
import { openArea, openKind, originOf } from './admin-screen'
import { italian } from './italian'
import { start } from './program'
import { expectAccessible } from './test'

const day = (days: number) =>
  new Intl.DateTimeFormat('it-IT', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'Europe/Rome',
  }).format(Date.now() + days * 86_400_000)

function makeEvent(page: Page, title: string, fields: object = {}): Promise<Item> {
  return ask<Item>(page, 'POST', '/api/admin/events', { title, published: true, ...fields })
}

async function openHome(page: Page) {
  // The same address again would change nothing.
  await page.goto(`${originOf(page)}/privacy`)
  await page.goto(`${originOf(page)}/admin#/casa`)
  await expect(page.getByRole('heading', { level: 1, name: /^Buon/ })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Prossimi eventi' })).toBeVisible()
}

async function expectNoSidewaysScroll(page: Page) {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow, 'scrolls sideways').toBeLessThanOrEqual(0)
}

const search = (page: Page) => page.getByRole('combobox', { name: 'Cerca dappertutto' })
const guide = (page: Page) => page.getByRole('dialog', { name: 'Guida' })

test('signing in without a place in the address leads home, and so does the brand', async ({
  page,
  site,
}) => {
  const signIn = async () => {
    await page.getByLabel(italian.eMail).fill(account.email)
    await page.getByRole('textbox', { name: italian.password }).fill(account.password)
    await page.getByRole('button', { name: italian.accedi }).click()
  }
  await page.goto(`${site.origin}/admin`)
  await signIn()
  await expect(page).toHaveTitle('Casa · Admin Panel')
  // With a session the bare address stays that of the contents.
  await page.goto(`${site.origin}/privacy`)
  await page.goto(`${site.origin}/admin`)
  await expect(page.getByRole('heading', { level: 1, name: italian.adminPanel })).toBeVisible()
  await expect(page.getByRole('tab')).toHaveCount(5)
  await expect(page.getByRole('tab').first()).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('link', { name: 'Respiro, vai a Casa' }).click()
  await expect(page).toHaveTitle('Casa · Admin Panel')
  await page.context().clearCookies()
  await page.goto(`${site.origin}/privacy`)
  await page.goto(`${site.origin}/admin#/backup`)
  await signIn()
  await expect(page.getByRole('heading', { level: 1, name: 'Backup' })).toBeVisible()
})

for (const { name, width, colorScheme } of [
  { name: 'laptop', width: 1366, colorScheme: 'light' },
  { name: 'laptop, dark', width: 1366, colorScheme: 'dark' },
  { name: 'phone', width: 390, colorScheme: 'light' },
  { name: 'phone, dark', width: 390, colorScheme: 'dark' },
] as const) {
  test.describe(name, () => {
    test.use({ viewport: { width, height: 844 }, colorScheme })

    test('home shows the site, the tabs, what is missing and the next events', async ({
      panel,
    }) => {
      const made = [
        await makeEvent(panel, 'Serata di prova', { date: day(3), time: '20:30', soldOut: true }),
        await makeEvent(panel, 'Passeggiata di prova', { date: day(5), cancelled: true }),
        await makeEvent(panel, 'Cerchio di prova', { date: day(4), published: false }),
      ]
      await openHome(panel)
      const events = panel.getByRole('region', { name: 'Prossimi eventi' }).getByRole('listitem')
      await expect(events.nth(0)).toContainText(/Serata di prova.*20:30.*fra 3 giorni.*Esaurito/)
      await expect(events.nth(1)).toContainText(/Cerchio di prova.*fra 4 giorni.*Nascosto/)
      await expect(events.nth(2)).toContainText(/Passeggiata di prova.*Annullato/)
      const kinds = panel.getByRole('navigation', { name: 'Contenuti', exact: true })
      await expect(kinds.getByRole('link')).toHaveText([
        /^Testimonianze Corsisti/,
        /^Galleria Fotografica/,
        /^Ringraziamenti Speciali/,
        /^Parlano di noi/,
        /^Eventi/,
      ])
      const site = panel.getByRole('region', { name: 'Il tuo sito' })
      await expect(site.getByRole('link')).toHaveText([
        'Modifica il sito',
        'Nuovo evento',
        'Nuovo articolo',
      ])
      const tasks = panel.getByRole('region', { name: 'Che cosa manca' })
      await expect(tasks.getByRole('link', { name: /^Scegli: Metti una tua foto/ })).toBeVisible()
      await expect(panel.getByRole('heading', { name: 'Visite' })).toBeVisible()
      await expectAccessible(panel)
      await expectNoSidewaysScroll(panel)
      await events.nth(1).getByRole('link', { name: 'Modifica: Cerchio di prova' }).click()
      await expect(panel.getByRole('dialog').getByLabel(italian.titolo)).toHaveValue(
        'Cerchio di prova',
      )
      await panel.keyboard.press('Escape')
      for (const { id } of made) await forget(panel, 'events', id)
    })

    test('the guide opens at the screen, is searched, and gives the focus back', async ({
      panel,
    }) => {
      await openKind(panel, 'events')
      const open = panel.getByRole('button', { name: 'Guida', exact: true })
      await open.press('Enter')
      const first = guide(panel).getByRole('group').first()
      await expect(first.locator('summary')).toHaveText('Eventi')
      await expect(first.getByText('Scrivi la data come la diresti')).toBeVisible()
      await expectAccessible(panel)
      await guide(panel).getByRole('searchbox').fill('Come cambio la password?')
      await expect(
        guide(panel)
          .getByRole('status')
          .filter({ hasText: /rispost/ }),
      ).toBeVisible()
      await expect(guide(panel).getByText('Cambia password:')).toBeVisible()
      await guide(panel).getByRole('searchbox').fill('fattura elettronica')
      await expect(guide(panel).getByText(/Niente per «fattura elettronica»/)).toBeVisible()
      // Escape in a search field clears it first.
      await panel.keyboard.press('Escape')
      await panel.keyboard.press('Escape')
      await expect(guide(panel)).toHaveCount(0)
      await expect(open).toBeFocused()
      await openArea(panel, 'impostazioni', 'Impostazioni')
      await panel.keyboard.press('F1')
      await expect(
        guide(panel).getByText('Nome, contatti, dati legali, libro e immagini del sito'),
      ).toBeVisible()
      await panel.keyboard.press('Escape')
      await openArea(panel, 'guida', 'Guida')
      await expect(panel.getByRole('heading', { level: 2, name: 'Casa' })).toBeVisible()
      await expectAccessible(panel)
      await expectNoSidewaysScroll(panel)
    })

    test('one search finds a price, an event, a setting and an answer, by keys', async ({
      panel,
    }) => {
      const made = await makeEvent(panel, 'Notte di stelle cadenti', { date: day(9) })
      await openHome(panel)
      await search(panel).fill('95 €')
      const options = panel.getByRole('option')
      await expect(options.first()).toContainText('95')
      await expect(options.first()).toHaveAttribute('aria-selected', 'true')
      await expectAccessible(panel)
      await search(panel).fill('stelle cadenti')
      await expect(options).toHaveCount(1)
      await search(panel).fill('partita iva')
      await expect(panel.getByRole('group', { name: 'Nel pannello' })).toContainText('Impostazioni')
      await search(panel).fill('cestino')
      await expect(options.filter({ hasText: 'Guida · Cestino' })).toBeVisible()
      await search(panel).fill('zzz fattura')
      await expect(panel.getByText('Niente per «zzz fattura».').last()).toBeVisible()
      await expect(panel.getByText('Ti serve una persona?'), 'no contact is set').toHaveCount(0)
      await panel.getByRole('button', { name: 'Chiedi alla guida' }).click()
      await expect(guide(panel).getByRole('searchbox')).toHaveValue('zzz fattura')
      await panel.keyboard.press('Escape')
      await panel.keyboard.press('Escape')
      await expect(guide(panel)).toHaveCount(0)
      await search(panel).fill('impostazioni')
      await expect(options.filter({ hasText: 'Area del pannello' })).toBeVisible()
      await panel.keyboard.press('Escape')
      await expect(search(panel)).toHaveValue('')
      await search(panel).fill('stelle cadenti')
      await expect(options).toHaveCount(1)
      await panel.keyboard.press('Enter')
      await expect(panel.getByRole('dialog').getByLabel(italian.titolo)).toHaveValue(
        'Notte di stelle cadenti',
      )
      await panel.keyboard.press('Escape')
      await forget(panel, 'events', made.id)
    })
  })
}

test('the buttons of home open the forms of a new event and a new article', async ({ panel }) => {
  await openHome(panel)
  await panel.getByRole('link', { name: 'Nuovo evento' }).click()
  await expect(panel.getByRole('dialog', { name: italian.nuovoEvento })).toBeVisible()
  await openHome(panel)
  await panel.getByRole('link', { name: 'Nuovo articolo' }).click()
  await expect(panel.getByRole('dialog', { name: italian.nuovoArticolo })).toBeVisible()
  await openHome(panel)
  await panel.getByRole('link', { name: 'Modifica il sito' }).click()
  await expect(panel.getByRole('heading', { level: 1, name: 'Pagine' })).toBeVisible()
})

test('home lists the drafts of every form, and opens the one that is pressed', async ({
  panel,
}) => {
  const made = await makeEvent(panel, 'Serata da finire', { date: day(9) })
  const put = (place: string, fields: object) =>
    ask(panel, 'PUT', `/api/admin/drafts/${place}`, {
      revision: 'prova',
      content: { fields, basedOn: null, savedAt: new Date().toISOString() },
    })
  await put(`events:${made.id}@uno`, { title: 'Serata quasi finita' })
  // The server takes one draft of a session in two seconds.
  await expect
    .poll(
      () =>
        put('words:servizi.offers@due', {}).then(
          () => true,
          () => false,
        ),
      { intervals: [1_000] },
    )
    .toBe(true)
  await openHome(panel)
  const drafts = panel.getByRole('region', { name: 'Riprendi da dove eri' })
  await expect(drafts.getByRole('link')).toHaveText([
    /Servizi, una modifica.*Non ancora pubblicate/,
    /Serata quasi finita.*Evento/,
  ])
  await drafts.getByRole('link', { name: /Serata quasi finita/ }).click()
  await expect(panel.getByRole('dialog')).toBeVisible()
  await panel.keyboard.press('Escape')
  await forget(panel, 'events', made.id)
  await forgetDrafts(panel)
})

test('a task that is done is gone', async ({ panel }) => {
  const before = await ask<Record<string, unknown>>(panel, 'GET', '/api/admin/settings')
  const photos = await ask<{ imageUrl: string }[]>(panel, 'GET', '/api/admin/photo-gallery')
  await openHome(panel)
  const task = panel.getByRole('link', { name: /^Scegli: Metti una tua foto/ })
  await expect(task).toBeVisible()
  await ask(panel, 'PUT', '/api/admin/settings', { heroImageOne: photos[0]?.imageUrl })
  await openHome(panel)
  await expect(panel.getByRole('region', { name: 'Che cosa manca' })).toBeVisible()
  await expect(task).toHaveCount(0)
  await ask(panel, 'PUT', '/api/admin/settings', { heroImageOne: before.heroImageOne })
})

test('F1 opens the guide over an open page of the site', async ({ panel }) => {
  await panel.goto(`${originOf(panel)}/admin#/pagine/servizi`)
  const frame = panel.frameLocator('iframe')
  const title = frame.locator('h1').first()
  await expect(title).toBeVisible({ timeout: 30_000 })
  await panel.keyboard.press('F1')
  await expect(guide(panel).getByText('Tutte le parole del sito')).toBeVisible()
  await panel.keyboard.press('Escape')
  await expect(guide(panel)).toHaveCount(0)
})

test.describe('the areas at the foot of a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('lead to four areas, open the menu, and cover no button', async ({ panel }) => {
    await openArea(panel, 'impostazioni', 'Impostazioni')
    const foot = panel.getByRole('navigation', { name: 'Aree principali' })
    await expect(foot.getByRole('link')).toHaveText(['Casa', 'Pagine', 'Contenuti', 'Blog'])
    const save = panel.getByRole('button', { name: italian.salvaModifiche })
    const [bar, button] = [await foot.boundingBox(), await save.boundingBox()]
    expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0)
    await foot.getByRole('button', { name: 'Altro' }).click()
    await expect(panel.getByRole('link', { name: 'Newsletter' })).toBeVisible()
    await panel.keyboard.press('Escape')
    await foot.getByRole('link', { name: 'Casa' }).click()
    await expect(panel).toHaveTitle('Casa · Admin Panel')
    await expect(foot.getByRole('link', { name: 'Casa' })).toHaveAttribute('aria-current', 'page')
    // The last control of a long page can be scrolled above them.
    await openKind(panel, 'events')
    const add = panel.getByRole('button', { name: 'Aggiungi Evento' })
    const [top, adds] = [await foot.boundingBox(), await add.boundingBox()]
    expect((adds?.y ?? 0) + (adds?.height ?? 0)).toBeLessThanOrEqual(top?.y ?? 0)
  })
})

for (const width of [390, 1440]) {
  test.describe(`with a contact at ${width}`, () => {
    test.use({ viewport: { width, height: 900 } })

    test('a search that finds nothing names who helps, with a telephone', async ({
      page,
      folder,
      atEnd,
    }) => {
      const contact = ['--contact', 'Studio Esempio, +39 031 000 000, studio@example.org']
      const program = await start(join(folder, 'respiro.redb'), contact)
      atEnd(program.stop)
      const { origin } = program
      const token = program.setupLink?.split('#setup=')[1]
      await page.request.post(`${origin}/api/auth/setup`, {
        data: { token, ...account },
        headers: { origin },
      })
      await page.goto(`${origin}/admin#/casa`)
      await search(page).fill('zzz fattura')
      const phone = page.getByRole('link', { name: '+39 031 000 000' })
      await expect(page.getByText('Ti serve una persona?')).toBeVisible()
      await expect(page.getByText('Studio Esempio', { exact: true })).toBeVisible()
      await expect(phone).toHaveAttribute('href', 'tel:+39031000000')
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
      await page.getByRole('button', { name: 'Chiedi alla guida' }).click()
      await expect(guide(page).getByText(/Niente per «zzz fattura»/)).toBeVisible()
      await expect(guide(page).getByText('Ti serve una persona?')).toBeVisible()
      await expect(guide(page).getByRole('link', { name: 'studio@example.org' })).toBeVisible()
      await expectAccessible(page)
      await guide(page).getByRole('searchbox').fill('cestino')
      await expect(guide(page).getByText('Ti serve una persona?')).toHaveCount(0)
    })
  })
}
