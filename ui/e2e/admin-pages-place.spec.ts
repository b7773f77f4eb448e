// Tests of controls on the page itself: rows that add entries,
// hints on words, search hits, files dropped on illustrations.

import { expect, forget, makeTestimonial } from './admin-kit'
import { originOf, toast } from './admin-screen'
import { italian } from './italian'
import { drawnMs, letGo, openPage, publicText, reset, test } from './pages-kit'

// Regression: the page did not show that a list can grow, because only the tools of an entry had a plus.
test('a row under a list adds to it, by pointer and by Tab, and what is new is typed', async ({
  panel,
}) => {
  const frame = await openPage(panel, 'servizi')
  const titles = frame.locator(
    'h2[data-words^="servizi.offers:offers"], h2 [data-words^="servizi.offers:offers"]',
  )
  await titles.first().hover()
  const row = frame.getByRole('button', { name: 'Aggiungi un servizio' })
  await expect(row).toBeVisible()
  const before = await titles.count()
  await row.click()
  await expect(titles).toHaveCount(before + 1, { timeout: drawnMs })
  await expect(frame.locator(':focus')).toHaveAttribute(
    'data-words',
    `servizi.offers:offers[${before}].title`,
  )
  await panel.keyboard.type('Una proposta nuova')
  await expect(panel.getByRole('button', { name: 'Sposta: Una proposta nuova' })).toBeAttached()
  await panel.getByRole('button', { name: /^Annulla: / }).click()

  // Tab leads from the last text of a list to its "add" row, and on to the next element.
  await panel.reload()
  const features = frame.locator('[data-words^="servizi.offers:offers[0].features"]')
  await features.last().focus({ timeout: drawnMs })
  await panel.keyboard.press('Tab')
  const add = frame.getByRole('button', { name: 'Aggiungi una riga' })
  await expect(add).toBeFocused()
  await panel.keyboard.press('Shift+Tab')
  await expect(features.last()).toBeFocused()
  await panel.keyboard.press('Tab')
  const count = await features.count()
  await panel.keyboard.press('Enter')
  await expect(features).toHaveCount(count + 1, { timeout: drawnMs })
  await expect(features.last()).toBeFocused()
  await panel.keyboard.type('Una riga in più')
  await panel.keyboard.press('Tab')
  await panel.keyboard.press('Tab')
  await expect(frame.locator(':focus')).not.toHaveAttribute('data-words', /features/)
})

test('a word of medicine is marked where it stands, and another takes its place', async ({
  panel,
}) => {
  const frame = await openPage(panel, 'servizi')
  const subtitle = frame.locator('[data-words="servizi.hero:subtitle"]')
  await subtitle.fill('Non è magia. Una terapia del respiro.')
  const marked = () =>
    subtitle.evaluate(() => {
      const marks = CSS.highlights.get('words-concern') ?? []
      return [...marks].map((range) => range.toString())
    })
  await expect.poll(marked).toEqual(['terapia'])
  await panel.keyboard.press('End')
  for (let letter = 0; letter < ' respiro. del'.length; letter += 1) {
    await panel.keyboard.press('ArrowLeft')
  }
  await panel.keyboard.press('Alt+Enter')
  const hint = panel.getByRole('dialog', { name: '«terapia» è una parola della medicina' })
  await expect(hint.getByRole('button').first()).toBeFocused()
  await panel.keyboard.press('Escape')
  await expect(hint).toHaveCount(0)
  await expect(subtitle).toBeFocused()
  await panel.keyboard.press('Alt+Enter')
  await hint.getByRole('button', { name: 'percorso' }).click()
  await expect(subtitle).toHaveText('Non è magia. Una percorso del respiro.')
  // Article and noun stay selected, because the admin has to make them agree.
  await panel.keyboard.type('Un percorso')
  await expect(subtitle).toHaveText('Non è magia. Un percorso del respiro.')
  await expect.poll(marked).toEqual([])

  // In the form, with the pointer: 'Lascia così' holds until the text changes.
  const field = panel.getByRole('textbox', { name: 'Sottotitolo', exact: true })
  const line = panel.locator('aside i[style]')
  // The mark of the former word disappears once the form has received the typed text.
  await expect(line).toHaveCount(0)
  await field.fill('Una cura.')
  await expect(line).toHaveCount(1)
  const box = await line.boundingBox()
  if (box === null) throw new Error('no line')
  await panel.mouse.click(box.x + box.width / 2, box.y - 4)
  const other = panel.getByRole('dialog', { name: '«cura» è una parola della medicina' })
  // Regression: a click on the explanation closed it.
  await other.getByRole('paragraph').first().click()
  await other.getByRole('button', { name: 'Lascia così' }).click()
  await expect(line).toHaveCount(0)
  await expect.poll(marked).toEqual([])
  await field.fill('Una cura, ancora.')
  await expect.poll(marked).toEqual(['cura'])
})

// Marks are updated in the pause after a key press. Regression: a click or a key before that used the old positions.
test('a word that was typed or moved a moment ago is met by the press that follows at once', async ({
  panel,
}) => {
  const frame = await openPage(panel, 'servizi')
  const subtitle = frame.locator('[data-words="servizi.hero:subtitle"]')
  await subtitle.click()
  await panel.keyboard.press('ControlOrMeta+a')
  await panel.keyboard.type('Per te.')
  await panel.keyboard.press('End')
  // All in one task, so that the typing pause has not elapsed; the editor reads the text in a microtask of it.
  await subtitle.evaluate(async (element) => {
    const page = element.ownerDocument
    page.execCommand('insertText', false, ' Una cura')
    await Promise.resolve()
    const selection = page.getSelection()
    const range = page.createRange()
    const text = selection?.focusNode
    if (!text) throw new Error('no caret')
    range.setStart(text, (text.textContent ?? '').length - 2)
    range.setEnd(text, (text.textContent ?? '').length - 1)
    const box = range.getBoundingClientRect()
    const where = { clientX: box.x + 1, clientY: box.y + box.height / 2 }
    element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...where }))
  })
  const hint = panel.getByRole('dialog', { name: '«cura» è una parola della medicina' })
  await expect(hint).toBeVisible()
  await panel.keyboard.press('Escape')
  await expect(hint).toHaveCount(0)

  const field = panel.getByRole('textbox', { name: 'Sottotitolo', exact: true })
  await expect(field).toHaveValue('Per te. Una cura')
  await expect(panel.locator('aside i[style]')).toHaveCount(1)
  await field.evaluate((element: HTMLTextAreaElement) => {
    element.focus()
    element.setSelectionRange(0, 0)
    document.execCommand('insertText', false, 'Adesso, ')
    const at = element.value.indexOf('cura') + 1
    element.setSelectionRange(at, at)
    const init = { key: 'Enter', altKey: true, bubbles: true, cancelable: true }
    element.dispatchEvent(new KeyboardEvent('keydown', init))
  })
  await hint.getByRole('button').first().click()
  // The suggestion replaces the letters of the marked word itself.
  await expect(field).toHaveValue(/^Adesso, Per te\. Una (?!cura)\p{L}+$/u)
})

test('a word in an article and in an event is marked too', async ({ panel }) => {
  await panel.goto(`${originOf(panel)}/admin#/blog`)
  await panel.getByRole('button', { name: italian.nuovoArticolo }).first().click()
  const dialog = panel.getByRole('dialog')
  const text = dialog.locator('.ProseMirror')
  await text.click({ timeout: drawnMs })
  await panel.keyboard.type('La guarigione')
  const marked = () =>
    panel.evaluate(() => {
      const marks = CSS.highlights.get('words-concern') ?? []
      return [...marks].map((range) => range.toString())
    })
  await expect.poll(marked).toEqual(['guarigione'])
  await panel.keyboard.press('Alt+Enter')
  const hint = panel.getByRole('dialog', { name: /«guarigione»/ })
  await hint.getByRole('button', { name: 'rinascita' }).click()
  await expect(text).toHaveText('La rinascita')
})

test('a hit in an item opens its form, and Back leads to the search', async ({ panel }) => {
  const { id } = await makeTestimonial(panel, 'Zenobia Q.', {
    testimonial: 'Un ricordo di zafferano.',
    published: false,
  })
  await panel.goto(`${originOf(panel)}/admin#/pagine`)
  await panel.getByRole('searchbox', { name: italian.trovaNelSito }).fill('zafferano')
  await panel.getByRole('link', { name: /Zenobia/ }).click()
  const dialog = panel.getByRole('dialog')
  await expect(dialog.getByLabel('Testimonianza').first()).toHaveValue('Un ricordo di zafferano.')
  await panel.goBack()
  await expect(dialog).toHaveCount(0)
  await panel.goBack()
  await expect(panel.getByRole('searchbox', { name: italian.trovaNelSito })).toBeVisible()
  await forget(panel, 'course-testimonials', id)
})

/** Page, element that the file is dropped on, and the field whose picture it becomes. */
const DRAWN: readonly (readonly [string, string, string])[] = [
  ['servizi', 'main section:first-of-type svg', 'servizi.hero:picture'],
  // From here on the site has an own photograph, and the other illustrations are quiet.
  [
    'home',
    'article:has([data-words^="home.audiences:cards[0]"]) figure',
    'home.audiences:cards[0].picture',
  ],
  ['rebirthing', 'figure [data-drawing]', 'flip-cards.business:picture'],
  [
    'chi-sono',
    'section:has(> * [data-words^="chi-sono.book:"]) [data-drawing]',
    'chi-sono.book:cover',
  ],
  ['blog', 'footer section svg', 'footer.certificate:picture'],
  ['home', 'main > section:first-of-type [data-drawing]', 'home.hero:pictureOne'],
]

// Regression: beside an own photograph the other illustrations are quiet, and a file dropped on one was lost.
test('a file let go over any drawing is the picture there, beside photographs too', async ({
  panel,
}) => {
  test.setTimeout(400_000)
  for (const [page, over, place] of DRAWN) {
    const frame = await openPage(panel, page)
    await letGo(frame.locator(over).first())
    const [block = '', field = ''] = place.split(':')
    const id = `w-${block}-${field.replace(/\[(\d+)\]\.?/g, '-$1-')}`
    const own = panel.getByRole('complementary').locator('fieldset', {
      has: panel.locator(`[id="${id}"]`),
    })
    await expect(own.getByAltText(italian.immagineAttuale).first(), place).toBeAttached({
      timeout: 60_000,
    })
    if (page !== 'servizi') continue
    await panel.getByRole('button', { name: italian.pubblica, exact: true }).click()
    await expect
      .poll(() => publicText(panel, '/servizi'), { timeout: drawnMs })
      .toContain('/objects/uploads/')
  }
  await reset(panel, 'servizi.hero')
})

// Regression: the file was ignored without a message.
test('a file let go where no picture stands is told so', async ({ panel }) => {
  const frame = await openPage(panel, 'cookie')
  await letGo(frame.locator('[data-words="legal.cookies:sections[0].text"]'))
  await expect(toast(panel)).toContainText(/Qui non c.è posto per un.immagine/)
})

const PAGES = [
  'home',
  'chi-sono',
  'rebirthing',
  'servizi',
  'testimonianze',
  'eventi',
  'blog',
  'contatti',
]

// Regression: the link over a whole card, the button over a list of benefits, and on phones the button that opens a
// service caught the presses on the texts below them.
test('every text of a page is pressed where it is read, on a phone too', async ({ panel }) => {
  test.setTimeout(400_000)
  for (const page of PAGES) {
    await panel.setViewportSize({ width: 1280, height: 800 })
    const frame = await openPage(panel, page)
    const covered = () =>
      frame.locator('body').evaluate((body) => {
        const pathOf = (element: Element | null | undefined) => element?.getAttribute('data-words')
        const found: string[] = []
        for (const place of body.querySelectorAll('[data-words]')) {
          const isShown = place.checkVisibility({ visibilityProperty: true })
          if (!isShown || place.closest('body > :not(header, main, footer)') !== null) continue
          place.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
          const [box] = place.getClientRects()
          if (box === undefined) continue
          const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
          const hit = place.ownerDocument.elementFromPoint(x, y)?.closest('[data-words]')
          if (pathOf(hit) !== pathOf(place)) found.push(`${pathOf(place)} under ${pathOf(hit)}`)
        }
        return found
      })
    expect(await covered(), page).toEqual([])
    await panel.setViewportSize({ width: 360, height: 740 })
    expect(await covered(), `${page} on a phone`).toEqual([])
  }
})
