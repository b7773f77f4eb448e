// Fixtures of the browser tests: `site` is a server per worker, `fresh` one per test.

import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { test as base, expect, type Frame, type Page } from '@playwright/test'
import { watchFaults } from './faults'
import { type Program, start } from './program'
import { account } from './template'

export { account, expect }

/** Registers a function that runs after the test, also after a failure. */
export type AtEnd = (end: () => unknown) => void
type Fixtures = {
  fresh: Program
  admin: Page
  atEnd: AtEnd
  folder: string
  /** The faults that a test causes on purpose, as `test.use({ named: /^422 POST/ })`. */
  named: RegExp
  noFaults: undefined
}
type WorkerFixtures = { site: Program }

/** Timeout of hydration: some tests block the scripts. */
const scriptsMs = 2_000

export const test = base.extend<Fixtures, WorkerFixtures>({
  named: [/^$/, { option: true }],
  /** Fails a test that passed otherwise, when a page had a fault that the test does not name. */
  noFaults: [
    async ({ browser, named }, use, info) => {
      const end = watchFaults(browser)
      await use(undefined)
      const unnamed = (await end()).filter((fault) => !named.test(fault))
      if (process.env.FAULTS_FILE)
        for (const fault of unnamed)
          appendFileSync(process.env.FAULTS_FILE, `${info.file} ${info.title}: ${fault}\n`)
      else if (info.status === info.expectedStatus) expect(unnamed).toEqual([])
    },
    { auto: true },
  ],
  /** `goto` waits for hydration, because the scripts of a public page load after its first paint and `load`. */
  page: async ({ page, javaScriptEnabled }, use) => {
    const goto = page.goto.bind(page)
    page.goto = async (address, options) => {
      const answer = await goto(address, options)
      const isThere = () =>
        document.getElementById('later') === null ||
        document.documentElement.dataset.hydrated !== undefined
      if (javaScriptEnabled)
        await page.waitForFunction(isThere, null, { timeout: scriptsMs }).catch(() => null)
      return answer
    }
    await use(page)
  },
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's pattern
    async ({}, use) => {
      await withCopy(use)
    },
    { scope: 'worker' },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's pattern
  fresh: async ({}, use) => {
    await withCopy(use)
  },
  /**
   * Runs in reverse order. Clean-up at the end of a test is skipped when an assertion fails, and left servers running.
   */
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's pattern
  atEnd: async ({}, use) => {
    const ends: (() => unknown)[] = []
    await use((end) => ends.unshift(end))
    for (const end of ends) await end()
  },
  /** A temporary folder of the test, deleted afterwards. */
  folder: async ({ atEnd }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'respiro-e2e-'))
    atEnd(() => rmSync(folder, { recursive: true }))
    await use(folder)
  },
  admin: async ({ page, fresh }, use) => {
    const answer = await page.request.post(`${fresh.origin}/api/auth/login`, {
      data: account,
      headers: { origin: fresh.origin },
    })
    expect(answer.status()).toBe(200)
    await page.goto(`${fresh.origin}/admin`)
    await use(page)
  },
})

async function withCopy(use: (program: Program) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), 'respiro-e2e-'))
  const file = join(folder, 'respiro.redb')
  copyFileSync(process.env.RESPIRO_TEMPLATE ?? '', file)
  const program = await start(file)
  await use(program)
  await program.stop()
  rmSync(folder, { recursive: true })
}

/**
 * Opens further pages as a visitor who has answered the cookie banner. Closing the banner in the page is too early: it
 * appears a frame after hydration, and covered what a test looked at.
 */
export async function answerCookies(page: Page) {
  await page.addInitScript(() => {
    const date = Date.now()
    const consent = { necessary: true, analytics: false, marketing: false, date, version: 1 }
    localStorage.setItem('cookie-consent', JSON.stringify(consent))
  })
}

const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Longest wait for animations: one on an element that is removed while it fades never finishes. */
const fadeMilliseconds = 3_000

/** Waits until no finite animation or transition runs, because axe rejects intermediate colours. */
export async function settled(page: Page | Frame) {
  await page.evaluate(async (longest) => {
    const over = new Promise((next) => setTimeout(next, longest))
    const until = performance.now() + longest
    for (let quiet = 0; quiet < 3 && performance.now() < until; quiet += 1) {
      await Promise.race([over, new Promise((next) => requestAnimationFrame(next))])
      const finite = document
        .getAnimations()
        .filter((one) => one.playState === 'running')
        .filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime))
      if (finite.length > 0) quiet = 0
      await Promise.race([over, Promise.allSettled(finite.map((one) => one.finished))])
    }
  }, fadeMilliseconds)
}

/** Fails on any violation of WCAG 2.2 AA or axe's best practices on the current page. */
export async function expectAccessible(page: Page) {
  await settled(page)
  // Legacy mode analyses this page alone: to merge frames axe opens a second page for each run, half
  // of its cost, and it would wait forever in a sandboxed iframe without scripts. The iframe element
  // itself is checked; a preview shows a public page, which has tests of its own.
  const axe = new AxeBuilder({ page }).setLegacyMode(true)
  // None of these rules reads style sheets. For preload axe would fetch the page's own rules, which the CSP refuses.
  axe.options({ runOnly: axeTags, resultTypes: ['violations'], preload: false })
  // `expectFrameAccessible` checks the edited page.
  axe.exclude('iframe[sandbox~=allow-scripts]')
  await raiseDialogs(page, '99')
  tell((await axe.analyze()).violations)
  await raiseDialogs(page, '')
  expect(await page.evaluate(attributeFaults)).toEqual([])
}

/** axe does not know the top layer: without a `z-index`, what lies behind a modal dialog covers it. */
async function raiseDialogs(page: Page, zIndex: string) {
  await page.locator('dialog:modal').evaluateAll((all, value) => {
    for (const dialog of all as HTMLDialogElement[]) dialog.style.zIndex = value
  }, zIndex)
}

/** Faults of roles and attributes that axe does not report, each with its element. Runs in the page. */
function attributeFaults(): string[] {
  const tag = (element: Element) => (element.cloneNode() as Element).outerHTML
  const isNamed = (element: Element, attribute: string) =>
    (element.getAttribute(attribute) ?? '')
      .split(' ')
      .every((id) => id !== '' && document.getElementById(id) !== null)
  const found = (fault: string, selector: string, isFault: (element: Element) => boolean) =>
    [...document.querySelectorAll(selector)].filter(isFault).map((one) => `${fault}: ${tag(one)}`)
  return [
    ...found('aria-checked beside the native state', 'input[aria-checked]', () => true),
    ...found(
      'aria-controls names nothing',
      '[aria-controls]:not([aria-expanded=false])',
      (one) => !isNamed(one, 'aria-controls'),
    ),
    ...found(
      'an alert dialog without its question',
      '[role=alertdialog]',
      (one) => !isNamed(one, 'aria-describedby'),
    ),
    ...found('a group cannot be invalid', 'fieldset[aria-invalid]:not([role])', () => true),
  ]
}

// The version that `AxeBuilder` uses.
const ofBuilder = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'))
const axeSource = readFileSync(ofBuilder.resolve('axe-core/axe.min.js'), 'utf8')

type Results = Awaited<ReturnType<AxeBuilder['analyze']>>

/**
 * The same for the edited page in its iframe, with its marks and tools. The developer
 * tools evaluate axe in the frame, because the inherited CSP refuses scripts.
 */
export async function expectFrameAccessible(page: Page, without: readonly string[] = []) {
  const element = await page.locator('iframe[sandbox~=allow-scripts]').elementHandle()
  const frame = await element?.contentFrame()
  if (!frame) throw new Error('no page is open')
  await settled(frame)
  await frame.evaluate(axeSource)
  const { violations } = await frame.evaluate((runOnly) => {
    type Axe = { run: (root: Document, options: object) => Promise<Results> }
    const { axe } = window as unknown as { axe: Axe }
    return axe.run(document, { runOnly, resultTypes: ['violations'] })
  }, axeTags)
  // axe treats a summary as a button with presentational children. No
  // browser does, and in the editor it opens nothing.
  const isSummary = (node: { html: string }) => node.html.startsWith('<summary')
  const nested = (id: string, nodes: { html: string }[]) =>
    id === 'nested-interactive' && nodes.every(isSummary)
  tell(violations.filter(({ id, nodes }) => !nested(id, nodes) && !without.includes(id)))
}

function tell(violations: Results['violations']) {
  const faults = violations.map(
    (violation) =>
      `${violation.id}: ${violation.help}\n  ${violation.nodes.map((node) => node.html).join('\n  ')}`,
  )
  expect(faults, faults.join('\n')).toEqual([])
}

/** Collects console errors and warnings, and every request to another origin. */
export function watch(page: Page, origin: string) {
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(origin) && !url.startsWith('data:') && !url.startsWith('blob:'))
      faults.push(`left the origin: ${url}`)
  })
  return faults
}

export const publicPaths = [
  '/',
  '/chi-sono',
  '/servizi',
  '/rebirthing',
  '/testimonianze',
  '/eventi',
  '/blog',
  '/contatti',
  '/privacy',
  '/terms',
  '/cookies',
] as const

/** Every kind of page; `pathOf` inserts the id of the first event and the slug of the first article. */
export const publicPages = [...publicPaths, '/evento/{id}', '/blog/{slug}'] as const

export async function pathOf(page: string, site: Program): Promise<string> {
  const first = async (list: string) => (await (await fetch(site.origin + list)).json())[0]
  if (page === '/evento/{id}') return page.replace('{id}', (await first('/api/events')).id)
  if (page === '/blog/{slug}') return page.replace('{slug}', (await first('/api/blog')).slug)
  return page
}
