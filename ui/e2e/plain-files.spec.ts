// Tests the exported site on a static file host, where visits are not counted and the pages say so.

import { execFile } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { italian } from './italian'
import { binary, start } from './program'
import { account, expect, test } from './test'

// A static host has no page for an address that does not exist, and the site asks for one.
test.use({ named: /^404 GET \/evento\// })

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.jpg': 'image/jpeg',
  '.woff2': 'font/woff2',
}

/** Starts a static file server, and records its requests. */
async function hostOf(folder: string) {
  const asked: string[] = []
  const server = createServer((request, answer) => {
    const path = decodeURIComponent((request.url ?? '/').split('?')[0] ?? '/')
    asked.push(`${request.method} ${path}`)
    const name = extname(path) === '' ? join(path, 'index.html') : path
    try {
      const bytes = readFileSync(join(folder, name))
      answer.writeHead(200, { 'content-type': types[extname(name)] ?? 'text/plain' }).end(bytes)
    } catch {
      answer.writeHead(404).end()
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { asked, origin, end: () => server.close() }
}

/** Regression: click events were sent to a host without an API, and the privacy page described visit counting. */
test('a copy of plain files counts nobody and names choices', async ({ page, folder, atEnd }) => {
  const data = join(folder, 'respiro.redb')
  copyFileSync(process.env.RESPIRO_TEMPLATE ?? '', data)
  const program = await start(data)
  atEnd(program.stop)
  const headers = { origin: program.origin }
  await page.request.post(`${program.origin}/api/auth/login`, { data: account, headers })
  const filled = await page.request.put(`${program.origin}/api/admin/settings`, {
    headers,
    data: { phone: '+39 031 123456', email: 'anna@example.org', whatsapp: '+39 333 1234567' },
  })
  expect(filled.status()).toBe(200)
  const made = await page.request.post(`${program.origin}/api/admin/events`, {
    headers,
    data: { title: 'Cerchio', date: '6 marzo 2199', published: true },
  })
  const { id } = await made.json()
  const site = join(folder, 'fuori')
  await promisify(execFile)(binary, ['export', '--data', data, '--site', site])
  await program.stop()
  const host = await hostOf(site)
  atEnd(host.end)
  await page.goto(`${host.origin}/eventi`)
  await expect(page.locator('html[data-hydrated]')).toHaveCount(1)
  await page.getByRole('button', { name: italian.soloNecessari }).click()
  const footer = page.getByRole('contentinfo')
  await footer.getByRole('link', { name: italian.contatti }).first().click()
  await expect(page).toHaveURL(`${host.origin}/contatti`)
  // The test machine has no telephone or mail client: the page stays open.
  await page.evaluate(() => addEventListener('click', (event) => event.preventDefault()))
  const main = page.getByRole('main')
  await main.locator('a[href^="tel:"]').first().click()
  await main.locator('a[href^="mailto:"]').first().click()
  // The host ignores queries: the script of the page names the choice.
  const choice = page.getByRole('region', { name: 'La tua scelta' })
  const messages = page.locator('main a[href^="https://wa.me/"], main a[href*="subject="]')
  await page.goto(`${host.origin}/evento/${id}`)
  await expect(page.locator('html[data-hydrated]')).toHaveCount(1)
  await page.getByRole('link', { name: italian.contattaciPerPartecipare }).click()
  await expect(choice).toContainText('Hai scelto: Cerchio, 6 marzo 2199')
  await expect(page).toHaveURL(`${host.origin}/contatti?evento=${id}`)
  await choice.getByRole('link', { name: 'Togli la scelta' }).click()
  await expect(choice).toHaveCount(0)
  await page.goBack()
  await expect(choice).toContainText('Cerchio')
  for (const [query, line, ask] of [
    ['servizio=online', 'Sessione online, 75\u00a0€', 'una sessione online (75\u00a0€)'],
    [`evento=${id}`, 'Cerchio, 6 marzo 2199', '«Cerchio»'],
  ]) {
    await page.goto(`${host.origin}/contatti?fbclid=x&${query}`)
    await expect(choice).toContainText(`Hai scelto: ${line}`)
    const hrefs = await messages.evaluateAll((links) =>
      links.map((link) => (link as HTMLAnchorElement).href),
    )
    expect(hrefs.length).toBeGreaterThanOrEqual(3)
    for (const href of hrefs) expect(decodeURIComponent(href)).toContain(ask)
  }
  for (const query of ['servizio=niente', 'evento=niente', 'evento=../../x', 'x']) {
    await page.goto(`${host.origin}/contatti?${query}`)
    await expect(page.locator('html[data-hydrated]')).toHaveCount(1)
    await expect(choice).toHaveCount(0)
  }
  await page.goto(`${host.origin}/privacy`)
  await expect(main).toContainText('il sito non usa strumenti di statistica')
  await expect(main).not.toContainText('Statistiche di visita')
  expect(host.asked.filter((one) => !one.startsWith('GET ') || one.includes('/api/'))).toEqual([])
})
