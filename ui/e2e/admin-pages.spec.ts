// Tests the main task of 'Pagine': the admin edits text on the page, publishes it, and the site shows it.

import { ask, expect, forgetDrafts } from './admin-kit'
import { originOf, toast } from './admin-screen'
import { italian } from './italian'
import { drawnMs, openPage, publicText, publish, reset, test } from './pages-kit'
import { expectAccessible } from './test'

test('what is typed on the page is on the site when it is published, and taken back', async ({
  panel,
}) => {
  const frame = await openPage(panel, 'servizi')
  const title = frame.getByRole('textbox', { name: italian.aperturaTitolo })
  await title.click()
  await panel.keyboard.press('End')
  await panel.keyboard.type(' <b>miei</b>')
  await expect(panel.getByLabel(italian.titolo, { exact: true }).first()).toHaveValue(
    'I Nostri Servizi <b>miei</b>',
  )
  await expect(panel.getByRole('button', { name: /^Una modifica non pubblicata/ })).toBeVisible()
  expect(await publicText(panel, '/servizi')).not.toContain('miei')
  await publish(panel)
  const written = await publicText(panel, '/servizi')
  expect(written).toMatch(/<h1>I Nostri Servizi &lt;b(>|&gt;)miei&lt;\/b(>|&gt;)<\/h1>/)
  expect(written).not.toMatch(/[\u200b\u200c\u2063]/)

  await toast(panel).getByRole('button', { name: italian.annulla }).click()
  await expect(toast(panel)).toContainText('Tutto come prima', { timeout: drawnMs })
  expect(await publicText(panel, '/servizi')).toContain('I Nostri Servizi</h1>')
  // The admin's text is a draft again. Regression: it remained in 'Versioni' only.
  await expect(panel.getByRole('button', { name: /^Una modifica non pubblicata/ })).toBeVisible()
  await panel.keyboard.press('Control+z')
  await expect(title).toHaveText(italian.iNostriServizi)
})

test('a paste of lines with a dress keeps every word apart, and nothing else', async ({
  panel,
}) => {
  const frame = await openPage(panel, 'servizi')
  const title = frame.getByRole('textbox', { name: italian.aperturaTitolo })
  await title.click()
  await panel.keyboard.press('ControlOrMeta+a')
  await title.evaluate((element) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'Le mie\r\n\r\nproposte\n<b>nuove</b>')
    clipboardData.setData('text/html', '<h1 style="color:red">Le mie<br>proposte</h1>')
    const init = { clipboardData, bubbles: true, cancelable: true }
    element.dispatchEvent(new ClipboardEvent('paste', init))
  })
  await expect(title).toHaveText('Le mie proposte <b>nuove</b>')
  await expect(panel.getByLabel(italian.titolo, { exact: true }).first()).toHaveValue(
    'Le mie proposte <b>nuove</b>',
  )
  await expect(toast(panel)).toContainText('Incollato senza la formattazione')
  // One undo reverts the paste.
  await panel.keyboard.press('Control+z')
  await expect(title).toHaveText(italian.iNostriServizi)
})

test('undo goes across fields, Escape gives back what was there', async ({ panel }) => {
  const frame = await openPage(panel, 'servizi')
  const title = frame.getByRole('textbox', { name: italian.aperturaTitolo })
  await title.click()
  await panel.keyboard.press('End')
  await panel.keyboard.type(' qui')
  await panel.getByLabel('Sottotitolo').fill('Un altro sottotitolo')
  const subtitle = frame.getByRole('textbox', { name: 'Apertura, Sottotitolo' })
  await expect(subtitle).toHaveText('Un altro sottotitolo')
  await panel.keyboard.press('Control+z')
  await expect(subtitle).toContainText('A tu per tu')
  await panel.keyboard.press('Control+z')
  await expect(title).toHaveText(italian.iNostriServizi)
  await panel.keyboard.press('Control+Shift+z')
  await expect(title).toHaveText('I Nostri Servizi qui')
  await title.click()
  await panel.keyboard.type('xyz')
  await panel.keyboard.press('Escape')
  await expect(title).toHaveText('I Nostri Servizi qui')
  await panel.getByRole('button', { name: italian.scarta, exact: true }).click()
  await panel
    .getByRole('alertdialog', { name: 'Scartare la modifica?' })
    .getByRole('button', { name: 'Scarta la modifica' })
    .click()
  await expect(title).toHaveText(italian.iNostriServizi, { timeout: drawnMs })
})

test('an entry is moved, added and taken away by keys alone', async ({ panel }) => {
  const frame = await openPage(panel, 'servizi')
  await panel.getByRole('button', { name: italian.iServizi }).click()
  const side = panel.getByRole('complementary', { name: italian.iServizi })
  await side.getByRole('button', { name: 'Sposta: Sessioni di gruppo' }).focus()
  await panel.keyboard.press('ArrowUp')
  await expect(side.getByRole('button', { name: 'Sposta: Sessioni di gruppo' })).toBeFocused()
  const names = frame.locator('[data-words^="servizi.offers:offers"][data-words$=".title"]')
  await expect(names.first()).toHaveText('Sessioni di gruppo', { timeout: drawnMs })

  // Deleting keeps the focus: it moves to the entry that takes the position.
  const entries = side.getByRole('button', { name: /^Sposta: / })
  const [first = '', after = ''] = await entries.evaluateAll((all) =>
    all.map((one) => one.ariaLabel ?? ''),
  )
  await side.locator('summary').first().click()
  await side
    .getByRole('button', { name: /^Elimina: / })
    .first()
    .focus()
  await panel.keyboard.press('Enter')
  await expect(side.getByRole('button', { name: first })).toHaveCount(0)
  await expect(side.getByRole('button', { name: after })).toBeFocused()
  await panel.keyboard.press('Control+z')
  await expect(side.getByRole('button', { name: first })).toBeVisible()

  // On the page: the tools of the entry, then Space, arrow keys, Enter.
  await names.first().focus()
  await panel.keyboard.press('Alt+Enter')
  const grip = frame.getByRole('button', { name: 'Sposta: Sessioni di gruppo' })
  await expect(grip).toBeFocused()
  await panel.keyboard.press('Space')
  await panel.keyboard.press('ArrowRight')
  await panel.keyboard.press('ArrowRight')
  await panel.keyboard.press('Enter')
  await expect(names.nth(2)).toHaveText('Sessioni di gruppo', { timeout: drawnMs })
  await publish(panel)
  const page = (await publicText(panel, '/servizi')).replace(/^.*<main/s, '')
  expect(page.indexOf('Formazione per facilitatori')).toBeLessThan(
    page.indexOf('Sessioni di gruppo'),
  )
  await reset(panel, 'servizi.offers')
})

test('two tabs on one text: both stand side by side, nothing is overwritten', async ({ panel }) => {
  const frame = await openPage(panel, 'servizi')
  await frame.getByRole('textbox', { name: italian.aperturaTitolo }).click()
  await panel.getByLabel(italian.titolo, { exact: true }).first().fill('Il mio titolo')
  const { value } = await ask<{ value: object }>(panel, 'GET', '/api/admin/words/servizi.hero')
  await ask(panel, 'PUT', '/api/admin/words/servizi.hero', {
    value: { ...value, title: 'Titolo altrui', subtitle: 'Sottotitolo altrui' },
  })
  await panel.getByRole('button', { name: italian.pubblica, exact: true }).click()
  const clash = panel.getByRole('dialog', { name: italian.questoTestoECambiatoAncheAltrove })
  await expect(clash).toContainText('Il mio titolo')
  await expect(clash).toContainText('Titolo altrui')
  await clash.getByRole('radio', { name: italian.tieniIlMio }).check()
  await clash.getByRole('button', { name: italian.pubblicaLeScelte }).click()
  await expect(toast(panel)).toContainText(/aggiorna(ta|te) in/, { timeout: drawnMs })
  const page = await publicText(panel, '/servizi')
  expect(page).toContain('Il mio titolo</h1>')
  expect(page).toContain('Sottotitolo altrui')
  await reset(panel, 'servizi.hero')
})

test('a draft survives a reload, and is offered, not put in', async ({ panel }) => {
  const frame = await openPage(panel, 'servizi')
  const title = frame.getByRole('textbox', { name: italian.aperturaTitolo })
  await title.click()
  await panel.getByLabel(italian.titolo, { exact: true }).first().fill('Mai pubblicato')
  await panel.keyboard.press('Control+s')
  await panel.reload()
  await expect(title).toHaveText(italian.iNostriServizi, { timeout: drawnMs })
  await panel.getByRole('button', { name: italian.riprendi }).click()
  await expect(title).toHaveText('Mai pubblicato', { timeout: drawnMs })
  await panel.reload()
  await panel.getByRole('status').getByRole('button', { name: italian.scarta }).click()
  await expect(panel.getByText('Tutto pubblicato')).toBeVisible()
  await expect(panel.getByRole('button', { name: italian.riprendi })).toHaveCount(0)
  await expect(title).toHaveText(italian.iNostriServizi, { timeout: drawnMs })
})

test('a refusal names the place, and loses nothing', async ({ panel }) => {
  const frame = await openPage(panel, 'servizi')
  await frame.getByRole('textbox', { name: italian.aperturaTitolo }).click()
  const field = panel.getByLabel(italian.titolo, { exact: true }).first()
  await field.fill('a'.repeat(90))
  await panel.getByRole('button', { name: italian.pubblica, exact: true }).click()
  await expect(toast(panel).getByRole('alert')).toContainText(italian.aperturaTitolo)
  await expect(field).toHaveValue('a'.repeat(90))
  await expect(field).toHaveAttribute('aria-invalid', 'true')
})

test('a version comes back with one press', async ({ panel }) => {
  const { value } = await ask<{ value: object }>(panel, 'GET', '/api/admin/words/servizi.hero')
  for (const title of ['Prima versione', 'Seconda versione']) {
    await ask(panel, 'PUT', '/api/admin/words/servizi.hero', { value: { ...value, title } })
  }
  const frame = await openPage(panel, 'servizi')
  await frame.getByRole('textbox', { name: italian.aperturaTitolo }).click()
  await panel.getByRole('button', { name: 'Versioni' }).click()
  const dialog = panel.getByRole('dialog', { name: 'Versioni' })
  await expect(dialog.locator('dd ins')).toContainText('Prima')
  await expect(dialog.locator('dd del')).toContainText('Seconda')
  await expectAccessible(panel)
  await dialog.getByRole('button', { name: 'Torna a questa' }).click()
  await expect(toast(panel)).toContainText('Tornata la versione')
  expect(await publicText(panel, '/servizi')).toContain('Prima versione</h1>')
  await reset(panel, 'servizi.hero')
})

test('the search leads to the words that were looked for, and selects them', async ({ panel }) => {
  await panel.goto(`${originOf(panel)}/admin#/pagine`)
  await panel.getByRole('searchbox', { name: italian.trovaNelSito }).fill('PIEDI PER TERRA')
  await panel.getByRole('link', { name: /Chi Sono · Apertura · Sottotitolo/ }).click()
  const place = panel.frameLocator('iframe').locator('[data-words="chi-sono.hero:subtitle"]')
  await expect(place).toBeFocused({ timeout: drawnMs })
  expect(await place.evaluate(() => getSelection()?.toString())).toBe('piedi per terra')
  await expect(place).toBeInViewport()
})

test('the search leads to the place of a price', async ({ panel }) => {
  await panel.goto(`${originOf(panel)}/admin#/pagine`)
  await panel.getByRole('searchbox', { name: italian.trovaNelSito }).fill('2.500 €')
  await panel.getByRole('link', { name: /I servizi · Prezzo/ }).click()
  await expect(panel.getByRole('complementary', { name: italian.iServizi })).toBeVisible()
  const price = panel.getByRole('textbox', { name: italian.prezzo, exact: true })
  await expect(price.locator('visible=true')).toHaveValue('2.500')
})

test('what speaks of her is asked for, and answered until its words change', async ({ panel }) => {
  await panel.goto(`${originOf(panel)}/admin#/pagine`)
  const asked = panel.getByRole('region', { name: 'Da confermare' })
  // Each statement counts, although a passage is answered as a whole.
  await expect(asked).toContainText(/Confermate 0 su 22ne restano 22/)
  const milestones = asked.locator('summary').filter({ hasText: 'Le tappe del mio percorso' })
  await expect(milestones).toContainText('8 da confermare')
  const card = panel
    .getByRole('listitem')
    .filter({ has: panel.locator('b', { hasText: 'Chi Sono' }) })
  await expect(card).toContainText('19 da confermare')
  await asked.getByRole('button', { name: italian.eVero }).locator('visible=true').click()
  await expect(asked).toContainText(/Confermate 5 su 22ne restano 17/)
  await expect(card).toContainText('14 da confermare')
  // Regression: the answers were stored on the device only, and another device asked again.
  await forgetDrafts(panel)
  await panel.reload()
  await expect(asked).toContainText(/Confermate 5 su 22/)
  await panel.getByRole('link', { name: 'Contenuti' }).click()
  await expect(
    panel.getByText('17 frasi del sito parlano di te: controlla che siano vere.'),
  ).toBeVisible()
  await ask(panel, 'PUT', '/api/admin/words/chi-sono.biography', { confirmed: false })
  await panel.getByRole('link', { name: 'Leggile' }).click()
  // The passage returns with the response of the server.
  await expect(asked).toContainText(/Confermate 0 su 22/)
  await asked.getByRole('button', { name: italian.eVero }).locator('visible=true').click()
  await toast(panel).getByRole('button', { name: italian.annulla }).click()
  await expect(asked).toContainText(/Confermate 0 su 22/)
})

test('a word of medicine gets a quiet mark and another wording', async ({ panel }) => {
  const frame = await openPage(panel, 'servizi')
  await frame.getByRole('textbox', { name: italian.aperturaTitolo }).click()
  await panel.getByLabel('Sottotitolo').fill('Una terapia del respiro.')
  const hints = panel.getByRole('region', { name: 'Parole da rivedere' })
  await hints.getByText('terapia', { exact: true }).click()
  await hints.getByRole('button', { name: 'percorso' }).click()
  await expect(panel.getByRole('textbox', { name: 'Sottotitolo' })).toHaveValue(
    'Una percorso del respiro.',
  )
  await expect(hints).toHaveCount(0)
})

test('on a phone of 360 px a tap opens the field, and the page follows each letter', async ({
  panel,
}) => {
  await panel.setViewportSize({ width: 360, height: 740 })
  await panel.goto(`${originOf(panel)}/admin#/pagine/servizi`)
  const frame = panel.frameLocator('iframe')
  const title = frame.getByRole('button', { name: /^Modifica: Titolo, I Nostri/ })
  await title.click({ timeout: drawnMs })
  const field = panel.getByLabel(italian.titolo, { exact: true }).first()
  await expect(field).toBeFocused()
  await field.fill('Sul telefono')
  await expect(frame.locator('h1')).toHaveText('Sul telefono')
  const wide = await panel.evaluate(() => document.documentElement.scrollWidth)
  expect(wide).toBeLessThanOrEqual(360)
  await expectAccessible(panel)
})

// Regression: the browser scrolled the selection into view by moving the panel around the page, by 170 px.
test('on a phone what is tapped stays in sight over the sheet, and the panel stays where it is', async ({
  panel,
}) => {
  await panel.setViewportSize({ width: 360, height: 740 })
  await panel.goto(`${originOf(panel)}/admin#/pagine/servizi`)
  const frame = panel.frameLocator('iframe')
  for (const name of ['Apertura', 'I servizi'] as const) {
    const sheet = panel.getByRole('complementary', { name })
    const places = frame.locator(
      name === 'Apertura'
        ? 'h1 [data-words]'
        : ':is(h2, h2 *)[data-words="servizi.offers:offers[3].title"]',
    )
    await places.first().click({ timeout: drawnMs })
    await expect(sheet).toBeVisible()
    const moved = () =>
      panel.evaluate(() =>
        [...document.querySelectorAll('*')].some(
          (one) => one.scrollTop > 0 && !one.closest('aside'),
        ),
      )
    const isOver = async () => {
      const box = await places.first().boundingBox()
      const under = await sheet.boundingBox()
      if (box === null || under === null) return false
      return box.y > 0 && box.y + box.height <= under.y
    }
    await expect.poll(isOver).toBe(true)
    expect(await moved()).toBe(false)
    // The window cannot scroll either. Regression: visually hidden text made the document as long as the form.
    const height = await panel.evaluate(() => document.documentElement.scrollHeight)
    expect(height).toBeLessThanOrEqual(740)
    await panel.keyboard.press('Escape')
    await expect(sheet).toHaveCount(0)
  }
})

test('on a phone Back closes the sheet over the page, and only then leaves the page', async ({
  panel,
}) => {
  await panel.setViewportSize({ width: 375, height: 740 })
  await expect(panel.getByRole('link', { name: italian.modificaServizi })).toBeVisible()
  await panel.getByRole('link', { name: italian.modificaServizi }).click()
  const frame = panel.frameLocator('iframe')
  const title = frame.getByRole('button', { name: /^Modifica: Titolo, I Nostri/ })
  await title.click({ timeout: drawnMs })
  const sheet = panel.getByRole('complementary', { name: italian.apertura })
  await expect(sheet).toBeVisible()
  await expect.poll(() => panel.evaluate(() => history.state?.layer)).toBe(1)
  await panel.goBack()
  await expect(sheet).toHaveCount(0)
  await expect(panel).toHaveURL(/#\/pagine\/servizi$/)
  // The keyboard behaves the same.
  await title.click()
  await expect(sheet).toBeVisible()
  await panel.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await expect.poll(() => panel.evaluate(() => history.state?.layer ?? 0)).toBe(0)
  await panel.goBack()
  await expect(panel.getByRole('heading', { level: 1, name: 'Pagine' })).toBeVisible()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the area and an open page have no fault that axe finds (${colorScheme})`, async ({
    panel,
  }) => {
    await panel.emulateMedia({ colorScheme })
    await panel.goto(`${originOf(panel)}/admin#/pagine`)
    await expect(panel.getByRole('heading', { level: 1, name: 'Pagine' })).toBeVisible()
    await expect(panel.getByRole('link', { name: italian.modificaServizi })).toBeVisible()
    await expectAccessible(panel)
    await openPage(panel, 'servizi')
    await expectAccessible(panel)
    await panel.getByRole('button', { name: italian.iServizi }).click()
    await expectAccessible(panel)
  })
}
