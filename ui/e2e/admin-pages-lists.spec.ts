// Tests every list of the site on its page: add, delete and reorder, with the pointer and with the keyboard alone.

import type { FrameLocator } from '@playwright/test'
import { expect } from './admin-kit'
import { originOf } from './admin-screen'
import { drag, drawnMs, openPage, test } from './pages-kit'

type List = {
  readonly page: string
  readonly list: string
  /** Field that names an entry. */
  readonly name: string
  /** Field that takes the caret in a new entry, if it is not the name. */
  readonly first?: string
  readonly add: string
}

const LISTS: readonly List[] = [
  { page: 'servizi', list: 'servizi.offers:offers', name: 'title', add: 'Aggiungi un servizio' },
  {
    page: 'servizi',
    list: 'pricing.packages:packages',
    name: 'title',
    add: 'Aggiungi un pacchetto',
  },
  {
    page: 'chi-sono',
    list: 'chi-sono.timeline:items',
    name: 'title',
    first: 'year',
    add: 'Aggiungi una tappa',
  },
  // These entries are in a dialog, which no script opens in the iframe.
  { page: 'home', list: 'benefits.physical:items', name: 'text', add: 'Aggiungi un beneficio' },
  { page: 'contatti', list: 'contatti.faq:items', name: 'question', add: 'Aggiungi una domanda' },
  {
    page: 'rebirthing',
    list: 'flip-cards.business:cards',
    name: 'title',
    add: 'Aggiungi una scheda',
  },
  // Regression: the back of a card could not be reached on the page.
  {
    page: 'rebirthing',
    list: 'flip-cards.sport:cards[1].items',
    name: 'text',
    add: 'Aggiungi una riga',
  },
  { page: 'home', list: 'booking.cards:cards[2].topics', name: 'text', add: 'Aggiungi un tema' },
  { page: 'home', list: 'footer.links:site', name: 'label', add: 'Aggiungi un link' },
]

/** Returns locators of the list's entries by index, and their names in page order. */
function entriesOf(frame: FrameLocator, { list, name, first = name }: List) {
  // A list of links names the services too; the last element with the path belongs to the entry.
  const at = (index: number) => frame.locator(`[data-words="${list}[${index}].${name}"]`).last()
  const place = (index: number) => frame.locator(`[data-words="${list}[${index}].${first}"]`).last()
  // One evaluate call, because the page may re-render between two.
  const names = () =>
    frame.locator('body').evaluate(
      (body, { list, name }) => {
        const found: string[] = []
        // A text that has its editor shows the apostrophe as it was typed.
        const plain = ({ textContent }: Element) =>
          textContent.replace(/\s/g, ' ').replaceAll('’', "'")
        for (let place: Element | undefined; ; found.push(plain(place))) {
          const path = `${list}[${found.length}].${name}`
          place = [...body.querySelectorAll(`[data-words="${path}"]`)].at(-1)
          if (place === undefined) return found
        }
      },
      { list, name },
    )
  return { at, names, place }
}

for (const one of LISTS) {
  const { page, list, add } = one

  test(`${list} grows, shrinks and is put in order by pointer`, async ({ panel }) => {
    await panel.setViewportSize({ width: 1440, height: 1400 })
    const frame = await openPage(panel, page)
    const { at, names, place } = entriesOf(frame, one)
    const before = await names()
    // Hovers next to the "add" row: on the way from the first entry the page would move under the pointer.
    await at(before.length - 1).hover()
    await frame.getByRole('button', { name: add, exact: true }).click()
    const made = at(before.length)
    await expect(place(before.length)).toBeFocused({ timeout: drawnMs })
    // Tab moves to the name where it is the second field.
    if (one.first !== undefined) await panel.keyboard.press('Tab')
    await panel.keyboard.type('Una voce di prova')
    await expect(made).toHaveText('Una voce di prova')

    await made.hover()
    await frame.getByRole('button', { name: 'Elimina: Una voce di prova' }).click()
    await expect(made).toHaveCount(0, { timeout: drawnMs })
    expect(await names()).toEqual(before)

    const [first = '', second = '', ...others] = before
    await at(0).hover()
    await drag(panel, frame.getByRole('button', { name: /^Sposta: / }), at(1))
    await panel.mouse.up()
    await expect.poll(names, { timeout: drawnMs }).toEqual([second, first, ...others])
  })

  test(`${list} grows, shrinks and is put in order by keys alone`, async ({ panel }) => {
    const frame = await openPage(panel, page)
    const { at, names, place } = entriesOf(frame, one)
    const before = await names()
    const own = frame.locator(`[data-words^="${list}["]`)
    await own.last().focus()
    await panel.keyboard.press('Tab')
    const row = frame.getByRole('button', { name: add, exact: true })
    // The "add" row of a list nested in an entry comes first in tab order.
    if ((await row.count()) === 0) await panel.keyboard.press('Tab')
    await expect(row).toBeFocused()
    await panel.keyboard.press('Enter')
    const made = at(before.length)
    await expect(place(before.length)).toBeFocused({ timeout: drawnMs })
    // Tab moves to the name where it is the second field.
    if (one.first !== undefined) await panel.keyboard.press('Tab')
    await panel.keyboard.type('Una voce di prova')
    await expect(made).toHaveText('Una voce di prova')

    await panel.keyboard.press('Alt+Enter')
    await panel.keyboard.press('Space')
    await panel.keyboard.press('ArrowUp')
    await panel.keyboard.press('Enter')
    const moved = [...before.slice(0, -1), 'Una voce di prova', before.at(-1) ?? '']
    await expect.poll(names, { timeout: drawnMs }).toEqual(moved)
    const said = `Una voce di prova posato in posizione ${before.length}`
    await expect(frame.getByRole('status').filter({ hasText: said })).toBeAttached()

    await panel.keyboard.press('Tab')
    await panel.keyboard.press('Tab')
    await expect(frame.getByRole('button', { name: 'Elimina: Una voce di prova' })).toBeFocused()
    await panel.keyboard.press('Enter')
    await expect.poll(names, { timeout: drawnMs }).toEqual(before)
  })
}

// Regression: the page had no control for an empty list, so only the form could fill it.
test('a list that is empty has its row at what it belongs to', async ({ panel }) => {
  const frame = await openPage(panel, 'home')
  const card = 'booking.cards:cards[0]'
  await frame.locator(`[data-words="${card}.title"]`).hover()
  await expect(frame.getByRole('button', { name: 'Aggiungi: Schede' })).toBeVisible()
  await frame.getByRole('button', { name: 'Aggiungi un tema' }).click()
  const topic = frame.locator(`[data-words="${card}.topics[0].text"]`)
  await expect(topic).toBeFocused({ timeout: drawnMs })
  await panel.keyboard.type('Il primo tema')
  await panel.keyboard.press('Alt+Enter')
  await panel.keyboard.press('Tab')
  await panel.keyboard.press('Tab')
  await panel.keyboard.press('Enter')
  await expect(topic).toHaveCount(0, { timeout: drawnMs })
  // With the keyboard: the row follows the last text of the card.
  await frame.locator(`[data-words^="${card}."]`).last().focus()
  await panel.keyboard.press('Tab')
  await expect(frame.getByRole('button', { name: 'Aggiungi un tema' })).toBeFocused()
})

// Regression: the page omits a link without a target, so an added link was not visible anywhere.
test('what the page does not show yet is made in its form', async ({ panel }) => {
  const frame = await openPage(panel, 'home')
  const contacts = frame.locator('[data-words^="footer.links:contacts["]')
  await contacts.last().hover()
  await frame.getByRole('button', { name: 'Aggiungi un link' }).click()
  const label = panel.locator('[id="w-footer.links-contacts-3-label"]')
  await expect(label).toBeFocused({ timeout: drawnMs })
  await panel.keyboard.type('Scrivimi')
  const target = '[id="w-footer.links-contacts-3-labelLink'
  await panel.locator(`${target}"]`).selectOption('page')
  await panel.locator(`${target}-page"]`).selectOption('/contatti')
  await expect(contacts.last()).toHaveText('Scrivimi', { timeout: drawnMs })
})

// Regression: the form subscribes to its texts after its first frame, and the letters before it were lost.
test('letters that are typed as soon as a form opens stay', async ({ panel }) => {
  const frame = await openPage(panel, 'home')
  const id = 'w-footer.links-contacts-3-label'
  await panel.evaluate((field) => {
    document.addEventListener('focusin', async ({ target }) => {
      if (!(target instanceof HTMLInputElement) || target.id !== field || target.value !== '')
        return
      for (const letter of 'Scrivimi') {
        document.execCommand('insertText', false, letter)
        // Renders and flushes what follows the letter, but no frame.
        for (let turns = 0; turns < 20; turns += 1) await Promise.resolve()
      }
    })
  }, id)
  await frame.locator('[data-words^="footer.links:contacts["]').last().hover()
  await frame.getByRole('button', { name: 'Aggiungi un link' }).click()
  const label = panel.locator(`[id="${id}"]`)
  await expect(label).toBeFocused({ timeout: drawnMs })
  await expect(label).toHaveValue('Scrivimi')
})

test('both sides of a card that turns are seen and typed, on a phone too', async ({ panel }) => {
  const frame = await openPage(panel, 'rebirthing')
  const card = 'flip-cards.business:cards[0]'
  const back = frame.locator(`[data-words="${card}.backTitle"]`)
  await back.click()
  await panel.keyboard.press('ControlOrMeta+a')
  await panel.keyboard.type('Che cosa resta')
  await expect(back).toHaveText('Che cosa resta')
  // Tab leads from the front to the back.
  await frame.locator(`[data-words="${card}.text"]`).focus()
  await panel.keyboard.press('Tab')
  await expect(back).toBeFocused()
  await panel.keyboard.press('Tab')
  await expect(frame.locator(`[data-words="${card}.items[0].text"]`)).toBeFocused()
  // Side by side the two texts would overlap.
  const [front, other] = await Promise.all(
    ['title', 'backTitle'].map((name) =>
      frame.locator(`[data-words="${card}.${name}"]`).boundingBox(),
    ),
  )
  expect((other?.y ?? 0) - (front?.y ?? 0)).toBeGreaterThan(80)

  await panel.setViewportSize({ width: 360, height: 740 })
  await panel.goto(`${originOf(panel)}/admin#/pagine`)
  await panel.goto(`${originOf(panel)}/admin#/pagine/rebirthing`)
  await frame.locator(`[data-words="${card}.items[1].text"]`).click({ timeout: drawnMs })
  const field = panel.locator('[id="w-flip-cards.business-cards-0-items-1-text"]')
  await expect(field).toBeFocused()
  await field.fill('Sul telefono')
  await expect(frame.locator(`[data-words="${card}.items[1].text"]`)).toHaveText('Sul telefono')
})

test('at 360 px the name of a text stands free of the tools of its entry, which a thumb can hit', async ({
  panel,
}) => {
  await panel.setViewportSize({ width: 360, height: 740 })
  await panel.goto(`${originOf(panel)}/admin#/pagine`)
  await panel.goto(`${originOf(panel)}/admin#/pagine/chi-sono`)
  const frame = panel.frameLocator('iframe')
  await frame.locator('[data-words="chi-sono.timeline:items[1].year"]').click({ timeout: drawnMs })
  const year = panel.locator('[id="w-chi-sono.timeline-items-1-year"]')
  await year.fill("Nell'estate del 1993")
  const [name, tools] = [frame.locator('#words-over .label'), frame.locator('#words-over .pill')]
  await expect(name).toContainText('20 / 20', { timeout: drawnMs })
  const overlap = async () => {
    const [one, other] = [await name.boundingBox(), await tools.boundingBox()]
    if (one === null || other === null) return true
    const isApart = one.y + one.height <= other.y || other.y + other.height <= one.y
    return !isApart && one.x + one.width > other.x && other.x + other.width > one.x
  }
  await expect.poll(overlap).toBe(false)
  const grip = panel
    .getByRole('complementary')
    .getByRole('button', { name: /^Sposta: / })
    .first()
  const box = await grip.boundingBox()
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
})

test.describe('under a finger', () => {
  test.use({ viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true })

  // Regression: the tools were 38 px, as with a mouse.
  test('each tool over the page is as large as a fingertip', async ({ panel }) => {
    await panel.goto(`${originOf(panel)}/admin#/pagine/chi-sono`)
    const frame = panel.frameLocator('iframe')
    await frame.locator('[data-words="chi-sono.timeline:items[1].year"]').tap({ timeout: drawnMs })
    const tools = frame.locator('#words-over .pill button')
    await expect(tools).toHaveCount(3)
    for (const tool of await tools.all()) {
      const box = await tool.boundingBox()
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
    }
    // No tool may lie outside the iframe, above or beside.
    const hidden = async () => {
      const pill = await frame.locator('#words-over .pill').boundingBox()
      const around = await panel.locator('iframe').boundingBox()
      if (pill === null || around === null) return Number.NaN
      const beside = Math.max(around.x - pill.x, pill.x + pill.width - around.x - around.width)
      return Math.max(0, around.y - pill.y, beside)
    }
    await expect.poll(hidden).toBe(0)
  })
})

// Regression: the first typed character copied the dot between two facts into the text.
test('the words of the program around hers are none of hers', async ({ panel }) => {
  const frame = await openPage(panel, 'home')
  const format = frame.locator('[data-words="booking.cards:cards[0].format"]')
  await expect(format).toHaveText('Uno a uno')
  await format.click()
  await panel.keyboard.press('End')
  await panel.keyboard.type(', da te')
  const field = panel.locator('[id="w-booking.cards-cards-0-format"]')
  await expect(field).toHaveValue('Uno a uno, da te')
  // Visually hidden text is not editable. Regression: a title could be typed there too, behind 'Che cosa comprende'.
  const servizi = await openPage(panel, 'servizi')
  await expect(servizi.locator('[data-words="pricing.packages:packages[0].title"]')).toHaveCount(1)
})

// Regression: details elements with one name close each other, so only the last of eight answers was visible.
test('every answer is open, and typed where it stands', async ({ panel }) => {
  const frame = await openPage(panel, 'contatti')
  const answers = frame.locator('[data-words^="contatti.faq:items"][data-words*="].answer"]')
  const count = await answers.count()
  expect(count).toBeGreaterThan(7)
  await expect(answers.locator('visible=true')).toHaveCount(count)
  await answers.nth(1).click()
  await panel.keyboard.press('ControlOrMeta+End')
  await panel.keyboard.type(' E altro ancora.')
  const drawn = panel.waitForResponse(/\/preview$/)
  await expect(answers.nth(1)).toContainText('E altro ancora.')
  await drawn
  await expect(answers.locator('visible=true')).toHaveCount(count)
})

// Regression: the tools hang above their entry, where the entry before it was nearer: a click moved the entry up.
test('a click on the grip, with either button, moves nothing', async ({ panel }) => {
  await panel.setViewportSize({ width: 1440, height: 1400 })
  const frame = await openPage(panel, 'contatti')
  const faq = { page: 'contatti', list: 'contatti.faq:items', name: 'question', add: '' }
  const { at, names } = entriesOf(frame, faq)
  const before = await names()
  await at(2).hover()
  const grip = frame.getByRole('button', { name: /^Sposta: / })
  await grip.click()
  await grip.click({ button: 'right' })
  await expect(grip).toBeVisible()
  expect(await names()).toEqual(before)
  const none = { name: 'Niente da annullare', includeHidden: true } as const
  await expect(panel.getByRole('button', none)).not.toHaveCount(0)
})
