// Holds that a browser test fails on what its pages report, also in iframes and further contexts.

import { watchFaults } from './faults'
import { expect, test } from './test'

test.use({ named: /./ })

test('console errors and warnings, CSP violations in frames, page errors and failed requests are faults', async ({
  browser,
  site,
}) => {
  const end = watchFaults(browser)
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${site.origin}/contatti`)
  await page.evaluate(async () => {
    console.warn('a warning')
    console.error('an error')
    setTimeout(() => {
      throw new Error('nobody catches this')
    })
    const frame = document.createElement('iframe')
    frame.sandbox.add('allow-same-origin')
    frame.srcdoc = '<p style="color: red">inline</p><img src="https://example.com/x.png">'
    const loaded = new Promise((done) => frame.addEventListener('load', done))
    document.body.append(frame)
    await loaded
    await fetch('/api/newsletter', { method: 'PATCH' })
    await fetch('/assets/none.js')
  })
  await context.close()
  const faults = (await end()).join('\n')
  expect(faults).toContain('console warning: a warning')
  expect(faults).toContain('console error: an error')
  expect(faults).toContain('page error: Error: nobody catches this')
  expect(faults).toMatch(/console error: .*Content Security Policy/)
  expect(faults).toContain('405 PATCH /api/newsletter')
  expect(faults).toContain('404 GET /assets/none.js')
})

test('what a test itself causes needs no name: its routes, pages it opens, refusals of the API', async ({
  browser,
  site,
}) => {
  const end = watchFaults(browser)
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${site.origin}/niente`)
  await page.route('**/api/blog', (route) => route.fulfill({ status: 500, body: '' }))
  await page.route('**/api/events', (route) => route.abort())
  await page.evaluate(async () => {
    await fetch('/api/blog')
    await fetch('/api/events').catch(() => null)
    await fetch('/api/newsletter', { method: 'POST', body: '{"email":"anna"}' })
  })
  await context.close()
  expect(await end()).toEqual([])
})
