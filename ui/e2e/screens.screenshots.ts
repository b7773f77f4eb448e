// Takes every page of the site and every area of the panel for `screens.mjs`, which compares two builds.
//
// SCREENS is the folder of the pictures, SCREENS_DATA that of the data files: the build that is taken first writes them,
// the other one reads them, so that both show the same items and dates. SCREENS_ONLY is a pattern of names.

import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import { kinds } from './admin-kinds'
import { fillWithHardContent } from './hard-content'
import { type Program, start } from './program'
import { account, answerCookies, pathOf, publicPages, settled, test } from './test'

const folder = process.env.SCREENS ?? ''
const dataFolder = process.env.SCREENS_DATA ?? ''
const only = new RegExp(process.env.SCREENS_ONLY ?? '')
const contents = ['demonstration', 'hard'] as const
const widths = [1440, 390] as const
const schemes = ['light', 'dark'] as const

type Content = (typeof contents)[number]

/** A screen: its name in the sheet, its address, and what is pressed there. */
type Place = { readonly name: string; readonly path: string; readonly press?: string }

// Some screens are shown with faults of their content; the tests look for those.
test.use({ named: /./ })

for (const content of contents)
  for (const width of widths)
    test(`every screen with ${content} content, ${width} px wide`, async ({
      browser,
      folder: own,
    }) => {
      test.setTimeout(3_600_000)
      mkdirSync(folder, { recursive: true })
      const label = `${content}-${width}`
      const { program, cookie } = await startWith(content, label, own)
      const visited = await publicPlaces(program)
      const edited = await panelPlaces(program, cookie)
      const context = await browser.newContext({
        viewport: { width, height: width < 500 ? 844 : 900 },
        reducedMotion: 'reduce',
        locale: 'it-IT',
        timezoneId: 'Europe/Rome',
      })
      await takeAll(context, program.origin, visited, label)
      await context.addCookies([{ name: 'respiro-session', value: cookie, url: program.origin }])
      await takeAll(context, program.origin, edited, label)
      await context.close()
      await program.stop()
    })

/** Starts the program with the data file of the label, and creates that if it is missing. */
async function startWith(content: Content, label: string, own: string) {
  const [kept, session] = [join(dataFolder, `${label}.redb`), join(dataFolder, `${label}.session`)]
  const file = join(own, 'respiro.redb')
  if (!existsSync(session)) {
    mkdirSync(dataFolder, { recursive: true })
    copyFileSync(process.env.RESPIRO_TEMPLATE ?? '', kept)
    const program = await start(kept)
    if (content === 'hard') await fillWithHardContent(program.origin)
    const cookie = await signIn(program)
    await program.stop()
    writeFileSync(session, cookie)
  }
  copyFileSync(kept, file)
  return { program: await start(file), cookie: readFileSync(session, 'utf8') }
}

async function signIn({ origin }: Program): Promise<string> {
  const answer = await fetch(`${origin}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify(account),
  })
  return /respiro-session=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? ''
}

async function publicPlaces(program: Program): Promise<Place[]> {
  const places: Place[] = []
  for (const page of [...publicPages, '/testimonials-none', '/evento/none', '/blog/none'])
    places.push({ name: `site ${page}`, path: await pathOf(page, program) })
  return [...places, { name: 'panel sign-in', path: '/admin' }]
}

const areas = ['visite', 'newsletter', 'impostazioni', 'backup', 'cestino', 'avvisi', 'account']
const pages = [
  ...['home', 'chi-sono', 'rebirthing', 'servizi', 'testimonianze', 'eventi', 'evento'],
  ...['blog', 'articolo', 'contatti', 'privacy', 'terms', 'cookies'],
]

async function panelPlaces({ origin }: Program, cookie: string): Promise<Place[]> {
  const headers = { cookie: `respiro-session=${cookie}` }
  const places: Place[] = []
  const all = [...kinds, { kind: 'blog', add: 'Nuovo Articolo' }]
  for (const { kind, add } of all) {
    const list = kind === 'blog' ? '/admin#/blog' : `/admin#/contenuti/${kind}`
    const answer = await fetch(`${origin}/api/admin/${kind}`, { headers })
    const [first] = (await answer.json()) as { id: string }[]
    places.push({ name: `panel ${kind}`, path: list })
    places.push({ name: `panel ${kind} add`, path: list, press: add })
    if (first) places.push({ name: `panel ${kind} edit`, path: `${list}/${first.id}` })
  }
  places.push({ name: 'panel pagine', path: '/admin#/pagine' })
  for (const page of pages)
    places.push({ name: `panel pagine ${page}`, path: `/admin#/pagine/${page}` })
  for (const area of areas) places.push({ name: `panel ${area}`, path: `/admin#/${area}` })
  return places
}

/** Takes each place in both colour schemes; loading it again for the second took twice as long. */
async function takeAll(
  context: BrowserContext,
  origin: string,
  places: readonly Place[],
  label: string,
) {
  for (const { name, path, press } of places) {
    const titles = schemes.map((scheme) => [scheme, `${name} ${label}-${scheme}`] as const)
    const wanted = titles.filter(([, title]) => only.test(title))
    if (wanted.length === 0) continue
    const page = await context.newPage()
    await answerCookies(page)
    // Timers run on: the panel debounces by them.
    await page.clock.setFixedTime(new Date(process.env.SCREENS_TIME ?? Date.now()))
    await page.goto(origin + path)
    await quiet(page)
    if (press !== undefined) {
      // An older build may lack the button; the picture then shows it.
      await page
        .getByRole('button', { name: press })
        .first()
        .click({ timeout: 5_000 })
        .catch(() => null)
      await quiet(page)
    }
    // Behind a dialog the page does not scroll.
    const fullPage = (await page.locator('dialog:modal').count()) === 0
    for (const [colorScheme, title] of wanted) {
      await page.emulateMedia({ colorScheme })
      await settled(page)
      const path = join(folder, `${title.replace(/[^\w-]+/g, '_')}.png`)
      await page.screenshot({ path, fullPage, animations: 'disabled' })
    }
    await page.close()
  }
}

/** Longest wait for an iframe: where scripts are off, its promises may never settle. */
const frameMs = 3_000

/** Waits until nothing loads and nothing moves, and every image of the page and its iframes is drawn. */
async function quiet(page: Page) {
  await page.waitForLoadState('networkidle', { timeout: 15_000 }).catch(() => null)
  await page.evaluate(async () => {
    for (const image of document.images) image.loading = 'eager'
    // Some elements are measured when they come near the viewport.
    for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight) {
      scrollTo({ top, behavior: 'instant' })
      await new Promise((next) => requestAnimationFrame(next))
    }
    scrollTo({ top: 0, behavior: 'instant' })
    await document.fonts.ready
  })
  for (const frame of page.frames())
    await Promise.race([
      frame
        .evaluate(() =>
          Promise.all([...document.images].map((image) => image.decode().catch(() => null))),
        )
        .catch(() => null),
      new Promise((over) => setTimeout(over, frameMs)),
    ])
  await page.waitForLoadState('networkidle', { timeout: 15_000 }).catch(() => null)
  await settled(page)
}
