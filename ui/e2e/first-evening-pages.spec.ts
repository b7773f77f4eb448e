// Tests of what a practitioner stumbled over while she edited pages on her first evening.

import type { Page } from '@playwright/test'
import { ask, expect, forgetDrafts } from './admin-kit'
import { originOf, toast } from './admin-screen'
import { italian } from './italian'
import { BIOGRAPHY, drawnMs, openPage, publish, reset, test } from './pages-kit'

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
const laptop = { viewport: { width: 1366, height: 768 } }
const faq = (index: number, field: string) => `[data-words="contatti.faq:items[${index}].${field}"]`

for (const [screen, options] of Object.entries({ 'on a phone': phone, 'on a laptop': laptop })) {
  test.describe(screen, () => {
    test.use(options)

    for (const name of ['contatti', 'chi-sono', 'home'])
      test(`a press on the picture or drawing of ${name} opens its field`, async ({ panel }) => {
        await panel.goto(`${originOf(panel)}/admin#/pagine/${name}`)
        const picture = panel
          .frameLocator('iframe')
          .locator('main :is(img, [data-drawing])')
          .first()
        // A text or a scrim may lie over it.
        const position = name === 'chi-sono' ? {} : { position: { x: 300, y: 20 } }
        await picture.click({ force: true, timeout: drawnMs, ...position })
        const field = panel.locator('aside fieldset:has(input[type=file])').first()
        await expect(field).toBeInViewport()
      })

    test('the menu of pages keeps its name with text twice as large', async ({ panel }) => {
      await panel.goto(`${originOf(panel)}/admin#/pagine/contatti`)
      const question = panel.frameLocator('iframe').locator(faq(0, 'question'))
      await expect(question).toBeVisible({ timeout: drawnMs })
      if (options === laptop) {
        await question.click()
        await panel.keyboard.type('Domanda: ')
      }
      await panel.evaluate(() => {
        document.documentElement.style.fontSize = '200%'
      })
      const name = panel.locator('summary[aria-label^="Cambia pagina"] > span')
      const hiddenPx = () => name.evaluate((text) => text.scrollWidth - text.clientWidth)
      await expect.poll(hiddenPx).toBe(0)
      for (const button of [italian.pubblica, /Cambia pagina/])
        await expect(
          panel.getByRole('button', { name: button }).or(panel.getByLabel(button)).first(),
        ).toBeInViewport({ ratio: 1 })
      await forgetDrafts(panel)
    })

    test('the message after publishing keeps its words whole with text twice as large', async ({
      panel,
    }) => {
      await panel.goto(`${originOf(panel)}/admin#/pagine/contatti`)
      await panel.evaluate(() => {
        document.documentElement.style.fontSize = '200%'
      })
      const question = panel.frameLocator('iframe').locator(faq(0, 'question'))
      if (options === laptop) {
        await question.click({ timeout: drawnMs })
        await panel.keyboard.type('Domanda: ')
      } else {
        await question.tap({ timeout: drawnMs })
        await panel.locator('aside').getByLabel('Domanda').first().fill('Domanda nuova?')
        await panel.locator('aside').getByRole('button', { name: 'Fatto' }).click()
      }
      await publish(panel)
      const text = toast(panel).locator('p').first()
      expect((await text.boundingBox())?.width).toBeGreaterThan(150)
      const box = await toast(panel).getByRole('status').boundingBox()
      expect(box?.x).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(options.viewport.width)
      await reset(panel, 'contatti.faq')
    })
  })
}

test.describe('on a laptop', () => {
  test.use(laptop)

  test('a double click on a bin deletes one entry', async ({ panel }) => {
    const frame = await openPage(panel, 'contatti')
    const questions = frame.locator('[data-words^="contatti.faq:items["][data-words$=".question"]')
    const before = await questions.count()
    await frame.locator(faq(1, 'question')).hover()
    await frame
      .getByRole('button', { name: /^Elimina/ })
      .first()
      .dblclick()
    await expect(questions).toHaveCount(before - 1)
    await panel
      .getByRole('button', { name: /^Annulla: / })
      .first()
      .click()
    await expect(questions).toHaveCount(before)
  })

  test('Enter in an answer keeps the words apart', async ({ panel }) => {
    const frame = await openPage(panel, 'contatti')
    const answer = frame.locator(faq(0, 'answer'))
    const before = (await answer.textContent()) ?? ''
    await answer.click()
    await panel.keyboard.press('Control+End')
    await panel.keyboard.press('Enter')
    await panel.keyboard.type('Poi altro')
    await expect(answer).toHaveText(`${before} Poi altro`)
    await forgetDrafts(panel)
  })
})

test.describe('on a phone', () => {
  test.use(phone)

  test('a double tap on a bin deletes one entry', async ({ panel }) => {
    const frame = await openPhonePage(panel)
    const questions = frame.locator('[data-words^="contatti.faq:items["][data-words$=".question"]')
    const before = await questions.count()
    await frame.locator(faq(1, 'question')).tap()
    const bin = panel
      .locator('aside')
      .getByRole('button', { name: /^Elimina: / })
      .first()
    await bin.scrollIntoViewIfNeeded()
    const box = await bin.boundingBox()
    const [x, y] = [(box?.x ?? 0) + 20, (box?.y ?? 0) + 20]
    await panel.touchscreen.tap(x, y)
    await panel.touchscreen.tap(x, y)
    await expect(questions).toHaveCount(before - 1)
    await panel.evaluate(() => new Promise((next) => requestAnimationFrame(() => setTimeout(next))))
    expect(await questions.count()).toBe(before - 1)
    await forgetDrafts(panel)
  })

  test('Enter in an answer keeps the words apart', async ({ panel }) => {
    const frame = await openPhonePage(panel)
    const answer = frame.locator(faq(0, 'answer'))
    const before = (await answer.textContent()) ?? ''
    await answer.tap()
    await expect(panel.locator('aside :focus')).toBeVisible()
    await panel.keyboard.press('Control+End')
    await panel.keyboard.press('Enter')
    await panel.keyboard.type('Poi altro')
    await expect(answer).toHaveText(`${before} Poi altro`)
    await forgetDrafts(panel)
  })
})

/** Opens 'Contatti' where every text is a button that opens the sheet. */
async function openPhonePage(panel: Page) {
  await panel.goto(`${originOf(panel)}/admin#/pagine/contatti`)
  const frame = panel.frameLocator('iframe')
  await expect(frame.locator(faq(0, 'question'))).toHaveRole('button', { timeout: drawnMs })
  return frame
}

/** Opens the list of sections, which on a phone is a sheet. */
async function openSections(panel: Page, isPhone: boolean) {
  if (!isPhone) return openPage(panel, 'contatti')
  const frame = await openPhonePage(panel)
  await panel.getByRole('button', { name: italian.questaPagina, exact: true }).tap()
  return frame
}

for (const [screen, options] of Object.entries({ 'on a phone': phone, 'on a laptop': laptop })) {
  test.describe(screen, () => {
    test.use(options)

    test('a section that the panel opens starts at the top of the screen', async ({ panel }) => {
      const frame = await openSections(panel, options === phone)
      await panel.locator('aside').getByRole('button', { name: 'Domande frequenti' }).click()
      const title = frame.locator('[data-words="contatti.faq:title"]')
      await expect(title).toBeInViewport()
      const top = await title.evaluate(
        (element) => element.getBoundingClientRect().top / innerHeight,
      )
      expect(top).toBeLessThan(0.35)
    })

    test('versions have their place while they are read', async ({ panel }) => {
      await openSections(panel, options === phone)
      let release: () => void = () => undefined
      const held = new Promise<void>((done) => {
        release = done
      })
      await panel.route(/\/versions$/, async (route) => {
        await held
        await route.continue()
      })
      await panel.locator('aside').getByRole('button', { name: 'Domande frequenti' }).click()
      await panel.getByRole('button', { name: 'Versioni' }).click()
      const dialog = panel.getByRole('dialog', { name: 'Versioni' })
      await expect(dialog.getByRole('status').locator('i').first()).toBeVisible({ timeout: 1_000 })
      release()
      await expect(dialog.getByRole('status').locator('i')).toHaveCount(0, { timeout: drawnMs })
    })

    test('an answer does not change how many statements there are', async ({ panel }) => {
      type Words = { value: { text: unknown } }
      const { value } = await ask<Words>(panel, 'GET', BIOGRAPHY)
      const text = 'Parole mie.\n\nE ancora mie.'
      const paragraphs = String(value.text).split('\n\n')
      await ask(panel, 'PUT', BIOGRAPHY, {
        value: { ...value, text: [text, ...paragraphs.slice(2)].join('\n\n') },
      })
      await panel.reload()
      const asked = panel.getByRole('region', { name: 'Da confermare' })
      const count = async () =>
        /Confermate \d+ su (\d+)/.exec((await asked.textContent()) ?? '')?.[1]
      await expect(asked).toContainText('Confermate')
      const total = await count()
      const begin = asked.getByRole('button', { name: 'Leggi le frasi' })
      if (await begin.isVisible()) await begin.click()
      await asked.getByRole('button', { name: italian.eVero }).locator('visible=true').click()
      await expect(toast(panel)).toContainText('Confermato')
      expect(await count()).toBe(total)
      await reset(panel, 'chi-sono.biography')
    })
  })
}
