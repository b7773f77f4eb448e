// Tests of visitor actions: swiping, sharing, navigating, loading further articles, subscribing.

import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { italian } from './italian'
import { withMotion } from './motion'
import { start } from './program'
import { account, answerCookies, expect, expectAccessible, pathOf, test } from './test'

test.use(withMotion)

/** Swipes horizontally over the middle of an element, with that many pointer moves. */
async function swipe(page: Page, on: Locator, byPx: number, moves = 5) {
  // Waits until the element is in view and stable.
  await on.hover({ trial: true })
  const box = await on.boundingBox()
  if (box === null) throw new Error('nothing to swipe on')
  const x = box.x + box.width / 2 - byPx / 2
  const y = box.y + Math.min(box.height / 2, 200)
  const client = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at: number) =>
    client.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: at, y }],
    })
  await touch('touchStart', x)
  for (let step = 1; step <= moves; step += 1) await touch('touchMove', x + (byPx * step) / moves)
  await touch('touchEnd', x + byPx)
  await client.detach()
}

async function hydrated(page: Page) {
  await expect(page.locator('html[data-hydrated]')).toHaveCount(1)
}

test.describe('by touch', () => {
  test.use({ hasTouch: true, viewport: { width: 375, height: 800 } })

  test('a finger turns the carousels and the lightbox', async ({ page, site }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto(`${site.origin}/testimonianze`)
    await hydrated(page)
    await page.getByRole('button', { name: italian.soloNecessari }).tap()
    const dots = page.getByRole('group', { name: /Galleria Fotografica/ }).getByRole('button')
    await expect(dots.first()).toHaveAttribute('aria-current', 'true')
    const strip = page.getByRole('list', { name: italian.galleriaFotografica })
    await strip.scrollIntoViewIfNeeded()
    await swipe(page, strip, -200)
    await expect(dots.nth(1)).toHaveAttribute('aria-current', 'true')
    // A busy device reports the whole movement in one event. Regression: the slide returned to its place.
    await swipe(page, strip, 200, 1)
    await expect(dots.first()).toHaveAttribute('aria-current', 'true')
    // A tap while the strip still snaps would only stop it.
    await expect.poll(() => strip.evaluate(({ scrollLeft }) => scrollLeft)).toBe(0)
    await dots.nth(3).tap()
    await expect(dots.nth(3)).toHaveAttribute('aria-current', 'true')
    await strip.getByRole('listitem').nth(3).getByRole('link').tap()
    const dialog = page.getByRole('dialog', { name: italian.immagineIngrandita })
    await expect(dialog.getByText('4 / 9')).toBeVisible()
    await swipe(page, dialog, -150)
    await expect(dialog.getByText('5 / 9')).toBeVisible()
    await swipe(page, dialog, 150)
    await expect(dialog.getByText('4 / 9')).toBeVisible()
    const isLocked = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).overflow === 'hidden')
    expect(await isLocked()).toBe(true)
    // A tap right after a swipe would only stop its momentum.
    await dialog.getByRole('button', { name: italian.chiudi }).click()
    await expect(dialog).toHaveCount(0)
    expect(await isLocked()).toBe(false)
  })
})

test('a notice is reached by F8 and goes by its button, by a swipe or by itself', async ({
  page,
  site,
}) => {
  await page.clock.install()
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'share', { value: undefined })
    Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: async (text: string) => Object.assign(window, { copied: text }) },
    })
  })
  await page.goto(site.origin + (await pathOf('/evento/{id}', site)))
  await hydrated(page)
  const share = page.getByRole('button', { name: 'Condividi' })
  const notice = page.getByText(italian.linkCopiato)
  await share.click()
  await share.click()
  await expect(notice).toHaveCount(1)
  expect(await page.evaluate(() => 'copied' in window && window.copied)).toBe(page.url())
  await page.keyboard.press('F8')
  await expect(page.getByRole('region', { name: 'Notifiche (F8)' })).toBeFocused()
  await page.getByRole('button', { name: italian.chiudiLaNotifica }).click()
  await expect(notice).toHaveCount(0)
  await share.click()
  const box = await notice.boundingBox()
  if (box === null) throw new Error('no notice to swipe')
  await page.mouse.move(box.x + 10, box.y + 5)
  await page.mouse.down()
  await page.mouse.move(box.x + 90, box.y + 5, { steps: 4 })
  await page.mouse.up()
  await expect(notice).toHaveCount(0)
  await share.click()
  await expect(notice).toHaveCount(1)
  await page.clock.runFor(5100)
  await expect(notice).toHaveCount(0)
})

for (const reducedMotion of ['no-preference', 'reduce'] as const) {
  test(`a link brings the next page without a reload, with motion: ${reducedMotion}`, async ({
    page,
    site,
  }) => {
    await page.emulateMedia({ reducedMotion })
    await page.goto(`${site.origin}/eventi`)
    await hydrated(page)
    await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
    await page.evaluate(() => window.scrollTo({ top: 700, behavior: 'instant' }))
    await page.getByRole('banner').getByRole('link', { name: italian.contatti }).click()
    await expect(page).toHaveURL(`${site.origin}/contatti`)
    await expect(page.getByRole('heading', { level: 1, name: italian.contatti })).toBeVisible()
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
    await expect(page).toHaveTitle(/^Contatti/)
    await expect(page.getByRole('main')).toBeFocused()
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', /\/contatti$/)
    await expect(
      page.getByRole('banner').getByRole('link', { name: italian.contatti }),
    ).toHaveAttribute('aria-current', 'page')
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1, name: italian.eventi })).toBeVisible()
    // Regression: the browser scrolled smoothly as well, and both together went twice as far.
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(700)
    expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true)
    // If client-side navigation fails, the browser loads the page itself.
    await page.route(`${site.origin}/chi-sono`, (route) =>
      route.request().isNavigationRequest() ? route.continue() : route.abort(),
    )
    await page.getByRole('banner').getByRole('link', { name: italian.chiSono }).click()
    await expect(page.getByRole('heading', { level: 1, name: italian.chiSono })).toBeVisible()
    expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(false)
  })
}

// Regression: `decodeURIComponent` threw, and the head of the former page stayed.
test('a link whose anchor is no percent-encoding brings its page whole', async ({ page, site }) => {
  await page.goto(`${site.origin}/eventi`)
  await hydrated(page)
  await page.evaluate(() => {
    const link = Object.assign(document.createElement('a'), {
      href: '/contatti#100%',
      textContent: 'Sconto',
    })
    document.querySelector('main')?.prepend(link)
  })
  // The header lies over it.
  await page.getByRole('link', { name: 'Sconto' }).evaluate((link: HTMLElement) => link.click())
  await expect(page.getByRole('heading', { level: 1, name: italian.contatti })).toBeVisible()
  await expect(page).toHaveTitle(/^Contatti/)
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', /\/contatti$/)
})

test('the header turns opaque after 50 px and the way up appears past half of the page', async ({
  page,
  site,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(site.origin)
  await hydrated(page)
  const words = page.getByRole('banner').getByRole('link', { name: italian.chiSono })
  const colour = () => words.evaluate((element) => getComputedStyle(element).color)
  const toTop = page.getByRole('button', { name: 'Torna all’inizio della pagina' })
  const scrollTo = (share: number) =>
    page.evaluate((to) => {
      const { scrollHeight, clientHeight } = document.documentElement
      window.scrollTo({ top: to * (scrollHeight - clientHeight), behavior: 'instant' })
    }, share)
  const scale = () => toTop.evaluate((element) => Number(getComputedStyle(element).scale))
  // Closes the cookie banner, which hides floating buttons.
  await page.getByRole('button', { name: italian.soloNecessari }).click()
  await expect.poll(colour).toBe('rgb(255, 255, 255)')
  await page.evaluate(() => window.scrollTo({ top: 51, behavior: 'instant' }))
  await expect.poll(colour).not.toBe('rgb(255, 255, 255)')
  await scrollTo(0.48)
  await expect(toTop).toHaveCount(0)
  await scrollTo(0.55)
  await expect.poll(scale).toBeLessThan(0.9)
  await scrollTo(1)
  await expect.poll(scale).toBe(1.2)
  await toTop.click()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
  await expect(
    page.getByRole('link', { name: 'Scrivimi su WhatsApp: si apre in una nuova scheda' }),
  ).toHaveAttribute('href', /^https:\/\/wa\.me\/\d+\?text=Ciao/)
})

/** Returns the percentage of pixels that differ between two pictures of the same size. */
async function differing(page: Page, one: Buffer, other: Buffer): Promise<number> {
  // The site's own CSP does not allow scripts to read pictures.
  const blank = await page.context().newPage()
  const share = await blank.evaluate(
    async (pictures) => {
      const read = async (png: string) => {
        const answer = await fetch(`data:image/png;base64,${png}`)
        const bitmap = await createImageBitmap(await answer.blob())
        const { width, height } = bitmap
        const context = new OffscreenCanvas(width, height).getContext('2d')
        if (context === null) throw new Error('no canvas')
        context.drawImage(bitmap, 0, 0)
        return context.getImageData(0, 0, width, height).data
      }
      const [one, other] = await Promise.all(pictures.map(read))
      if (one === undefined || one.length !== other?.length) throw new Error('of two sizes')
      let count = 0
      for (let at = 0; at < one.length; at += 4) {
        const colours = [0, 1, 2].map((of) => Math.abs((one[at + of] ?? 0) - (other[at + of] ?? 0)))
        if (Math.max(...colours) > 4) count += 1
      }
      return (count * 400) / one.length
    },
    [one.toString('base64'), other.toString('base64')],
  )
  await blank.close()
  return share
}

// Regression: the header was 8 % transparent, and dark bands under it showed as a stripe of two tones.
test('nothing is seen through the header while one reads, dark bands neither', async ({
  page,
  site,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await answerCookies(page)
  for (const width of [1440, 375]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(site.origin)
    await hydrated(page)
    const header = page.getByRole('banner')
    const under = async (selector: string) => {
      await page.evaluate((wanted) => {
        const { top } = document.querySelector(wanted)?.getBoundingClientRect() ?? { top: 0 }
        window.scrollTo({ top: top + window.scrollY - 20, behavior: 'instant' })
      }, selector)
      const words = header.getByRole('link').first()
      const isDark = () => words.evaluate((one) => getComputedStyle(one).color)
      await expect.poll(isDark).not.toBe('rgb(255, 255, 255)')
      const box = await header.boundingBox()
      if (box === null) throw new Error('no header')
      return page.screenshot({ clip: { x: 0, y: 0, width, height: box.height } })
    }
    const [over, dark] = [await under('main section:nth-of-type(2)'), await under('footer')]
    expect(await differing(page, over, dark), `${width} px`).toBeLessThanOrEqual(1)
  }
})

test('the choice about cookies holds for six months, whichever way it was given', async ({
  page,
  site,
}) => {
  const stored = () =>
    page.evaluate(() => JSON.parse(localStorage.getItem('cookie-consent') ?? 'null'))
  const accept = page.getByRole('button', { name: italian.accettaTutti })
  const ways = [
    ['Accetta Tutti', true],
    ['Solo Necessari', false],
    ['Chiudi e continua con i soli strumenti necessari', false],
  ] as const
  await page.clock.install({ time: '2026-01-10T12:00:00Z' })
  await page.goto(`${site.origin}/cookies`)
  for (const [name, isAll] of ways) {
    await page.getByRole('button', { name }).click()
    await expect(accept).toHaveCount(0)
    expect(await stored()).toMatchObject({ necessary: true, analytics: isAll, marketing: isAll })
    expect(await stored()).toMatchObject({ date: expect.any(Number), version: 1 })
    await page.evaluate(() => localStorage.clear())
    await page.reload()
    await expect(accept).toBeVisible()
  }
  await page.getByRole('button', { name: italian.personalizza }).click()
  const dialog = page.getByRole('dialog', { name: italian.preferenzeCookie })
  await expect(dialog.getByLabel('Sempre attivi')).toBeDisabled()
  await dialog.getByRole('button', { name: italian.annulla }).click()
  await expect(accept).toBeVisible()
  expect(await stored()).toBeNull()
  await accept.click()
  await page.clock.setSystemTime('2026-07-09T12:00:00Z')
  await page.reload()
  await hydrated(page)
  await expect(accept).toHaveCount(0)
  await page.clock.setSystemTime('2026-07-11T12:00:00Z')
  await page.reload()
  await expect(accept).toBeVisible()
})

test('more articles come in on demand, with six placeholders, and a failure is told', async ({
  page,
  fresh,
}) => {
  const headers = { origin: fresh.origin }
  await page.request.post(`${fresh.origin}/api/auth/login`, { data: account, headers })
  const added = await page.request.post(`${fresh.origin}/api/admin/blog`, {
    data: { title: 'Settimo respiro', slug: 'settimo-respiro', published: true },
    headers,
  })
  expect(added.status()).toBeLessThan(300)
  let answer: 'fail' | 'hold' = 'fail'
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  await page.route('**/api/blog?*', async (route) => {
    if (answer === 'fail') return route.fulfill({ status: 503, body: '' })
    await held
    return route.continue()
  })
  await page.goto(`${fresh.origin}/blog`)
  await hydrated(page)
  const articles = page.getByRole('region', { name: 'Blog' })
  const more = page.getByRole('link', { name: 'Carica Altri Articoli' })
  await expect(articles.getByRole('article')).toHaveCount(6)
  await more.click()
  await expect(page.getByRole('heading', { name: italian.erroreNelCaricamento })).toBeVisible()
  await expect(
    page.getByText('Si è verificato un errore nel caricamento degli articoli. Riprova più tardi.'),
  ).toBeVisible()
  answer = 'hold'
  await more.click()
  await expect(articles.getByText(italian.caricamento)).toBeAttached()
  await expect(articles.getByRole('list').locator('> li')).toHaveCount(12)
  release()
  await expect(articles.getByRole('article')).toHaveCount(7)
  // Regression: one article appeared without its picture.
  await expect(articles.locator('article:not(:has(img))')).toHaveCount(0)
  await expect(more).toHaveCount(0)
  for (const name of ['Tecniche', 'Guarigione', 'Spiritualità', 'Benessere'])
    await expect(page.getByRole('heading', { level: 3, name })).toBeVisible()
})

test('the newsletter box tells what became of the address', async ({ page, fresh }) => {
  await page.goto(`${fresh.origin}/blog`)
  await hydrated(page)
  const email = page.getByLabel(italian.indirizzoEMail)
  const submit = page.getByRole('button', { name: italian.iscriviti })
  const send = async (address: string) => {
    await email.fill(address)
    await submit.click()
  }
  await send('anna@')
  await expect(page.getByText('Controlla l’indirizzo e-mail: sembra incompleto.')).toBeVisible()
  await expect(email).toHaveAttribute('aria-invalid', 'true')
  await page.route('**/api/newsletter', (route) => route.fulfill({ status: 500, body: '' }))
  await send('anna@example.com')
  await expect(
    page.getByText('Non è stato possibile registrare l’indirizzo. Riprova più tardi.'),
  ).toBeVisible()
  await page.unroute('**/api/newsletter')
  await submit.click()
  await expect(page.getByText('Grazie! Il tuo indirizzo è stato registrato.')).toBeVisible()
  await expect(email).toHaveValue('')
})

test('a site without contents says so on every list', async ({ page, folder, atEnd }) => {
  const program = await start(join(folder, 'respiro.redb'))
  atEnd(program.stop)
  const empty: Readonly<Record<string, readonly string[]>> = {
    '/testimonianze': [
      'Le testimonianze dei corsisti verranno pubblicate presto',
      'La galleria fotografica verrà pubblicata presto',
      'I ringraziamenti speciali verranno pubblicati presto',
      'Le menzioni stampa verranno pubblicate presto',
    ],
    '/eventi': [
      'Nessun evento programmato',
      'Al momento non ci sono eventi in programma. Torna presto per scoprire i prossimi workshop e corsi di Rebirthing.',
    ],
    '/blog': ['Nessun articolo pubblicato'],
  }
  for (const [path, texts] of Object.entries(empty)) {
    await page.goto(program.origin + path)
    for (const text of texts) await expect(page.getByText(text)).toBeVisible()
    // Exact comparison: `getByText` treats no-break spaces as plain ones.
    for (const text of texts) expect(await page.getByRole('main').textContent()).toContain(text)
    await expectAccessible(page)
  }
})

test('an event shows its facts, its ways to take part and the way back', async ({ page, site }) => {
  const path = await pathOf('/evento/{id}', site)
  await page.goto(site.origin + path)
  // The cards of further events have these terms too.
  for (const term of ['Data', 'Orario', 'Luogo'])
    await expect(page.getByRole('term').filter({ hasText: term }).first()).toBeVisible()
  await expect(page.getByRole('heading', { name: italian.informazioniDettagliate })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: '20:30' })).toHaveText(
    '20:30 Accoglienza',
  )
  // biome-ignore lint/performance/useDomNodeTextContent: how lines are rendered is what is asked
  expect(await page.getByRole('main').innerText()).toContain('pesanti.\nPartecipazione gratuita')
  await expect(page.getByRole('link', { name: italian.contattaciPerPartecipare })).toHaveAttribute(
    'href',
    /^\/contatti\?evento=\w+$/,
  )
  const calendar = await page.request.get(
    site.origin +
      (await page.getByRole('link', { name: 'Aggiungi al calendario' }).getAttribute('href')),
  )
  expect(await calendar.text()).toContain('BEGIN:VEVENT')
  await page.getByRole('link', { name: italian.tornaAgliEventi }).click()
  await expect(page).toHaveURL(`${site.origin}/eventi`)
})

test('the keyboard alone reaches the content past the menu', async ({ page, site }) => {
  await page.setViewportSize({ width: 375, height: 800 })
  await page.goto(`${site.origin}/contatti`)
  await hydrated(page)
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: 'Vai al contenuto' })
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})
