// Measures how long the next page takes after a hover: the pointer rests on a link, then presses it.
//
//   node benches/navigation.mjs PROGRAM [ANOTHER] [--write]
//
// Opens each link of the menu from the home page and back, with demonstration content; two programs alternate, press by
// press. Measures from the timestamp of the press (its wait on a busy page is included) to the end of the frame with
// the other page's title: until the page's thread has drawn it (drawn), and until it is on the screen by Element Timing
// (seen). The difference is the browser's own painting, which a graphics card does on other machines. Meanwhile only
// one observer of the measurement runs, which waits for the title.

import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { percentile } from './letters.mjs'
import { atRest, folder, start } from './program.mjs'
import { machine, report, table } from './report.mjs'

const require = createRequire(resolve('ui/package.json'))
const { chromium } = require('playwright-core')

const ROUNDS = 5
/** A person takes longer from reaching a link to pressing it. */
const REST_MS = 300
/** Pause after each page, so that its remaining work does not count for the next one. */
const PAUSE_MS = 500
const GOAL_MS = 50

const paths = process.argv.slice(2).filter((word) => word !== '--write')
if (paths.length === 0) paths.push('target/release/respiro')
const programs = []
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})
const head = ['motion', 'pages opened']
for (const what of ['drawn', 'on the screen'])
  head.push(`${what}, median`, 'p90', `under ${GOAL_MS} ms`)
const figures = [paths.length > 1 ? ['program', ...head] : head]
try {
  for (const path of paths) {
    const place = folder()
    const program = await start(resolve(path), place.data, ['--demo'])
    programs.push({ ...program, path, remove: place.remove })
    await atRest(program)
  }
  for (const motion of ['no-preference', 'reduce']) {
    const found = await opened(motion)
    for (const [index, times] of found.entries()) {
      const row = [motion, String(times.length)]
      for (const what of ['drawn', 'seen']) row.push(...shares(times.map((time) => time[what])))
      figures.push(paths.length > 1 ? [paths[index], ...row] : row)
    }
  }
} finally {
  await browser.close()
  for (const { stop, remove } of programs) {
    await stop()
    remove()
  }
}
report('navigation', `${table(figures)}\n\nThe pointer rests ${REST_MS} ms on the link; ${machine()}.`)

function shares(times) {
  const within = times.filter((time) => time < GOAL_MS).length
  return [
    `${percentile(times, 0.5).toFixed(0)} ms`,
    `${percentile(times, 0.9).toFixed(0)} ms`,
    `${((within * 100) / times.length).toFixed(0)} %`,
  ]
}

/** Returns for each program the times of all links of the menu; the programs alternate. */
async function opened(reducedMotion) {
  const all = []
  for (const { origin } of programs) {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion })
    await page.goto(origin)
    await page.locator('html[data-hydrated]').waitFor({ state: 'attached' })
    all.push({ page, times: [] })
  }
  const count = await all[0].page.locator('header nav a:visible').count()
  for (let round = 0; round < ROUNDS; round += 1)
    for (let at = 0; at < count; at += 1)
      for (const { page, times } of all) {
        const link = page.locator('header nav a:visible').nth(at)
        if (new URL(page.url()).pathname === (await link.getAttribute('href'))) continue
        await page.bringToFront()
        times.push(await pressed(page, link))
      }
  for (const { page } of all) await page.close()
  return all.map(({ times }) => times)
}

/** Returns the milliseconds from the press to the drawn page and to the visible one. */
async function pressed(page, link) {
  await page.evaluate(() => {
    const before = document.querySelector('h1')?.textContent
    let began = 0
    let drawn = 0
    addEventListener('click', ({ timeStamp }) => (began = timeStamp), { capture: true, once: true })
    const afterFrame = new MessageChannel()
    afterFrame.port1.onmessage = () => (drawn = performance.now())
    const watch = (_, observer) => {
      const title = document.querySelector('h1')
      if (began === 0 || !title || title.textContent === before) return
      observer.disconnect()
      title.setAttribute('elementtiming', 'next')
      requestAnimationFrame(() => afterFrame.port2.postMessage(null))
    }
    const all = { subtree: true, childList: true, characterData: true }
    new MutationObserver(watch).observe(document.body, all)
    window.shown = new Promise((resolve) => {
      const told = (list, observer) => {
        const [title] = list.getEntries().filter(({ identifier }) => identifier === 'next')
        if (!title || began === 0) return
        observer.disconnect()
        resolve({ drawn: drawn - began, seen: title.renderTime - began })
      }
      new PerformanceObserver(told).observe({ type: 'element' })
    })
  })
  await link.hover()
  await page.waitForTimeout(REST_MS)
  await link.click()
  const times = await page.evaluate(() => window.shown)
  await page.waitForTimeout(PAUSE_MS)
  return times
}
