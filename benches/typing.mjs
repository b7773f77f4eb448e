// Measures the time of a letter in an article of 5,000 words, on a processor with 4x throttling.
//
//   node benches/typing.mjs PROGRAM [ANOTHER]
//
// First come bare fields of the browser with the same text in an empty page, a <textarea> and paragraphs in a
// `contenteditable`: no editor can be faster on this machine. Then come the editor's articles, a long and a short one,
// each compared with the paragraphs of the same run.

import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { paintTimes, report, times } from './letters.mjs'
import { folder, start } from './program.mjs'

const require = createRequire(resolve('ui/package.json'))
const { chromium } = require('playwright-core')

const account = { email: 'misura@example.com', password: 'una parola lunga' }
const LETTERS = 200
/** After this pause without a key the editor has passed the text to the form. */
const PAUSE_MS = 1_500
const paragraph = `${'respiro lento e profondo, come sempre '.repeat(16).trim()}.`
const text = (paragraphs) =>
  Array.from({ length: paragraphs }, (_, place) =>
    place % 6 === 0 ? `## Sezione ${place}\n\n${paragraph}` : paragraph,
  ).join('\n\n')
/** A long and a short article: a cost that grows with the text is a fault of the editor. */
const ARTICLES = { long: text(52), short: text(2) }

const programs = process.argv.slice(2)
if (programs.length === 0) programs.push('target/release/respiro')
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
try {
  await bareField('<textarea rows="40" cols="80"></textarea>')
  const bare = await bareField(paragraphs())
  for (const path of programs) await measure(path, bare)
} finally {
  await browser.close()
}

async function measure(path, bare) {
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
      const field = page.getByRole('textbox', { name: 'Testo', exact: true })
      await field.waitFor()
      await field.locator('p').last().click()
      const found = await type(page)
      const words = content.split(/\s+/).length
      console.log(
        `${path}, ${words} words at 4x: ${report(found)}; the pause after, script ${found.pause.toFixed(1)} ms; ${times(found, bare)}`,
      )
      await page.close()
    }
  } finally {
    await context.close()
    await program.stop()
    remove()
  }
}

/** Measures the cost of each letter, and of the pause after the last one. */
async function type(page) {
  const found = await paintTimes(page, page.mainFrame(), LETTERS)
  await page.waitForTimeout(PAUSE_MS)
  return { ...found, pause: (await found.script()) - found.rests }
}

function paragraphs() {
  const all = ARTICLES.long.split('\n\n').map((text) => `<p>${text.replace(/^## /, '')}</p>`)
  return `<div contenteditable="true" style="width: 38rem">${all.join('')}</div>`
}

async function bareField(html) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.setContent(html)
  const field = page.locator('textarea')
  if ((await field.count()) > 0) await field.fill(ARTICLES.long)
  else await page.locator('p').last().click()
  const found = await type(page)
  const [name] = /\w+/.exec(html)
  console.log(`a bare ${name}, ${ARTICLES.long.split(/\s+/).length} words at 4x: ${report(found)}`)
  await page.close()
  return found
}
