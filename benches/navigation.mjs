// How long the next page takes when it was meant before: the pointer rests on a link, then presses it.
//
//   node benches/navigation.mjs PROGRAM [--write]
//
// From the press to the frame in which the other page's title stands, for each link of the menu from the home page
// and back, in one run with demonstration content.

import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { percentile } from './letters.mjs'
import { atRest, folder, start } from './program.mjs'
import { machine, report, table } from './report.mjs'

const require = createRequire(resolve('ui/package.json'))
const { chromium } = require('playwright-core')

const ROUNDS = 5
/** A hand takes longer from coming to a link to pressing it. */
const REST_MS = 300

const { data, remove } = folder()
const program = await start(resolve(process.argv[2] ?? 'target/release/respiro'), data, ['--demo'])
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
const figures = [['motion', 'pages opened', 'median', 'p90', 'under 50 ms']]
try {
  await atRest(program)
  for (const reducedMotion of ['no-preference', 'reduce']) {
    const times = await opened(reducedMotion)
    const within = times.filter((time) => time < 50).length
    figures.push([
      reducedMotion,
      String(times.length),
      `${percentile(times, 0.5).toFixed(0)} ms`,
      `${percentile(times, 0.9).toFixed(0)} ms`,
      `${((within * 100) / times.length).toFixed(0)} %`,
    ])
  }
} finally {
  await browser.close()
  await program.stop()
  remove()
}
report('navigation', `${table(figures)}\n\nThe pointer rests ${REST_MS} ms on the link; ${machine()}.`)

/** How long each link of the menu took, one after the other. */
async function opened(reducedMotion) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion })
  await page.goto(program.origin)
  await page.locator('html[data-hydrated]').waitFor({ state: 'attached' })
  const links = page.locator('header nav a:visible')
  const times = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const count = await links.count()
    for (let at = 0; at < count; at += 1) {
      const link = links.nth(at)
      const path = await link.getAttribute('href')
      if (path === null || new URL(page.url()).pathname === path) continue
      times.push(await pressed(page, link))
    }
  }
  await page.close()
  return times
}

/** Milliseconds from the press to the frame that shows another title. */
async function pressed(page, link) {
  await page.evaluate(() => {
    const before = document.querySelector('h1')?.textContent
    let began = 0
    addEventListener('click', () => (began = performance.now()), { capture: true, once: true })
    window.shown = new Promise((resolve) => {
      const look = () => {
        const now = document.querySelector('h1')?.textContent
        if (began > 0 && now && now !== before) resolve(performance.now() - began)
        else requestAnimationFrame(look)
      }
      look()
    })
  })
  await link.hover()
  await page.waitForTimeout(REST_MS)
  await link.click()
  return page.evaluate(() => window.shown)
}
