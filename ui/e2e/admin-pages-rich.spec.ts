// Tests of rich text and texts with chips that are edited on the page.

import type { Locator, Page } from '@playwright/test'
import { ask, expect } from './admin-kit'
import { originOf } from './admin-screen'
import { italian } from './italian'
import { drawnMs, openPage, publicText, publish, reset, settled, test } from './pages-kit'
import { expectAccessible } from './test'

const FIRST = '[data-words="legal.cookies:sections[0].text"]'

/** Publishes a section with a chip and a list. */
async function withChip(panel: Page) {
  const block = '/api/admin/words/legal.cookies'
  const { value } = await ask<{ value: { sections: object[] } }>(panel, 'GET', block)
  const text = { text: ['Ciao da ', { setting: 'brand' }, '.\n\n- **Uno**\n- Due'] }
  const [first, ...others] = value.sections
  const sections = [{ ...first, text }, ...others]
  await ask(panel, 'PUT', block, { value: { ...value, sections } })
}

// Regression: the editor loaded at the first press, and characters typed before it had come were lost.
test('a text is typed in at the press, without another request', async ({ panel, context }) => {
  await withChip(panel)
  const frame = await openPage(panel, 'cookie')
  await context.setOffline(true)
  const text = frame.locator(FIRST)
  await text.locator('li').last().click()
  await panel.keyboard.type(' volted')
  await panel.keyboard.press('Backspace')
  await expect(text.locator('li').last()).toHaveText('Due volte')
  await context.setOffline(false)
  await reset(panel, 'legal.cookies')
})

// Regression: the text could be edited in the form only, and a text with a chip showed its Markdown there.
test('a section of a legal page is typed on the page, with marks, lists and chips', async ({
  panel,
}) => {
  await withChip(panel)
  const frame = await openPage(panel, 'cookie')
  const text = frame.locator(FIRST)
  await expect(text).toHaveText(/^Ciao da .+\.\s*Uno\s*Due$/)
  await text.locator('li').last().click()
  await panel.keyboard.press('End')
  await panel.keyboard.type(' volte')
  await expect(text.locator('[data-words-chip]')).toHaveCount(1)
  await panel.keyboard.press('Shift+ControlOrMeta+ArrowLeft')
  const tools = panel.getByRole('toolbar', { name: italian.formatoDelTesto })
  await tools.getByRole('button', { name: /^Grassetto/ }).click()
  await expect(text.locator('li').last().locator('strong')).toHaveText('volte')
  await settled(text)
  await panel.keyboard.press('ArrowRight')
  await panel.keyboard.press('Enter')
  await panel.keyboard.type('Tre')
  await expect(text.locator('li')).toHaveCount(3)
  // The form beside it shows the same text, without Markdown syntax.
  const form = panel.locator('[id="w-legal.cookies-sections-0-text"]')
  await form.scrollIntoViewIfNeeded()
  await expect(form).toContainText('Tre')
  await expect(form).not.toContainText('**')
  // Undo works across fields: this one and a title.
  const title = frame.getByRole('textbox', { name: /^Cookie Policy, Titolo/ }).first()
  await title.click()
  await panel.keyboard.press('End')
  await panel.keyboard.type(' mio')
  await panel.keyboard.press('Control+z')
  await expect(title).not.toContainText('mio')
  await panel.keyboard.press('Control+z')
  await expect(text).not.toContainText('Tre')
  await panel.keyboard.press('Control+Shift+z')
  await expect(text).toContainText('Tre')
  await publish(panel)
  const page = await publicText(panel, '/cookies')
  expect(page).toMatch(/<li>Due <strong>volte<\/strong><\/li><li>Tre<\/li>/)
  const { value } = await ask<{ value: { sections: { text: unknown }[] } }>(
    panel,
    'GET',
    '/api/admin/words/legal.cookies',
  )
  expect(value.sections[0]?.text).toEqual({
    text: ['Ciao da ', { setting: 'brand' }, '.\n\n- **Uno**\n- Due **volte**\n- Tre'],
  })
  await reset(panel, 'legal.cookies')
})

// Regression: the editor cancelled Ctrl+Z and Ctrl+Y although it has no history of its own, so nothing happened.
for (const [platform, command] of [
  ['Linux x86_64', 'Control'],
  ['MacIntel', 'Meta'],
] as const) {
  test(`steps go back and forth from inside of a text, across fields (${platform})`, async ({
    panel,
  }) => {
    await panel.addInitScript((name) => {
      Object.defineProperty(navigator, 'platform', { get: () => name })
    }, platform)
    await panel.reload()
    const frame = await openPage(panel, 'cookie')
    const title = frame.getByRole('textbox', { name: /^Cookie Policy, Titolo/ }).first()
    await title.click()
    await panel.keyboard.press('End')
    await panel.keyboard.type(' mio')
    const text = frame.locator(FIRST)
    const form = panel.locator('[id="w-legal.cookies-sections-0-text"]')
    await form.scrollIntoViewIfNeeded()
    for (const [field, other] of [
      [text, form],
      [form, text],
    ] as const) {
      await field.click()
      await expect(field).toHaveAttribute('contenteditable', 'true')
      await settled(field)
      await panel.keyboard.press('ControlOrMeta+End')
      await panel.keyboard.press(`${command}+b`)
      await panel.keyboard.type(' Appena adesso')
      await expect(field.locator('strong', { hasText: 'Appena adesso' })).toBeVisible()
      // Immediately, before the typing pause has elapsed.
      await panel.keyboard.press(`${command}+z`)
      await expect(field).not.toContainText('Appena adesso')
      await expect(field).toBeFocused()
      await panel.keyboard.press(`${command}+z`)
      await expect(title).not.toContainText('mio')
      await panel.keyboard.press(`${command}+y`)
      await expect(title).toContainText('mio')
      await field.focus()
      await panel.keyboard.press(`${command}+Shift+z`)
      await expect(field).toContainText('Appena adesso')
      await expect(field).toBeFocused()
      await panel.keyboard.type('!')
      await expect(other).toContainText('Appena adesso!')
      await panel.keyboard.press(`${command}+z`)
      await panel.keyboard.press(`${command}+z`)
      await expect(other).not.toContainText('Appena adesso')
    }
  })
}

/**
 * Returns the rendered HTML without the elements that only the editor needs, such as the paragraph inside a list item.
 */
function drawnIn(text: Locator) {
  return text.evaluate((element) => {
    const copy = element.cloneNode(true) as Element
    for (const own of copy.querySelectorAll('.ProseMirror-trailingBreak')) own.remove()
    for (const one of copy.querySelectorAll('li > p:only-of-type'))
      one.replaceWith(...one.childNodes)
    return copy.innerHTML.replaceAll('\u00a0', ' ').replaceAll('<br>', '<br/>')
  })
}

// Regression: nested lists, line breaks and further paragraphs of a list item were in the editor, but not on the site.
test('lines and lists in lists stand on the site as they were typed and pasted', async ({
  panel,
}) => {
  await withChip(panel)
  const frame = await openPage(panel, 'cookie')
  const text = frame.locator(FIRST)
  await text.click()
  await expect(text).toHaveAttribute('contenteditable', 'true')
  await settled(text)
  await panel.keyboard.press('ControlOrMeta+a')
  await panel.keyboard.type('Via Roma 1')
  await panel.keyboard.press('Shift+Enter')
  await panel.keyboard.type('22100 Como')
  await panel.keyboard.press('Enter')
  for (const [line, key] of [
    ['3. uno', 'Enter'],
    ['due', 'Tab'],
  ] as const) {
    await panel.keyboard.type(line)
    await panel.keyboard.press(key)
  }
  await panel.keyboard.press('Enter')
  await panel.keyboard.press('Shift+Tab')
  await text.evaluate((element) => {
    const clipboardData = new DataTransfer()
    const item =
      '<li>tre<ul><li>sotto<br>riga</li></ul></li><li><p>a</p><p><s>b</s> <code>c</code></p></li>'
    clipboardData.setData('text/html', `<ol>${item}</ol><pre>uno</pre>`)
    const init = { clipboardData, bubbles: true, cancelable: true }
    element.dispatchEvent(new ClipboardEvent('paste', init))
  })
  await expect(text).toContainText('riga')
  const shown = await drawnIn(text)
  expect(shown).toContain(
    '<p>Via Roma 1<br/>22100 Como</p><ol start="3"><li>uno<ol><li>due</li></ol>',
  )
  expect(shown).toContain('<ul><li>sotto<br/>riga</li></ul></li><li><p>a</p><p>b c</p></li>')
  const inForm = panel.locator('[id="w-legal.cookies-sections-0-text"] ol').first()
  await expect(inForm).toHaveCSS('list-style-type', 'decimal')
  await expect(inForm.locator('li').first()).toHaveCSS('border-bottom-width', '0px')
  await publish(panel)
  expect(await publicText(panel, '/cookies')).toContain(shown)
  await panel.goto(`${originOf(panel)}/cookies`)
  const list = panel.locator('main article ol').first()
  await expect(list).toHaveCSS('list-style-type', 'decimal')
  await reset(panel, 'legal.cookies')
})

test('on a page too a typed address is a link, and a pasted one links the marked words', async ({
  panel,
}) => {
  await withChip(panel)
  const frame = await openPage(panel, 'cookie')
  const text = frame.locator(FIRST)
  await text.click()
  await expect(text).toHaveAttribute('contenteditable', 'true')
  await settled(text)
  await panel.keyboard.press('ControlOrMeta+a')
  await panel.keyboard.type('Vedi www.example.it e la scheda')
  await expect(text.locator('a')).toHaveText('www.example.it')
  await panel.keyboard.press('ControlOrMeta+Shift+ArrowLeft')
  await text.evaluate((element) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'https://example.com/scheda')
    const init = { clipboardData, bubbles: true, cancelable: true }
    element.dispatchEvent(new ClipboardEvent('paste', init))
  })
  await expect(text.locator('a').last()).toHaveText('scheda')
  await expect(text.locator('a').last()).toHaveAttribute('href', 'https://example.com/scheda')
  await panel.keyboard.press('ControlOrMeta+a')
  await text.evaluate((element) => {
    const clipboardData = new DataTransfer()
    const html =
      '<ol start="5"><li>cinque</li></ol><p><a href="#">Su</a></p><table><tr><td>a<td>b</table>'
    clipboardData.setData('text/html', html)
    const init = { clipboardData, bubbles: true, cancelable: true }
    element.dispatchEvent(new ClipboardEvent('paste', init))
  })
  await expect(text).toContainText('a – b')
  expect(await drawnIn(text)).toBe('<ol start="5"><li>cinque</li></ol><p>Su</p><p>a – b</p>')
  await reset(panel, 'legal.cookies')
})

test('by keys alone a text gets a link and a chip goes as one sign', async ({ panel }) => {
  await withChip(panel)
  const frame = await openPage(panel, 'cookie')
  const text = frame.locator(FIRST)
  await text.focus()
  await expect(text).toHaveAttribute('contenteditable', 'true')
  await settled(text)
  await panel.keyboard.press('ControlOrMeta+Home')
  await panel.keyboard.press('Shift+ControlOrMeta+ArrowRight')
  await panel.keyboard.press('Alt+F10')
  const tools = panel.getByRole('toolbar', { name: italian.formatoDelTesto })
  await expect(tools.getByRole('button').first()).toBeFocused()
  await panel.keyboard.press('Escape')
  await expect(text).toBeFocused()
  await settled(text)
  await panel.keyboard.press('Control+k')
  await panel.keyboard.type('/contatti')
  await panel.keyboard.press('Enter')
  await expect(text.locator('a[href="/contatti"]')).toBeAttached()
  await expect(text).toBeFocused()
  await settled(text)
  await panel.keyboard.press('Home')
  for (let letter = 0; letter < 'Ciao da '.length; letter += 1) {
    await panel.keyboard.press('ArrowRight')
  }
  await panel.keyboard.press('Delete')
  await expect(text.locator('[data-words-chip]')).toHaveCount(0)
  await expect(text.locator('p').first()).toHaveText('Ciao da .')
  // Escape restores the text as it was when it was entered.
  await panel.keyboard.press('Escape')
  // Its words, not the chip: the rendering of the server, which may come before this look, marks no chips.
  await expect(text.locator('p').first()).toHaveText(/^Ciao da \S.*\.$/)
  // The text from before the link too. Regression: returning from the link dialog counted as entering the text anew.
  await expect(text.locator('a[href="/contatti"]')).toHaveCount(0)
  await reset(panel, 'legal.cookies')
})

test('on a phone the sheet shows words and chips, and the page follows', async ({ panel }) => {
  await withChip(panel)
  await panel.setViewportSize({ width: 360, height: 740 })
  await panel.goto(`${originOf(panel)}/admin#/pagine/cookie`)
  const frame = panel.frameLocator('iframe')
  const text = frame.locator(FIRST)
  await expect(text).toHaveAccessibleName(/^Modifica: .+Ciao da .+\. Uno Due$/, {
    timeout: drawnMs,
  })
  // Screen readers read the name of a button as a whole. Regression: the name contained the full text of the section.
  const second = frame.locator('[data-words="legal.cookies:sections[1].text"]')
  await expect(second).toHaveAccessibleName(/^Modifica: .{20,200}…$/)
  await text.click({ timeout: drawnMs })
  const field = panel.locator('[id="w-legal.cookies-sections-0-text"]')
  // Regression: the entry around the field was closed, so its editor did not exist yet when the focus was set.
  await expect(field).toBeFocused({ timeout: drawnMs })
  await expect(field.locator('[data-words-chip]')).toHaveCount(1)
  await expect(field).not.toContainText('**')
  // Typing continues at the end of the text. Regression: the caret was at the beginning.
  await settled(field)
  await panel.keyboard.type(' volte')
  await expect(text).toContainText('Due volte')
  await panel.getByRole('button', { name: 'Testo successivo' }).click()
  await expect(field).not.toBeFocused()
  await panel.getByRole('button', { name: 'Testo precedente' }).click()
  await expect(field).toBeFocused()
  await settled(field)
  await panel.keyboard.type(' e oltre')
  await expect(text).toContainText('Due volte e oltre')
  await expect(panel.getByRole('toolbar', { name: italian.formatoDelTesto })).toBeVisible()
  expect(await panel.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  // Escape closes the sheet, as from every other field. Regression: the editor cancelled the key.
  await panel.keyboard.press('Escape')
  await expect(field).toHaveCount(0)
  await reset(panel, 'legal.cookies')
})

test('paragraphs with a chip are typed on the page', async ({ panel }) => {
  const block = '/api/admin/words/chi-sono.biography'
  const { value } = await ask<{ value: Record<string, unknown> }>(panel, 'GET', block)
  const text = { text: ['Mi chiamo ', { setting: 'brand' }, '.\n\nPoi altro.'] }
  await ask(panel, 'PUT', block, { value: { ...value, text } })
  const frame = await openPage(panel, 'chi-sono')
  const first = frame.locator('[data-words="chi-sono.biography:text"] > p:first-child')
  await first.click()
  await panel.keyboard.press('End')
  await panel.keyboard.type(' Qui.')
  await expect(first.locator('[data-words-chip]')).toHaveCount(1)
  const page = () => publicText(panel, '/chi-sono')
  await panel.getByRole('button', { name: italian.pubblica, exact: true }).click()
  await expect.poll(page, { timeout: drawnMs }).toContain('. Qui.')
  const saved = await ask<{ value: Record<string, unknown> }>(panel, 'GET', block)
  expect(saved.value.text).toEqual({
    text: ['Mi chiamo ', { setting: 'brand' }, '. Qui.\n\nPoi altro.'],
  })
  await reset(panel, 'chi-sono.biography')
})

// Regression: text is flushed in typing pauses, and a phone that
// suspended the panel before the pause had not stored it.
test('the last letters are kept when the panel is put aside', async ({ panel }) => {
  const frame = await openPage(panel, 'cookie')
  const text = frame.locator(FIRST)
  await text.focus()
  await expect(text).toHaveAttribute('contenteditable', 'true')
  await settled(text)
  const kept = await text.evaluate(async (element) => {
    const page = element.ownerDocument
    page.execCommand('insertText', false, 'Appena adesso')
    // The editor reads the typed text first; its own pause is longer.
    await new Promise((next) => setTimeout(next, 20))
    window.parent.document.dispatchEvent(new Event('visibilitychange'))
    return JSON.stringify({ ...window.parent.localStorage })
  })
  expect(kept).toContain('Appena adesso')
})

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [360, 375, 1440]) {
    test(`a rich text with its tools has no fault that axe finds (${colorScheme}, ${width})`, async ({
      panel,
    }) => {
      await panel.emulateMedia({ colorScheme })
      await panel.setViewportSize({ width, height: 800 })
      await panel.goto(`${originOf(panel)}/admin#/pagine/cookie`)
      const isNarrow = width < 960
      const onPage = panel.frameLocator('iframe').locator(FIRST)
      await onPage.click({ timeout: drawnMs })
      const form = panel.locator('[id="w-legal.cookies-sections-0-text"]')
      const text = isNarrow ? form : onPage
      await expect(text).toBeFocused({ timeout: drawnMs })
      await expect(text).toHaveAttribute('contenteditable', 'true')
      await settled(text)
      await panel.keyboard.press('ControlOrMeta+Home')
      await panel.keyboard.press('Shift+ControlOrMeta+ArrowRight')
      const tools = panel.getByRole('toolbar', { name: italian.formatoDelTesto })
      await expect(tools).toBeVisible()
      await expectAccessible(panel)
      await panel.keyboard.press('Control+b')
      await expect(text.locator('strong').first()).toBeVisible()
      await panel.keyboard.press('Control+k')
      await expect(panel.locator('input:focus')).toBeVisible()
      await expectAccessible(panel)
      await panel.keyboard.press('Escape')
      const wide = await panel.evaluate(() => document.documentElement.scrollWidth)
      expect(wide).toBeLessThanOrEqual(width)
      await panel.getByRole('button', { name: /guardal[ae]$/ }).click()
      await expect(panel.getByRole('dialog')).toBeVisible()
      await expectAccessible(panel)
    })
  }
}
