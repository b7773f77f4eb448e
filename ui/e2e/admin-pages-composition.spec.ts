// Tests of input methods, dead keys, dictation and autocorrect in every kind of text, through the browser's own
// composition events.

import type { CDPSession, Locator, Page } from '@playwright/test'
import { ask, expect, forgetDrafts } from './admin-kit'
import { BIOGRAPHY, openPage, reset, test, withChips } from './pages-kit'

/** Composes in steps, as an input method shows its candidates, and commits the last one. */
async function compose(session: CDPSession, steps: readonly string[], committed: string) {
  for (const text of steps) {
    await session.send('Input.imeSetComposition', {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    })
  }
  await session.send('Input.insertText', { text: committed })
}

const PLACES = [
  { page: 'servizi', path: 'servizi.hero:title', kind: 'a line' },
  { page: 'chi-sono', path: 'chi-sono.biography:text', kind: 'paragraphs with a chip' },
  { page: 'cookie', path: 'legal.cookies:sections[0].text', kind: 'rich text' },
] as const

async function opened(panel: Page, page: string, path: string): Promise<Locator> {
  const text = (await openPage(panel, page)).locator(`[data-words="${path}"]`)
  await text.click()
  await expect(text).toBeFocused()
  await panel.keyboard.press('ControlOrMeta+End')
  return text
}

for (const { page, path, kind } of PLACES) {
  test(`what an input method composes is typed once, in ${kind}`, async ({ panel }) => {
    if (page === 'chi-sono') await withChips(panel)
    const text = await opened(panel, page, path)
    const session = await panel.context().newCDPSession(panel)
    const former = (await text.textContent()) ?? ''
    await panel.keyboard.type(' perch')
    // A dead key: the accent alone, then the letter with it.
    await compose(session, ['`'], 'é')
    await expect(text).toHaveText(`${former} perché`)
    await compose(session, ['k', 'か', 'かん'], '感')
    await expect(text).toHaveText(`${former} perché感`)
    const stored = () => panel.evaluate(() => JSON.stringify({ ...localStorage }))
    await expect.poll(stored).toContain('perché感')
    // Undo reverts the composed text like typed text, in as many steps as there were pauses.
    await expect(async () => {
      await panel.keyboard.press('ControlOrMeta+z')
      await expect(text).toHaveText(former, { timeout: 1_000 })
    }).toPass()
    await forgetDrafts(panel)
    if (page === 'chi-sono') await reset(panel, 'chi-sono.biography')
  })

  // The pauses in which text is stored and the page is rendered again come while the list of candidates is open.
  test(`a composition goes on over a pause, in ${kind}`, async ({ panel }) => {
    const text = await opened(panel, page, path)
    const session = await panel.context().newCDPSession(panel)
    const former = (await text.textContent()) ?? ''
    const rendered = panel.waitForResponse(/\/words\/preview$/)
    await compose(session, ['k', 'かん'], 'かん')
    await session.send('Input.imeSetComposition', {
      text: 'じ',
      selectionStart: 1,
      selectionEnd: 1,
    })
    await rendered
    await compose(session, ['じ', 'じょう'], '情')
    await expect(text).toHaveText(`${former}かん情`)
    await expect(text).toBeFocused()
    await forgetDrafts(panel)
  })

  // Safari sends the Enter or Escape that ends a composition after it, with this key code alone.
  test(`a key that ends a composition is no command, in ${kind}`, async ({ panel }) => {
    const text = await opened(panel, page, path)
    await panel.keyboard.type(' aggiunto')
    const blocks = text.locator('p')
    const count = await blocks.count()
    for (const key of ['Enter', 'Escape']) {
      await text.evaluate((element, name) => {
        const init = { key: name, keyCode: 229, bubbles: true, cancelable: true }
        element.dispatchEvent(new KeyboardEvent('keydown', init))
      }, key)
    }
    await expect(text).toContainText('aggiunto')
    await expect(text).toBeFocused()
    expect(await blocks.count()).toBe(count)
    await panel.keyboard.press('Escape')
    await expect(text).not.toContainText('aggiunto')
    await forgetDrafts(panel)
  })

  test(`a word that autocorrect or dictation replaces is replaced, in ${kind}`, async ({
    panel,
  }) => {
    const text = await opened(panel, page, path)
    const session = await panel.context().newCDPSession(panel)
    const former = (await text.textContent()) ?? ''
    await panel.keyboard.type(' respoiro')
    await panel.keyboard.press('Shift+ControlOrMeta+ArrowLeft')
    await session.send('Input.insertText', { text: 'respiro' })
    await session.send('Input.insertText', { text: ', una frase intera dettata' })
    await expect(text).toHaveText(`${former} respiro, una frase intera dettata`)
    await forgetDrafts(panel)
  })

  test(`the browser checks the spelling in Italian, in ${kind}`, async ({ panel }) => {
    const text = await opened(panel, page, path)
    await expect(text).toHaveAttribute('lang', 'it')
    await expect(text).toHaveJSProperty('spellcheck', true)
  })
}

test('the fields of the form are spelled in Italian, amounts and addresses are not', async ({
  panel,
}) => {
  const frame = await openPage(panel, 'servizi')
  await frame.locator('[data-words="servizi.offers:offers[0].price"]').first().click()
  const field = (name: string) => panel.locator(`[id="w-servizi.offers-offers-0-${name}"]`)
  await expect(field('title')).toHaveJSProperty('spellcheck', true)
  await expect(field('title')).toHaveAttribute('lang', 'it')
  await expect(field('price')).toHaveJSProperty('spellcheck', false)
})

test('a text with a chip takes a composition in the form, and the page follows', async ({
  panel,
}) => {
  const brand = await withChips(panel)
  const frame = await openPage(panel, 'chi-sono')
  const onPage = frame.locator('[data-words="chi-sono.biography:text"]')
  await onPage.click()
  const field = panel.locator('[id="w-chi-sono.biography-text"]')
  await field.focus()
  await panel.keyboard.press('ControlOrMeta+End')
  const session = await panel.context().newCDPSession(panel)
  await compose(session, ['`', 'è'], 'è')
  await expect(field.locator('p').last()).toHaveText('Poi altro.è')
  await expect(onPage.locator('p').last()).toHaveText('Poi altro.è')
  await expect(onPage).toContainText(brand)
  const { value } = await ask<{ value: { text: unknown } }>(panel, 'GET', BIOGRAPHY)
  expect(value.text).toEqual({ text: ['Mi chiamo ', { setting: 'brand' }, '.\n\nPoi altro.'] })
  await forgetDrafts(panel)
  await reset(panel, 'chi-sono.biography')
})
