// How long a letter takes in an article of 5,000 words, on a processor four times slower.
//
//   node benches/typing.mjs PROGRAM [ANOTHER]
//
// From the key to the laid out page: the editor's work, what is drawn again, style and layout.

import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { paintTimes, percentile } from './letters.mjs'
import { folder, start } from './program.mjs'

const require = createRequire(resolve('ui/package.json'))
const { chromium } = require('playwright-core')

const account = { email: 'misura@example.com', password: 'una parola lunga' }
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
      const at = (part) => percentile(times, part).toFixed(1)
      const words = content.split(/\s+/).length
      console.log(
        `${path}, ${words} words, ${times.length} letters at 4x: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms; ` +
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
  const { times, scripts, rests, script } = await paintTimes(page, page.mainFrame(), LETTERS)
  await page.waitForTimeout(PAUSE_MS)
  return { times, scripts, pause: (await script()) - rests }
}
