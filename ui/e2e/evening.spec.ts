// Plays a first evening from an empty data file to a published event, article and price: by keys on a laptop and by
// touch on a phone. Every press has to change something on the screen, and nothing that was typed may be lost.

import { join } from 'node:path'
import type { Frame, Locator, Page } from '@playwright/test'
import { pictures } from './admin-kinds'
import { italian } from './italian'
import { plainly } from './pages-kit'
import { start } from './program'
import { account, expect, test } from './test'

/** Longest wait for an answer on a busy machine; how long an answer takes is not asserted. */
const answerMs = 20_000
/** A focus that has not moved by then does not move. */
const focusMs = 2_000
/** More presses of Tab than any screen of the panel needs. */
const tabsMax = 200

/** What a person sees of the panel: texts, values, the focus, pressed controls and scroll positions, in frames too. */
async function screenOf(page: Page): Promise<string> {
  const texts = await Promise.all(page.frames().map((frame) => textOf(frame).catch(() => '')))
  return `${page.url()}\n${texts.join('\n')}`
}

function textOf(frame: Frame): Promise<string> {
  return frame.evaluate(() => {
    const fields = [...document.querySelectorAll('input, textarea, select')].map((one) => {
      const { value, checked } = one as HTMLInputElement
      return `${value}${checked}`
    })
    const states = [...document.querySelectorAll('button, summary, [aria-selected], details')].map(
      (one) =>
        ['aria-pressed', 'aria-selected', 'aria-expanded', 'aria-busy', 'open']
          .map((name) => one.getAttribute(name))
          .join(),
    )
    const focus = document.activeElement
    const at = focus === null ? -1 : [...document.querySelectorAll('*')].indexOf(focus)
    // biome-ignore lint/performance/useDomNodeTextContent: hidden texts are no answer
    return [document.body.innerText, fields, states, at, scrollY].join('\n')
  })
}

/** The focused element, in frames too. */
function focusOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    let at = document.activeElement
    let path = ''
    while (at !== null) {
      const all = [...at.ownerDocument.querySelectorAll('*')]
      path += ` ${at.localName}#${all.indexOf(at)}`
      at = at instanceof HTMLIFrameElement ? (at.contentDocument?.activeElement ?? null) : null
    }
    return path
  })
}

/** A date field takes Tab for its own parts: day, month, year, hours, minutes. */
function isInDate(page: Page): Promise<boolean> {
  return page.evaluate(() => document.activeElement?.matches('[type=datetime-local]') === true)
}

/** One way to use the panel. */
type Hand = {
  readonly press: (control: Locator) => Promise<void>
  readonly type: (field: Locator, text: string) => Promise<void>
  /** Presses without a visible answer. */
  readonly unanswered: string[]
  readonly presses: () => number
}

function handOf(page: Page, isTouch: boolean): Hand {
  const unanswered: string[] = []
  let presses = 0
  const answered = async (name: string, press: () => Promise<void>) => {
    const before = await screenOf(page)
    presses += 1
    await press()
    const isChanged = async () => (await screenOf(page)) !== before
    await expect
      .poll(isChanged, { timeout: answerMs })
      .toBe(true)
      .catch(() => unanswered.push(name))
  }
  const nameOf = (control: Locator) =>
    control.evaluate((one) => one.getAttribute('aria-label') ?? one.textContent ?? one.id)
  const isFocused = (control: Locator) =>
    control.evaluate((one) => one === one.ownerDocument.activeElement)
  /** Only the focus answers to Tab. */
  const tab = async () => {
    const before = await focusOf(page)
    presses += 1
    await page.keyboard.press('Tab')
    const isMoved = async () => (await focusOf(page)) !== before
    if ((await isMoved()) || (await isInDate(page))) return
    await expect
      .poll(isMoved, { timeout: focusMs })
      .toBe(true)
      .catch(() => unanswered.push(`Tab at ${before}`))
  }
  /** Moves the focus by Tab; a control that no Tab reaches is a dead end. */
  const reach = async (control: Locator) => {
    await expect(control).toBeVisible({ timeout: answerMs })
    for (let tabs = 0; !(await isFocused(control)); tabs += 1) {
      if (tabs === tabsMax) throw new Error(`no Tab reaches «${await nameOf(control)}»`)
      await tab()
    }
  }
  return {
    unanswered,
    presses: () => presses,
    press: async (control) => {
      if (!isTouch) await reach(control)
      await expect(control).toBeEnabled({ timeout: answerMs })
      const name = await nameOf(control)
      await answered(name, () => (isTouch ? control.tap() : page.keyboard.press('Enter')))
    },
    type: async (field, text) => {
      if (isTouch) await field.tap()
      else await reach(field)
      await answered(`«${text}»`, () => page.keyboard.type(text))
    },
  }
}

async function createAccount(page: Page, hand: Hand) {
  await hand.type(page.getByLabel(italian.eMail), account.email)
  await hand.type(page.getByRole('textbox', { name: italian.password }), account.password)
  await hand.press(page.getByRole('button', { name: italian.continua }))
  await expect(page.getByText(italian.passo1Di4)).toBeVisible({ timeout: answerMs })
  await hand.type(page.getByLabel('Nome e cognome'), 'Anna Esempio')
  await hand.press(page.getByRole('button', { name: italian.continua }))
  await expect(page.getByText('Passo 2 di 4')).toBeVisible({ timeout: answerMs })
  await hand.press(page.getByRole('button', { name: italian.loFaccioDopo }))
  await expect(page.getByRole('heading', { name: 'Anna' })).toBeVisible()
  await hand.press(page.getByRole('link', { name: italian.testimonianzeCorsisti }))
  await expect(page.getByRole('heading', { name: italian.adminPanel })).toBeVisible()
}

/** Chooses a picture as the system's file chooser would hand it over. */
async function choosePicture(page: Page, hand: Hand, control: Locator) {
  const chooser = page.waitForEvent('filechooser')
  const given = chooser.then((one) => one.setFiles(pictures.slice(0, 1)))
  await hand.press(control)
  await given
}

function isPhone(page: Page): boolean {
  return page.viewportSize()?.width === 390
}

async function publishEvent(page: Page, hand: Hand) {
  const tabs = page.getByRole('tab')
  if (isPhone(page)) await hand.press(tabs.last())
  else {
    // The keys of a tab list: one tab is in the tab order, End goes to the last one.
    await tabs.first().focus()
    await page.keyboard.press('End')
  }
  await hand.press(page.getByRole('button', { name: 'Aggiungi Evento' }).first())
  const made = page.getByRole('dialog', { name: italian.nuovoEvento })
  const file = made.getByLabel(italian.selezionaUnaOPiuImmagini)
  await choosePicture(page, hand, isPhone(page) ? made.locator('label:has([type=file])') : file)
  await hand.type(made.getByLabel(italian.titolo), 'Serata sul lago')
  await hand.type(made.getByLabel(italian.data), 'sabato 12 giugno 2027')
  await hand.type(made.getByLabel(italian.orario), 'ore 20,30')
  await hand.press(made.getByRole('button', { name: italian.caricaEvento }))
  await expect(page.getByText('1 eventi caricati con successo!')).toBeVisible({ timeout: 60_000 })
  await hand.press(page.getByRole('button', { name: 'Modifica: Serata sul lago' }))
  const dialog = page.getByRole('dialog', { name: italian.modificaEvento })
  await expect(dialog.getByLabel(italian.data)).toHaveValue('sabato 12 giugno 2027')
  await hand.press(dialog.getByRole('button', { name: italian.pubblicaEvento }))
  await expect(page.getByText(italian.eventoPubblicatoConSuccesso)).toBeVisible()
  await expect(dialog).toBeHidden()
}

async function openArea(page: Page, hand: Hand, name: string) {
  const menu = page.locator('summary[aria-label^="Menu:"]')
  const link = page.locator('header').getByRole('link', { name, exact: true })
  if (!(await link.first().isVisible())) await hand.press(menu)
  await hand.press(link.filter({ visible: true }))
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible({ timeout: answerMs })
}

/** The article is interrupted by a reload in the middle, as by a telephone that needs the memory. */
async function publishArticle(page: Page, hand: Hand) {
  await openArea(page, hand, 'Blog')
  const add = page.getByRole('button', { name: italian.nuovoArticolo })
  await hand.press(add.first())
  const dialog = page.getByRole('dialog')
  await hand.type(dialog.getByLabel(italian.titolo, { exact: true }), 'Il respiro della sera')
  const text = dialog.getByRole('textbox', { name: italian.testo, exact: true })
  await hand.type(text, 'Siediti e ascolta.')
  await page.waitForFunction(() => JSON.stringify(localStorage).includes('Siediti e ascolta'))
  await page.reload()
  await hand.press(add.first())
  await hand.press(dialog.getByRole('button', { name: italian.riprendi }))
  await expect(dialog.getByLabel(italian.titolo, { exact: true })).toHaveValue(
    'Il respiro della sera',
  )
  await expect(text).toContainText('Siediti e ascolta.')
  await hand.press(dialog.getByRole('button', { name: /^Pubblica( Articolo)?$/ }))
  await expect(dialog).toBeHidden({ timeout: answerMs })
}

async function publishPrice(page: Page, hand: Hand) {
  await openArea(page, hand, 'Pagine')
  await hand.type(page.getByRole('searchbox', { name: italian.trovaNelSito }), '95 €')
  await hand.press(
    page
      .getByRole('main')
      .getByRole('link', { name: /Servizi.*95/ })
      .first(),
  )
  const price = page.getByLabel('Prezzo', { exact: true }).filter({ visible: true }).first()
  await expect(price).toHaveValue(/95/, { timeout: answerMs })
  await hand.type(price, '')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('99')
  await hand.press(page.getByRole('button', { name: italian.pubblica, exact: true }))
  // Other sentences of the pages still say 95 €.
  const stale = page.getByRole('alertdialog').filter({ hasText: 'prezzo vecchio' })
  await hand.press(stale.getByRole('button', { name: 'Correggi tutte' }))
  await expect(page.getByText(/aggiorna(ta|te) in \d+ ms/)).toBeVisible({ timeout: 60_000 })
}

async function expectEvening(page: Page, origin: string) {
  const text = async (path: string) => plainly(await (await page.request.get(origin + path)).text())
  expect(await text('/eventi')).toContain('Serata sul lago')
  expect(await text('/blog')).toContain('Il respiro della sera')
  expect(await text('/servizi')).toContain('99 €')
  expect(await text('/')).toContain('Anna Esempio')
}

for (const [how, options] of Object.entries({
  keys: { viewport: { width: 1366, height: 768 } },
  touch: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
})) {
  test.describe(`by ${how}`, () => {
    test.use(options)

    test('an evening ends with an event, an article and a price on the site', async ({
      page,
      folder,
      atEnd,
    }) => {
      test.setTimeout(300_000)
      const program = await start(join(folder, 'respiro.redb'))
      atEnd(() => program.stop())
      // Enables the events early: the answer of the browser came after the press that opened the chooser.
      page.on('filechooser', () => undefined)
      await page.goto(program.setupLink ?? '')
      const hand = handOf(page, how === 'touch')
      await createAccount(page, hand)
      await publishEvent(page, hand)
      await publishArticle(page, hand)
      await publishPrice(page, hand)
      await expectEvening(page, program.origin)
      expect(hand.unanswered).toEqual([])
      expect(hand.presses()).toBeGreaterThan(20)
    })
  })
}
