// Measures the page editor: the time to open a page, the time of a letter, and the cost of publishing forty blocks.
//
//   node benches/pages.mjs PROGRAM [openings] [letters] [publishing]      all of it, or what is named
//
// Measures letters as `typing.mjs` does, on a processor with 4x throttling, in a title and in a rich text. The
// baseline is the title of the public page, made editable by the browser alone: once without the page's scripts, which
// the editor's iframe does not have either, and once with them. Publishing goes through the API, one block and forty in
// turn, so that both meet the same load of the machine.

import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { paintTimes, percentile, report, times } from './letters.mjs'
import { atRest, folder, start } from './program.mjs'

const require = createRequire(resolve('ui/package.json'))
const { chromium } = require('playwright-core')

const account = { email: 'misura@example.com', password: 'una parola lunga' }
const LETTERS = 120
const OPENINGS = 5
const SLOWER = 4
const TURNS = 7
const PAUSE_MS = 4_000
const MANY = 40
/** The pause of a typist who searches for the keys. */
const SLOW_GAP_MS = 300
const SLOW_LETTERS = 40
const PHONE = { width: 360, height: 740 }
const PLACE = 'Apertura, Titolo'
/** Where the pointer presses inside a card; it arrives a moment before the press. */
const INSIDE_PX = 50
const POINTED_MS = 300
/** After this pause without a key the editor has saved the text and rendered the page again. */
const AFTER_MS = 2_500

const binary = resolve(process.argv[2] ?? 'target/release/respiro')
const { data, remove } = folder()
const program = await start(binary, data, ['--demo'])
const { origin } = program
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
const headers = { origin }
try {
  const set = { data: { token: program.setUpToken, ...account }, headers }
  await context.request.post(`${origin}/api/auth/setup`, set)
  await atRest(program)
  const named = process.argv.slice(3)
  const parts = { openings, letters, publishing }
  for (const [name, part] of Object.entries(parts)) {
    if (named.length === 0 || named.includes(name)) await part()
  }
} finally {
  await browser.close()
  await program.stop()
  remove()
}

/** Measures from the press on a page's card to the first editable place. */
async function openings() {
  await openingsAt(1)
  await openingsAt(SLOWER)
}

async function openingsAt(slower) {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  const times = []
  for (let turn = 0; turn < OPENINGS; turn += 1) {
    await page.goto(`${origin}/admin#/pagine`)
    await page.reload()
    const card = page.getByRole('link', { name: 'Modifica: Servizi' })
    await card.waitFor()
    // The thumbnails of the pages render meanwhile, as they do while the admin searches for a page.
    await page.waitForTimeout(PAUSE_MS)
    const { x, y } = await card.boundingBox()
    await session.send('Emulation.setCPUThrottlingRate', { rate: slower })
    await page.evaluate(watchOpening)
    await page.mouse.move(x + INSIDE_PX, y + INSIDE_PX)
    await page.waitForTimeout(POINTED_MS)
    await page.mouse.down()
    await page.mouse.up()
    times.push(await page.evaluate(() => window.opened))
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  }
  const all = times.map((time) => time.toFixed(0)).join(', ')
  console.log(`opening a page, processor ${slower} times slower: median ${percentile(times, 0.5).toFixed(0)} ms of ${all}`)
  await page.close()
}

/**
 * Measures by the page's own clock. The driver's click waits until nothing moves under the pointer, and its text search
 * walks the whole page, which took as long again at 4x throttling.
 */
function watchOpening() {
  window.opened = new Promise((resolve) => {
    const began = ({ timeStamp }) => {
      const look = () => {
        const page = document.querySelector('main > div > div > iframe')?.contentDocument
        const isOpen = page?.getElementById('words-over') && page.querySelector('[contenteditable]')
        if (isOpen) setTimeout(() => resolve(performance.now() - timeStamp))
        else requestAnimationFrame(look)
      }
      look()
    }
    window.addEventListener('mousedown', began, { once: true, capture: true })
  })
}

async function bareWords(hasScripts) {
  const page = await context.newPage()
  if (!hasScripts) await page.route(/\.js$/, (route) => route.abort())
  await page.goto(`${origin}/servizi`)
  await page.locator('h1').evaluate((title) => {
    title.contentEditable = 'plaintext-only'
  })
  await page.locator('h1').click()
  await page.keyboard.press('End')
  const found = await paintTimes(page, page.mainFrame(), LETTERS)
  const by = hasScripts ? 'beside its own scripts' : 'by the browser alone'
  console.log(`a letter in the public page at 4x, ${by}: ${report(found)}`)
  await page.close()
  return found
}

async function letters() {
  const bare = await bareWords(false)
  await bareWords(true)
  const title = (frame) => frame.getByRole('textbox', { name: PLACE })
  await lettersIn('a title', 'servizi', title, bare)
  await lettersIn('a title, typed slowly,', 'servizi', title, bare, SLOW_GAP_MS, SLOW_LETTERS)
  const rich = (frame) => frame.locator('[data-words="legal.privacy:sections[0].text"]')
  await lettersIn('a rich text', 'privacy', rich, bare)
  await lettersInSheet(bare)
}

/** On a phone the admin types into the field of the sheet, and the page above it follows. */
async function lettersInSheet(bare) {
  const page = await context.newPage()
  await page.setViewportSize(PHONE)
  await page.goto(`${origin}/admin#/pagine/servizi`)
  await page.frameLocator('iframe').locator('[data-words="servizi.hero:title"]').click()
  await page.locator('[id="w-servizi.hero-title"]:focus').waitFor()
  await page.keyboard.press('End')
  const found = await paintTimes(page, page.mainFrame(), LETTERS)
  console.log(`a letter in the sheet at 360 px at 4x: ${report(found)}; ${times(found, bare)}`)
  await page.close()
}

async function lettersIn(what, name, place, bare, gapMs, letters = LETTERS) {
  const page = await context.newPage()
  await page.goto(`${origin}/admin#/pagine/${name}`)
  const text = place(page.frameLocator('iframe'))
  await text.click()
  // The rich text editor loads when its text gets the focus.
  const isEditable = page.frameLocator('iframe').locator('[contenteditable=true]')
  await text.and(isEditable).or(text.locator('[contenteditable=true]')).first().waitFor()
  await page.keyboard.press('End')
  const inner = page.frames().find((one) => one !== page.mainFrame())
  const found = await paintTimes(page, inner, letters, gapMs)
  await page.waitForTimeout(AFTER_MS)
  const after = ((await found.script()) - found.rests).toFixed(1)
  console.log(
    `a letter in ${what} of the page at 4x: ${report(found)}; the pause after, script ${after} ms; ${times(found, bare)}`,
  )
  await page.close()
}

async function publishing() {
  const { blocks } = await (await context.request.get(`${origin}/api/admin/words`)).json()
  const changeable = blocks.filter(({ value }) => lineOf(value) !== undefined).slice(0, MANY)
  const versions = new Map(blocks.map(({ id, version }) => [id, version]))
  const publish = async (some, turn) => {
    const changes = some.map(({ id, value }) => {
      const name = lineOf(value)
      const changed = { ...value, [name]: `${value[name].slice(0, 20)} ${turn}` }
      return [id, { value: changed, version: versions.get(id) }]
    })
    const began = performance.now()
    const answer = await context.request.put(`${origin}/api/admin/words`, {
      data: { blocks: Object.fromEntries(changes) },
      headers,
    })
    const time = performance.now() - began
    if (!answer.ok()) throw new Error(`${answer.status()} ${await answer.text()}`)
    for (const { id, version } of (await answer.json()).blocks) versions.set(id, version)
    return time
  }
  const [one, many] = [[], []]
  for (let turn = 0; turn < TURNS; turn += 1) {
    one.push(await publish(changeable.slice(0, 1), turn))
    await atRest(program)
    many.push(await publish(changeable, turn))
    await atRest(program)
  }
  const [a, b] = [percentile(one, 0.5), percentile(many, 0.5)]
  console.log(
    `publishing: one part ${a.toFixed(1)} ms, ${changeable.length} parts ${b.toFixed(1)} ms, ${(b / a).toFixed(2)} times; medians of ${TURNS}`,
  )
}

/** Returns the name of the first field that holds plain text. */
function lineOf(value) {
  return Object.keys(value).find((name) => /title|text|intro|label/i.test(name) && typeof value[name] === 'string')
}
