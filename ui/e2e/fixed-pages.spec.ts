// Tests of the pages with fixed content: carousels, expandable answers, flip cards.

import { italian } from './italian'
import { expect, test } from './test'

const slideMs = 5000

test('the hero shows its two slides in turn, and stays when paused', async ({ page, site }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.clock.install()
  await page.goto(site.origin)
  const first = page.getByRole('button', { name: 'Mostra l’immagine 1 di 2' })
  const second = page.getByRole('button', { name: 'Mostra l’immagine 2 di 2' })
  await expect(first).toHaveAttribute('aria-current', 'true')
  await page.waitForLoadState('networkidle')
  await page.clock.runFor(slideMs + 100)
  await expect(second).toHaveAttribute('aria-current', 'true')
  await first.click()
  await expect(first).toHaveAttribute('aria-current', 'true')
  await page.getByRole('button', { name: 'Ferma le animazioni' }).click()
  await page.clock.runFor(3 * slideMs)
  await expect(first).toHaveAttribute('aria-current', 'true')
})

test('the hero stands still for people who asked for less motion', async ({ page, site }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.clock.install()
  await page.goto(site.origin)
  await page.waitForLoadState('networkidle')
  await page.clock.runFor(3 * slideMs)
  await expect(page.getByRole('button', { name: 'Mostra l’immagine 1 di 2' })).toHaveAttribute(
    'aria-current',
    'true',
  )
  await expect(page.getByRole('button', { name: /le animazioni/ })).toHaveCount(0)
})

test('the milestones are scrolled by the buttons', async ({ page, site }) => {
  await page.goto(`${site.origin}/chi-sono`)
  const track = page.getByRole('region', { name: 'Le tappe del mio percorso' })
  await expect(track.getByRole('listitem')).toHaveCount(8)
  await page.getByRole('button', { name: italian.tappeSuccessive }).click()
  await expect.poll(() => track.evaluate((element) => element.scrollLeft)).toBeGreaterThan(200)
  await page.getByRole('button', { name: italian.tappePrecedenti }).click()
  await expect.poll(() => track.evaluate((element) => element.scrollLeft)).toBe(0)
})

test('a flip card turns on click and turns back', async ({ page, site }) => {
  await page.goto(`${site.origin}/rebirthing`)
  const back = page.getByText(italian.pauseBreviCheLascianoIlSegno)
  await expect(back).toBeHidden()
  await page.getByRole('button', { name: italian.mostraIBeneficiPerLePersone }).click()
  await expect(back).toBeVisible()
  const turned = page.getByRole('button', { name: italian.tornaAlTitoloPerLePersone })
  await expect(turned).toHaveAttribute('aria-expanded', 'true')
  await turned.click()
  await expect(back).toBeHidden()
})

test('without scripts both sides of a flip card and all benefits can be read', async ({
  browser,
  site,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${site.origin}/rebirthing`)
  await expect(page.getByText(italian.pauseBreviCheLascianoIlSegno)).toBeVisible()
  await page.goto(site.origin)
  await expect(page.getByText('Un respiro più ampio e regolare')).toBeVisible()
  await context.close()
})

test('the sections for companies and sport are reached by their anchors', async ({
  page,
  site,
}) => {
  for (const anchor of ['aziende', 'sport']) {
    // From another page, because headless browsers may skip scrolling to an anchor within the page.
    await page.goto('about:blank')
    await page.goto(`${site.origin}/rebirthing#${anchor}`)
    await expect
      .poll(() => page.locator(`#${anchor}`).evaluate((e) => e.getBoundingClientRect().top))
      .toBeLessThan(100)
  }
})

test('one question is open at a time and can be closed again', async ({ page, site }) => {
  await page.goto(`${site.origin}/contatti`)
  const open = page.locator('details[open]')
  await expect(page.locator('details')).toHaveCount(8)
  await page.getByRole('heading', { name: italian.eUnaTerapia }).click()
  await page.getByRole('heading', { name: 'Quante sessioni servono?' }).click()
  await expect(open).toHaveCount(1)
  await expect(open).toContainText('un ciclo di 10 sessioni')
  await page.getByRole('heading', { name: 'Quante sessioni servono?' }).click()
  await expect(open).toHaveCount(0)
})

test('the services page shows six services and three packages', async ({ page, site }) => {
  await page.goto(`${site.origin}/servizi`)
  await expect(page.getByRole('heading', { name: italian.iNostriServizi, level: 1 })).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(9)
  await expect(page.getByText('Più popolare')).toBeVisible()
})

// Regression: scripts found an element by an id that the slug of a heading had as well.
test('a legal page answers to presses whatever its headings are called', async ({
  admin,
  fresh,
}) => {
  const address = `${fresh.origin}/api/admin/words/legal.privacy`
  const { value } = await (await admin.request.get(address)).json()
  const [first, second, ...others] = value.sections
  const sections = [{ ...first, title: 'Later' }, { ...second, title: 'Page data' }, ...others]
  const saved = await admin.request.put(address, {
    headers: { origin: fresh.origin },
    data: { value: { ...value, sections } },
  })
  expect(saved.status()).toBe(200)
  await admin.goto(`${fresh.origin}/privacy`)
  await expect(admin.locator('h2#later + *')).toHaveCount(1)
  await expect(admin.locator('html[data-hydrated]')).toHaveCount(1)
})
