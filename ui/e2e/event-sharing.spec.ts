// Tests of what spreads an event: its repetition week by week, the pictures, the text and the sheet to share.

import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { pictures } from './admin-kinds'
import { ask, expect, forget, type Item, test } from './admin-kit'
import { expectToast, openKind, rows, toast } from './admin-screen'
import { italian } from './italian'
import { expectAccessible } from './test'

const widths = [1366, 390] as const

async function makeEvent(panel: Page, fields: object): Promise<Item> {
  const made = await ask<Item>(panel, 'POST', '/api/admin/events', {
    date: '6 marzo 2199',
    time: '20:30',
    location: 'Sala Grande, Como',
    published: true,
    sortOrder: 1000,
    ...fields,
  })
  await openKind(panel, 'events')
  await panel.reload()
  await expect(rows(panel).first()).toBeVisible()
  return made
}

async function eventsNamed(panel: Page, title: string): Promise<Item[]> {
  const all = await ask<Item[]>(panel, 'GET', '/api/admin/events')
  return all.filter((one) => one.title === title)
}

async function forgetNamed(panel: Page, title: string) {
  for (const { id } of await eventsNamed(panel, title)) await forget(panel, 'events', id)
}

for (const width of widths) {
  test(`an event is repeated every week, each date an event of its own, ${width}`, async ({
    panel,
  }) => {
    await panel.setViewportSize({ width, height: 844 })
    const title = 'Cerchio settimanale'
    const first = await makeEvent(panel, { title, placesLeft: 3, soldOut: true })
    await panel.getByRole('button', { name: `Ripeti: ${title}` }).click()
    const dialog = panel.getByRole('dialog', { name: 'Ripeti ogni settimana' })
    await expect(dialog.getByText('mercoledì 6 marzo 2199, ore 20:30')).toBeVisible()
    const until = dialog.getByLabel('Ogni settimana fino al')
    await expect(until).toHaveValue('2199-04-03')
    const dates = dialog.getByRole('list', { name: 'Le nuove date' }).getByRole('listitem')
    await expect(dates).toHaveText(['mer 13 marzo', 'mer 20 marzo', 'mer 27 marzo', 'mer 3 aprile'])
    await until.fill('2199-03-12')
    await expect(dialog.getByText('Scegli un giorno almeno una settimana dopo.')).toBeVisible()
    await until.fill('2199-04-10')
    await dialog.getByRole('button', { name: 'Togli mer 27 marzo' }).click()
    await expect(dates).toHaveCount(4)
    await dialog.getByLabel('Posti per ogni data').fill('12')
    await expectAccessible(panel)
    await dialog.getByRole('switch', { name: 'Pubblicati subito' }).click()
    await dialog.getByRole('button', { name: 'Crea 4 bozze' }).click()
    await expectToast(panel, '4 eventi creati')
    await expect(dialog).toHaveCount(0)
    const made = (await eventsNamed(panel, title)).filter(({ id }) => id !== first.id)
    expect(made.map(({ date }) => date)).toEqual([
      'mercoledì 13 marzo 2199',
      'mercoledì 20 marzo 2199',
      'mercoledì 3 aprile 2199',
      'mercoledì 10 aprile 2199',
    ])
    for (const one of made) {
      expect(one).toMatchObject({ time: '20:30', placesLeft: 12, soldOut: false, published: false })
      expect(one.location).toBe('Sala Grande, Como')
    }
    await toast(panel).getByRole('button', { name: italian.annulla }).click()
    await expectToast(panel, '4 eventi eliminati')
    expect(await eventsNamed(panel, title)).toHaveLength(1)
    for (const { id } of made) await ask(panel, 'DELETE', `/api/admin/trash/${id}`)
    await forgetNamed(panel, title)
  })
}

test('a repetition that fails half-way creates only the missing events at the next try', async ({
  panel,
}) => {
  const title = 'Cerchio interrotto'
  const first = await makeEvent(panel, { title, date: '6 marzo 2199, ore 20,30', time: null })
  await panel.getByRole('button', { name: `Ripeti: ${title}` }).click()
  const dialog = panel.getByRole('dialog', { name: 'Ripeti ogni settimana' })
  let count = 0
  await panel.route('**/api/admin/events', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    count += 1
    // The third event is stored, and its answer lost.
    if (count === 3) await route.fetch()
    return count === 3 ? route.abort() : route.fallback()
  })
  await dialog.getByRole('button', { name: 'Crea e pubblica 4 eventi' }).click()
  await expect(dialog.getByText('2 eventi sono già creati, gli altri aspettano qui.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Crea e pubblica 2 eventi' }).click()
  await expectToast(panel, '4 eventi creati')
  const made = (await eventsNamed(panel, title)).filter(({ id }) => id !== first.id)
  expect(made.map(({ date, time }) => [date, time])).toEqual([
    ['mercoledì 13 marzo 2199', '20:30'],
    ['mercoledì 20 marzo 2199', '20:30'],
    ['mercoledì 27 marzo 2199', '20:30'],
    ['mercoledì 3 aprile 2199', '20:30'],
  ])
  await forgetNamed(panel, title)
})

test('an event without a day that is understood is not repeated, and says what to do', async ({
  panel,
}) => {
  const title = 'Cerchio senza giorno'
  await makeEvent(panel, { title, date: 'quando fiorisce', published: false })
  await panel.getByRole('button', { name: `Ripeti: ${title}` }).click()
  const dialog = panel.getByRole('dialog', { name: 'Ripeti ogni settimana' })
  await expect(dialog.getByText(/correggi la data e riprova/)).toBeVisible()
  await expect(dialog.getByRole('button', { name: /^Crea/ })).toHaveCount(0)
  // A draft has no page to lead to.
  await expect(panel.getByRole('button', { name: `Condividi: ${title}` })).toHaveCount(0)
  await panel.keyboard.press('Escape')
  await forgetNamed(panel, title)
})

/** Whether the modules of the QR code are in the picture, at a place where all of them agree. */
async function hasQrCode(panel: Page, name: string, code: { side: number; path: string }) {
  return panel.getByRole('img', { name: `${name}: ` }).evaluate((image, { side, path }) => {
    if (!(image instanceof HTMLImageElement)) return false
    const canvas = document.createElement('canvas')
    canvas.width = image.naturalWidth
    canvas.height = image.naturalHeight
    const context = canvas.getContext('2d')
    if (context === null) return false
    context.drawImage(image, 0, 0)
    const unit = image.naturalWidth / 1080
    const [left, size] = [(1080 - 72 - 224) * unit, (224 * unit) / side]
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height)
    const dark = new Set(path.match(/M\d+ \d+/g))
    const isDark = (x: number, y: number) =>
      (data[4 * (Math.round(y) * canvas.width + Math.round(x))] ?? 255) < 128
    const agrees = (top: number) => {
      // The corners of the quiet zone are rounded.
      for (let y = 4; y < side - 4; y += 1)
        for (let x = 4; x < side - 4; x += 1) {
          const module = isDark(left + (x + 0.5) * size, top + (y + 0.5) * size)
          if (module !== dark.has(`M${x} ${y}`)) return false
        }
      return true
    }
    for (let top = 0; top < canvas.height - side * size; top += 1) if (agrees(top)) return true
    return false
  }, code)
}

for (const width of widths) {
  test(`a published event gives a post, a story, a sheet and the text to send, ${width}`, async ({
    panel,
  }) => {
    await panel.setViewportSize({ width, height: 844 })
    const title = 'Cerchio da raccontare'
    // On a phone the picture goes to the system's share sheet, which the other browsers do not have.
    await panel.addInitScript((hasSheet) => {
      const share = async ({ files }: ShareData) => {
        document.body.dataset.shared = files?.map(({ name, type }) => `${name} ${type}`).join()
      }
      Object.defineProperty(navigator, 'canShare', { value: hasSheet ? () => true : undefined })
      Object.defineProperty(navigator, 'share', { value: hasSheet ? share : undefined })
    }, width === 390)
    const { id } = await makeEvent(panel, { title, description: 'Una sera insieme.' })
    await panel.getByRole('button', { name: `Condividi: ${title}` }).click()
    const dialog = panel.getByRole('dialog', { name: 'Condividi l’evento' })
    const link = await ask<{ url: string; qrCode: { side: number; path: string } }>(
      panel,
      'GET',
      `/api/admin/events/${id}/qr-code`,
    )
    for (const [name, across, down] of [
      ['Post', 1080, 1350],
      ['Storia', 1080, 1920],
      ['Locandina', 2480, 3508],
    ] as const) {
      const image = dialog.getByRole('img', { name: `${name}: ${title}` })
      await expect(image).toBeVisible({ timeout: 30_000 })
      const size = await image.evaluate((one: HTMLImageElement) =>
        one.decode().then(() => [one.naturalWidth, one.naturalHeight]),
      )
      expect(size).toEqual([across, down])
      expect(await hasQrCode(panel, name, link.qrCode), name).toBe(true)
    }
    await expectAccessible(panel)
    const send = dialog.getByRole('button', { name: 'Invia: Storia' })
    await expect(send).toHaveCount(width === 390 ? 1 : 0)
    if (width === 390) {
      await send.click()
      await expect(panel.locator('body')).toHaveAttribute(
        'data-shared',
        'cerchio-da-raccontare-story.jpg image/jpeg',
      )
    }
    const save = panel.waitForEvent('download')
    await dialog.getByRole('link', { name: 'Scarica' }).first().click()
    const file = await save
    expect(file.suggestedFilename()).toBe('cerchio-da-raccontare-post.jpg')
    expect(
      readFileSync(await file.path())
        .subarray(0, 3)
        .toString('hex'),
    ).toBe('ffd8ff')

    const text = dialog.getByLabel('Il testo da mandare')
    await expect(text).toHaveValue(
      `${title}\n\n6 marzo 2199\nore 20:30\nSala Grande, Como\n\nUna sera insieme.\n\n${link.url}`,
    )
    await text.fill('Vieni?')
    await expect(dialog.getByRole('link', { name: 'Apri WhatsApp' })).toHaveAttribute(
      'href',
      'https://wa.me/?text=Vieni%3F',
    )
    await forgetNamed(panel, title)
  })
}

// The printed page is one sheet with nothing of the panel on it.
test('the sheet is printed alone, on one page of A4', async ({ panel }) => {
  const title = 'Cerchio da appendere'
  await makeEvent(panel, { title, placesLeft: 0 })
  await panel.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', '')
  })
  await panel.getByRole('button', { name: `Condividi: ${title}` }).click()
  await panel.getByRole('button', { name: 'Stampa' }).click({ timeout: 30_000 })
  await expect(panel.locator('body[data-printed]')).toHaveCount(1)
  await panel.emulateMedia({ media: 'print' })
  const shown = await panel.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((element) => element.checkVisibility() && element.getClientRects().length > 0)
      .map(({ tagName }) => tagName),
  )
  expect(shown.filter((name) => !['DIV', 'IMG'].includes(name))).toEqual([])
  expect(shown).toContain('IMG')
  // Ends with an event `afterprint`, as a dialog of the browser does.
  const pdf = (await panel.pdf({ preferCSSPageSize: true, printBackground: false })).toString(
    'latin1',
  )
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
  const [, across = '0', down = '0'] = /\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? []
  // 210 × 297 mm in points.
  expect([Math.round(Number(across)), Math.round(Number(down))]).toEqual([595, 842])
  await panel.emulateMedia({ media: 'screen' })
  await expect(panel.getByRole('button', { name: 'Stampa' })).toBeVisible()
  await panel.keyboard.press('Escape')
  await forgetNamed(panel, title)
})

test('long words, a small picture and a missing one make whole pictures', async ({ panel }) => {
  test.setTimeout(90_000)
  const title = `Respirazionecircolareconsapevole${'e'.repeat(60)} e ${'parole '.repeat(15)}`.trim()
  const upload = async (bytes: Buffer) => {
    const { uploadURL } = await ask<{ uploadURL: string }>(panel, 'POST', '/api/admin/upload')
    await panel.request.put(uploadURL, { data: bytes })
    return `/objects/uploads/${new URL(uploadURL).pathname.split('/').at(-1)}`
  }
  const small = await panel.evaluate(async () => {
    const canvas = document.createElement('canvas')
    canvas.width = 120
    canvas.height = 90
    const context = canvas.getContext('2d')
    if (context !== null) {
      context.fillStyle = '#a8452f'
      context.fillRect(0, 0, 120, 90)
    }
    return canvas.toDataURL('image/png').split(',')[1] ?? ''
  })
  for (const imageUrl of [
    null,
    await upload(Buffer.from(small, 'base64')),
    await upload(readFileSync(pictures[0] ?? '')),
  ]) {
    const { id } = await makeEvent(panel, {
      title,
      imageUrl,
      date: '6 marzo 2199',
      time: 'dalle sette di sera, ma vieni pure prima a bere una tisana',
      location: `Sala ${'Grande '.repeat(25)}`.trim(),
      cancelled: true,
    })
    await panel.getByRole('button', { name: /^Condividi: Respirazione/ }).click()
    const dialog = panel.getByRole('dialog', { name: 'Condividi l’evento' })
    for (const name of ['Post', 'Storia', 'Locandina'])
      await expect(dialog.getByRole('img', { name: `${name}: ` })).toBeVisible({ timeout: 30_000 })
    await expect(dialog.getByRole('alert')).toHaveCount(0)
    if (process.env.SHARED !== undefined)
      for (const [index, link] of (
        await dialog.getByRole('link', { name: 'Scarica' }).all()
      ).entries()) {
        const save = panel.waitForEvent('download')
        await link.click()
        await (await save).saveAs(
          `${process.env.SHARED}/hard-${imageUrl?.slice(-4) ?? 'none'}-${index}.jpg`,
        )
      }
    await panel.keyboard.press('Escape')
    await forget(panel, 'events', id)
  }
})
