// Tests the development server in front of a running server: it renders pages and panel from their sources.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { italian } from './italian'
import { expect, test } from './test'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

// Regression: "no file for the page /", since the renderer asks for the name of a page.
test('npm run dev draws every page from its source, with the data that is published', async ({
  page,
  site,
}) => {
  test.slow()
  const port = await freePort()
  const vite = spawn('npx', ['vite', '--port', `${port}`, '--strictPort'], {
    cwd: resolve(import.meta.dirname, '..'),
    env: { ...process.env, RESPIRO_ORIGIN: site.origin },
    stdio: 'ignore',
    detached: true,
  })
  try {
    const origin = `http://127.0.0.1:${port}`
    await expect
      .poll(async () => (await fetch(origin).catch(() => null))?.status, { timeout: 60_000 })
      .toBe(200)
    for (const path of ['/', '/servizi', '/nessuna-pagina']) {
      await page.goto(origin + path)
      await expect(page.locator('html[data-hydrated]')).toHaveCount(1, { timeout: 60_000 })
      const published = await page.request.get(site.origin + path)
      const title = /<title>([^<]+)/.exec(await published.text())?.[1]
      await expect(page).toHaveTitle(title ?? '')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }
    const sources = await (await page.request.get(origin)).text()
    expect(sources).toContain('/src/entry-site.tsx')
    expect(sources).not.toContain('/assets/site')
    await page.goto(`${origin}/admin`)
    await expect(page.getByRole('textbox', { name: italian.password })).toBeVisible({
      timeout: 60_000,
    })
  } finally {
    if (vite.pid !== undefined) process.kill(-vite.pid)
  }
})
