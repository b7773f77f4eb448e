// How long a letter takes in an article of 5,000 words, on a processor four times slower.
//
//   node benches/typing.mjs PROGRAM [ANOTHER]
//
// From the key to the laid out page: the editor's work, what is drawn again, style and layout.

import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { folder, start } from './program.mjs'

const require = createRequire(resolve('ui/package.json'))
const { chromium } = require('playwright-core')

const account = { email: 'misura@example.com', password: 'una parola lunga' }
const SLOWER = 4
const LETTERS = 200
/** After so long without a key what was written has been handed to the form. */
const PAUSE_MS = 1_500
const paragraph = `${'respiro lento e profondo, come sempre '.repeat(16).trim()}.`
const text = (paragraphs) =>
  Array.from({ length: paragraphs }, (_, place) =>
    place % 6 === 0 ? `## Sezione ${place}\n\n${paragraph}` : paragraph,
  ).join('\n\n')
/** A long article beside a short one: what grows with the text is the editor's to mend. */
const ARTICLES = { long: text(52), short: text(2) }

const programs = process.argv.slice(2)
if (programs.length === 0) programs.push('target/release/respiro')
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
try {
  for (const path of programs) await measure(path)
} finally {
  await browser.close()
}

async function measure(path) {
  const { data, remove } = folder()
  const program = await start(resolve(path), data)
  const { origin } = program
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    const headers = { origin }
    const token = program.setUpToken
    const set = { data: { token, ...account }, headers }
    await context.request.post(`${origin}/api/auth/setup`, set)
    for (const [name, content] of Object.entries(ARTICLES)) {
      const item = { title: name, slug: name, content }
      await context.request.post(`${origin}/api/admin/blog`, { data: item, headers })
      const page = await context.newPage()
      await page.goto(`${origin}/admin#/blog`)
      await page.getByRole('button', { name: `Modifica: ${name}` }).click()
      const { times, scripts, pause } = await type(page)
      times.sort((a, b) => a - b)
      const at = (part) => times[Math.floor(times.length * part)].toFixed(1)
      const words = content.split(/\s+/).length
      console.log(
        `${path}, ${words} words, ${times.length} letters at ${SLOWER}x: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms; ` +
          `script ${scripts.toFixed(1)} ms a letter; the pause after, script ${pause.toFixed(1)} ms`,
      )
      await page.close()
    }
  } finally {
    await context.close()
    await program.stop()
    remove()
  }
}

/** Milliseconds from each key to the laid out page, of script a letter, and of script once it rests. */
async function type(page) {
  const field = page.getByRole('textbox', { name: 'Testo', exact: true })
  await field.waitFor()
  await field.locator('p').last().click()
  await page.evaluate(() => {
    window.times = []
    let begun = 0
    const channel = new MessageChannel()
    channel.port1.onmessage = () => {
      document.body.getBoundingClientRect()
      window.times.push(performance.now() - begun)
    }
    window.addEventListener('keydown', () => { begun = performance.now() }, true)
    window.addEventListener('input', () => channel.port2.postMessage(0), true)
  })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable')
  const script = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'ScriptDuration').value * 1000
  }
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  const before = await script()
  for (let letter = 0; letter < LETTERS; letter += 1) {
    await page.keyboard.press(letter % 6 === 5 ? 'Space' : 'a')
  }
  const rests = await script()
  await page.waitForTimeout(PAUSE_MS)
  const pause = (await script()) - rests
  return { times: await page.evaluate(() => window.times), scripts: (rests - before) / LETTERS, pause }
}
