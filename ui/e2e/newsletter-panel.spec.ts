// Tests the life of a newsletter in the panel: created from an event, previewed, sent as a test, scheduled, sent,
// paused, resumed and stopped; and the list of addresses.

import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { fail } from './admin-faults'
import { ask, type Item } from './admin-kit'
import { expectToast, leaveLayer, openArea, openKind, originOf, rows, toast } from './admin-screen'
import { italian } from './italian'
import { freePort, mailOptions, mailServer } from './mail-server'
import { binary, type Program, start } from './program'
import { account, test as base, expect, expectAccessible } from './test'

const READERS = ['ada', 'bea', 'cleo', 'dora', 'elsa', 'fede'].map((name) => `${name}@example.com`)
const COLLECTED = ['gina@example.com', 'ilda@example.com']

/** The mail server rejects this recipient. */
const GONE = 'nina@example.com'

type House = { panel: Page; letters: string[]; program: Program }

/** A site with a mail server, six confirmed addresses and two unconfirmed ones. */
const test = base.extend<{ house: House; readers: readonly string[] }>({
  readers: [READERS, { option: true }],
  house: async ({ page, readers }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'respiro-e2e-'))
    const data = join(folder, 'respiro.redb')
    copyFileSync(process.env.RESPIRO_TEMPLATE ?? '', data)
    const list = join(folder, 'list.csv')
    const confirmed = readers.map((email) => `${email},2026-01-05T10:00:00Z`)
    writeFileSync(
      list,
      ['email,confirmed_at', ...confirmed, ...COLLECTED.map((one) => `${one},`)].join('\r\n'),
    )
    execFileSync(binary, ['import', '--csv', list, '--proof', 'Lista di carta', '--data', data])
    const letters: string[] = []
    const refuses = (receiver: string) =>
      receiver.includes(GONE) ? '550 5.1.1 no such user' : null
    const mail = await mailServer((text) => letters.push(text), refuses)
    const origin = `http://127.0.0.1:${await freePort()}`
    const program = await start(data, mailOptions(mail, origin), origin.slice('http://'.length))
    const answer = await page.request.post(`${origin}/api/auth/login`, {
      data: account,
      headers: { origin },
    })
    expect(answer.status()).toBe(200)
    await page.goto(`${origin}/admin`)
    await ask(page, 'PUT', '/api/admin/settings', { address: 'Via Roma 1, Como' })
    await use({ panel: page, letters, program })
    await program.stop()
    mail.server.close()
    rmSync(folder, { recursive: true })
  },
})

async function written(panel: Page, title: string) {
  const body = { title, content: 'Ciao,\n\nil corso comincia a marzo.' }
  await ask<Item>(panel, 'POST', '/api/admin/newsletters', body)
  await openArea(panel, 'newsletter', 'Newsletter')
  await panel.reload()
  await panel.getByRole('button', { name: `Apri: ${title}` }).click()
  const sheet = panel.getByRole('dialog', { name: title })
  await expect(sheet.getByRole('heading', { name: italian.anteprima })).toBeVisible()
  return sheet
}

async function confirmed(panel: Page, button: string) {
  await panel.getByRole('alertdialog').getByRole('button', { name: button }).click()
}

function frame(sheet: Locator) {
  return sheet.frameLocator('iframe')
}

test('a newsletter begins with one press at an event, is looked at in every way and tried', async ({
  house: { panel, letters },
}) => {
  const event = await ask<Item>(panel, 'POST', '/api/admin/events', {
    title: 'Cerchio di luna',
    date: '6 marzo 2199',
    time: '19:00',
    location: 'Como',
    published: true,
    sortOrder: 1000,
  })
  await openKind(panel, 'events')
  await panel.reload()
  const row = rows(panel).filter({ hasText: 'Cerchio di luna' })
  await row.getByRole('button', { name: 'Scrivi una newsletter da qui: Cerchio di luna' }).click()
  await expectToast(panel, '«Cerchio di luna» è nella bozza: cambia quello che vuoi')
  const editor = panel.getByRole('dialog', { name: 'Modifica newsletter' })
  const subject = editor.getByRole('textbox', { name: 'Oggetto' })
  await expect(subject).toHaveValue('Cerchio di luna: 6 marzo 2199')
  await expect(editor.getByText('Quando: 6 marzo 2199, 19:00')).toBeVisible()
  // A newsletter is sent, not published, and its list is not ordered by hand.
  await expect(editor.getByText('Inviata')).toHaveCount(0)
  await expect(editor.getByLabel('Ordine')).toHaveCount(0)
  await subject.fill('Un cerchio a marzo')
  await expectAccessible(panel)
  await editor.getByRole('button', { name: italian.salvaModifiche }).click()
  await expect(toast(panel)).toContainText('Bozza salvata')
  await expect(panel).toHaveURL(/#\/newsletter$/)

  await panel.getByRole('button', { name: 'Apri: Un cerchio a marzo' }).click()
  const sheet = panel.getByRole('dialog', { name: 'Un cerchio a marzo' })
  await expect(sheet.getByText('Non hai ancora mandato una prova.')).toBeVisible()
  const inbox = sheet.getByRole('definition')
  await expect(inbox.filter({ hasText: 'Un cerchio a marzo' })).toContainText(italian.respiro)
  await expect(frame(sheet).getByRole('link', { name: 'Vedi dettagli' })).toHaveAttribute(
    'href',
    `${originOf(panel)}/evento/${event.id}`,
  )
  await expect(frame(sheet).getByText('Via Roma 1, Como')).toBeVisible()
  const width = () => sheet.locator('iframe').evaluate((one) => one.clientWidth)
  const wide = await width()
  const paper = () =>
    frame(sheet)
      .locator('body')
      .evaluate((body) => getComputedStyle(body).backgroundColor)
  const light = await paper()
  await sheet.getByRole('button', { name: italian.telefono }).click()
  await expect.poll(width).toBeLessThan(Math.min(wide, 380))
  await expectAccessible(panel)
  await sheet.getByRole('button', { name: 'Sfondo scuro' }).click()
  await expect.poll(paper).not.toBe(light)
  await sheet.getByRole('button', { name: 'Senza immagini' }).click()
  await expect(sheet.locator('iframe')).toHaveAttribute('src', /imagesOff/)
  await sheet.getByRole('button', { name: 'Solo testo' }).click()
  await expect(sheet.locator('pre')).toContainText('Per non riceverla più, un passo solo:')

  await sheet.getByRole('button', { name: 'Manda una prova a me' }).click()
  const trial = panel.getByRole('dialog', { name: italian.mandaUnaProva })
  await trial.getByLabel('A quale indirizzo').fill('altri@example.com')
  await trial.getByRole('button', { name: 'Manda la prova' }).click()
  await expect(panel.getByText(/La prova non è partita/)).toBeVisible()
  await trial.getByLabel('A quale indirizzo').fill(account.email)
  await trial.getByLabel('A quale indirizzo').press('Enter')
  await expect(panel.getByText(`Prova inviata a ${account.email}`)).toBeVisible()
  await expect(sheet.getByText('Tutto a posto.')).toBeVisible()
  const letter = letters.find((one) => one.includes('Subject: [Prova]')) ?? ''
  // The HTML part has the note too. Regression: only the plain text had it.
  expect(letter.match(/arrivata solo/g)).toHaveLength(2)
  expect(letter).toContain('text/html')
})

test('a newsletter is planned, sent, paused, gone on with and stopped', async ({
  house: { panel, letters },
}) => {
  let sheet = await written(panel, 'Il corso di marzo')
  await sheet.getByRole('button', { name: 'Scegli quando' }).click()
  await panel
    .getByRole('dialog', { name: 'Quando inviarla' })
    .getByRole('button', { name: italian.domaniAlle9 })
    .click()
  await expect(sheet.getByText(/^Parte .* 9:00\. Va a chi in quel momento/)).toBeVisible()
  await expect(sheet.getByText('resta in programma per lo stesso momento')).toBeVisible()
  await expectAccessible(panel)
  await sheet.getByRole('button', { name: 'Togli dal programma' }).click()
  await expect(panel.getByText('Tolta dal programma: è di nuovo una bozza')).toBeVisible()

  // The default pace: one message a minute.
  await sheet.getByRole('button', { name: 'Invia adesso' }).click()
  const question = panel.getByRole('alertdialog', { name: 'Inviare adesso?' })
  await expect(question).toContainText('va a 6 persone che hanno confermato')
  await expect(question).toContainText('Con 60 messaggi l’ora finisce')
  await expectAccessible(panel)
  await confirmed(panel, 'Sì, invia')
  await expect(sheet.getByText('1 di 6', { exact: true })).toBeVisible({ timeout: 20_000 })
  await expect(sheet.getByRole('progressbar')).toHaveAttribute('value', '1')
  await expectAccessible(panel)
  await sheet.getByRole('button', { name: 'Metti in pausa' }).click()
  await expect(sheet.getByText('In pausa a 1 di 6. Gli altri aspettano.')).toBeVisible()

  // Another newsletter is sent meanwhile: a paused one blocks no other.
  await ask(panel, 'PUT', '/api/admin/settings', { newsletterPace: 360_000 })
  const whole = await written(panel, 'Poche righe')
  await whole.getByRole('button', { name: 'Invia adesso' }).click()
  await confirmed(panel, 'Sì, invia')
  await expect(whole.getByText('È partita per 6 persone.')).toBeVisible({ timeout: 30_000 })
  await expect(whole.getByText('Nessun rifiuto.')).toBeVisible()
  await expectAccessible(panel)
  // The server also sends a notification about the sign-in, which does not count.
  const newsletters = letters.filter((letter) => letter.includes('List-Unsubscribe: <http'))
  expect(newsletters).toHaveLength(7)
  await panel.keyboard.press('Escape')
  await ask(panel, 'PUT', '/api/admin/settings', { newsletterPace: 60 })

  await panel.getByRole('button', { name: 'Apri: Il corso di marzo' }).click()
  sheet = panel.getByRole('dialog', { name: 'Il corso di marzo' })
  await sheet.getByRole('button', { name: 'Riprendi l’invio' }).click()
  await expect(panel.getByText('Invio ripreso')).toBeVisible()
  await sheet.getByRole('button', { name: 'Ferma', exact: true }).click()
  await expect(panel.getByRole('alertdialog')).toContainText(/persone non la riceveranno/)
  await confirmed(panel, 'Ferma per sempre')
  await panel.getByText('Invio fermato').waitFor()
  await panel.keyboard.press('Escape')
  const listed = panel.getByRole('row').filter({ hasText: 'Il corso di marzo' })
  await expect(listed).toContainText('Fermata')
  await expect(listed).toContainText(/[12] di 6/)

  // Regression: the row disappeared, and the deletion of the pictures could not be requested again.
  await panel.getByRole('button', { name: 'Elimina: Poche righe' }).click()
  await panel.getByRole('alertdialog').getByRole('checkbox').check()
  const mend = await fail(panel, 'DELETE', /\/pictures$/, 500)
  await confirmed(panel, italian.elimina)
  const again = panel.getByRole('alertdialog', { name: /^Newsletter eliminata, ma/ })
  await expect(again).toBeVisible()
  await mend()
  const removals: string[] = []
  panel.on('request', (request) => {
    if (request.method() === 'DELETE') removals.push(new URL(request.url()).pathname)
  })
  await confirmed(panel, italian.riprova)
  await expectToast(panel, 'Newsletter eliminata')
  expect(removals).toEqual([expect.stringMatching(/\/sendings\/.+\/pictures$/)])
  await expect(panel.getByRole('row').filter({ hasText: 'Poche righe' })).toHaveCount(0)
})

test('addresses are found, asked to confirm, and shown with the proof of their consent', async ({
  house: { panel, letters },
}) => {
  await openArea(panel, 'newsletter', 'Newsletter')
  await expect(panel.getByText('6 indirizzi confermati.')).toBeVisible()
  const table = panel.getByRole('table', { name: /^Indirizzi: / })
  await panel.getByLabel('Cerca un indirizzo').fill('BEA')
  await expect(table.getByRole('row')).toHaveCount(2)
  await panel.getByLabel('Cerca un indirizzo').fill('')
  await panel.getByRole('combobox', { name: 'Mostra' }).selectOption({ label: 'Raccolta' })
  await expect(table.getByRole('row')).toHaveCount(3)
  await expect(panel.getByText(/^Lasciata quando il sito non poteva/)).toBeVisible()
  await expectAccessible(panel)
  await panel.setViewportSize({ width: 375, height: 812 })
  await expectAccessible(panel)
  expect(await panel.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375)

  await panel.getByRole('button', { name: 'Chiedi la conferma' }).click()
  await expect(panel.getByRole('alertdialog')).toContainText('A 2 indirizzi raccolti arriva')
  await confirmed(panel, 'Manda la richiesta')
  await expectToast(panel, 'Richieste in partenza per 2 indirizzi')
  await expect(panel.getByRole('button', { name: 'Chiedi la conferma' })).toHaveCount(0)
  const questions = () => letters.filter((letter) => letter.includes('/conferma/')).length
  await expect.poll(questions, { timeout: 20_000 }).toBe(2)

  await panel.getByRole('combobox', { name: 'Mostra' }).selectOption({ label: 'Tutti' })
  await panel.getByRole('button', { name: 'Prova del consenso: ada@example.com' }).click()
  const proof = panel.getByRole('dialog', { name: 'Prova del consenso' })
  await expect(proof).toContainText('Lista di carta')
  const link = proof.getByRole('link', { name: 'Scarica la prova' })
  const download = panel.waitForEvent('download')
  await link.click()
  expect((await download).suggestedFilename()).toBe('prova-del-consenso.txt')
  await proof.getByRole('button', { name: 'Segna come cancellata' }).click()
  await expectToast(panel, 'Non riceverà più la newsletter')
  await expect(table.getByRole('row').filter({ hasText: 'ada@' })).toContainText('Cancellata')
})

test.describe('with somebody who is gone', () => {
  test.use({ readers: ['ada@example.com', GONE] })

  test('who is refused is told, stays out, and comes back with one press', async ({
    house: { panel },
  }) => {
    await ask(panel, 'PUT', '/api/admin/settings', { newsletterPace: 360_000 })
    const sheet = await written(panel, 'Poche righe')
    await sheet.getByRole('button', { name: 'Invia adesso' }).click()
    await confirmed(panel, 'Sì, invia')
    const refused = sheet.getByRole('row').filter({ hasText: GONE })
    await expect(refused).toBeVisible({ timeout: 30_000 })
    await expect(refused).toContainText('Il suo server ha risposto: 550 5.1.1 no such user')
    await expectAccessible(panel)
    // Regression: on a phone the last column had room for one letter a line.
    await panel.setViewportSize({ width: 375, height: 812 })
    const tallest = () =>
      panel
        .locator('td')
        .evaluateAll((cells) => Math.max(...cells.map((cell) => cell.clientHeight)))
    expect(await tallest()).toBeLessThan(200)
    await panel.setViewportSize({ width: 1280, height: 720 })
    await leaveLayer(panel)
    await expect(sheet).toBeHidden()
    await panel.reload()

    const row = panel.getByRole('table', { name: /^Indirizzi: / }).getByRole('row', { name: GONE })
    await expect(row).toContainText('Non raggiungibile')
    await expect(row).toContainText('La casella non esiste (')
    await panel
      .getByRole('combobox', { name: 'Mostra' })
      .selectOption({ label: 'Messaggi tornati indietro' })
    await expect(panel.getByRole('table', { name: 'Indirizzi: 1' })).toBeVisible()
    await panel.getByRole('combobox', { name: 'Mostra' }).selectOption({ label: 'Tutti' })
    await row.getByRole('button', { name: `Prova del consenso: ${GONE}` }).click()
    const proof = panel.getByRole('dialog', { name: 'Prova del consenso' })
    await proof.getByRole('button', { name: 'Riprova al prossimo invio' }).click()
    await expectToast(panel, 'L’indirizzo è di nuovo tra quelli a cui scrivi')
    await expect(row).toContainText('Confermata')
    await expect(row).not.toContainText('La casella non esiste')
  })
})

test.describe('with more than a page of addresses', () => {
  test.use({ readers: Array.from({ length: 230 }, (_, index) => `lettore${index}@example.com`) })

  test('a long list comes by parts, and is searched whole', async ({ house: { panel } }) => {
    await openArea(panel, 'newsletter', 'Newsletter')
    const table = panel.getByRole('table', { name: 'Indirizzi: 232' })
    const rows = table.locator('tbody tr')
    await expect(rows).toHaveCount(100)
    for (const count of [200, 232]) {
      await panel.getByRole('button', { name: 'Mostra altri' }).click()
      await expect(rows).toHaveCount(count)
    }
    await expect(panel.getByRole('button', { name: 'Mostra altri' })).toHaveCount(0)
    await panel.reload()
    await panel.getByLabel('Cerca un indirizzo').fill('lettore229')
    await expect(panel.getByRole('table', { name: 'Indirizzi: 1' })).toContainText(
      'lettore229@example.com',
    )
  })
})

test('a newsletter begins with what is still to come, not with what is over', async ({
  house: { panel },
}) => {
  for (const [title, date] of [
    ['Il cerchio passato', '10/1/2020'],
    ['Il cerchio che viene', '10/1/2035'],
  ])
    await ask(panel, 'POST', '/api/admin/events', { title, date, published: true })
  await openArea(panel, 'newsletter', 'Newsletter')
  await panel.getByRole('button', { name: 'Scrivi una newsletter' }).click()
  const dialog = panel.getByRole('dialog', { name: 'Da che cosa cominci?' })
  await dialog.getByRole('button', { name: 'Da un evento' }).click()
  await expect(dialog.getByRole('button', { name: 'Il cerchio che viene' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Il cerchio passato' })).toHaveCount(0)

  const article = { slug: 'passo-lento', title: 'Il passo lento', excerpt: 'Prima di cena.' }
  await ask(panel, 'POST', '/api/admin/blog', { ...article, content: 'Respira.', published: true })
  await dialog.getByRole('button', { name: 'Da un articolo' }).click()
  await dialog.getByRole('button', { name: 'Il passo lento' }).click()
  await expectToast(panel, '«Il passo lento» è nella bozza: cambia quello che vuoi')
  const editor = panel.getByRole('dialog', { name: 'Modifica newsletter' })
  await expect(editor.getByRole('textbox', { name: 'Oggetto' })).toHaveValue('Il passo lento')
  await expect(editor.getByText('ho scritto qualcosa di nuovo: «Il passo lento».')).toBeVisible()
  await expect(editor.getByText('Prima di cena.')).toBeVisible()
  await expect(editor.getByLabel('Dove porta')).toHaveValue(
    `${originOf(panel)}/blog/${article.slug}`,
  )
})
