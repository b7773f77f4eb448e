// `npm run dev`: renders pages from their sources with the data of
// a running server, and proxies all other paths to it.
// RESPIRO_ORIGIN is the address of that server, http://127.0.0.1:8080 by default.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Connect, Plugin, ViteDevServer } from 'vite'

const origin = process.env.RESPIRO_ORIGIN ?? 'http://127.0.0.1:8080'
const answeredByProgram = '^/(api|objects|healthz)(/|$)|^/[^/]+\\.(xml|txt|webmanifest|ics)$'
const pageData = /<script type="application\/json" id="page-data">(.*?)<\/script>/s

/** Parts of the published head that the build adds; the sources bring their own. */
const built = /<style>.*?<\/style>|<link rel="(stylesheet|preload)"[^>]*>|<script>.*?<\/script>/gs

type Drawing = { drawn(state: object): Promise<string> }

export const devServer: Plugin = {
  name: 'respiro-dev-server',
  apply: 'serve',
  config: () => ({
    appType: 'custom',
    // Keeps the Host header, because the server compares it with the Origin of a request.
    server: { proxy: { [answeredByProgram]: { target: origin, changeOrigin: false } } },
  }),
  configureServer: (server) => () => {
    server.middlewares.use(async (request, response, next) => {
      const address = request.originalUrl ?? '/'
      try {
        const isPanel = /^\/admin(\/|\?|$)/.test(address)
        const answer = isPanel ? await panel(server, address) : await page(server, request, address)
        response.writeHead(answer.status, { 'content-type': 'text/html; charset=utf-8' })
        response.end(answer.html)
      } catch (error) {
        if (error instanceof Error) server.ssrFixStacktrace(error)
        next(error)
      }
    })
  },
}

type Answer = { readonly status: number; readonly html: string }

async function panel(server: ViteDevServer, address: string): Promise<Answer> {
  const html = readFileSync(resolve(server.config.root, 'admin.html'), 'utf8')
  return { status: 200, html: await server.transformIndexHtml(address, html) }
}

async function page(
  server: ViteDevServer,
  { headers }: Connect.IncomingMessage,
  address: string,
): Promise<Answer> {
  const published = await fetch(origin + address, {
    headers: { accept: headers.accept ?? 'text/html' },
  }).catch(() => null)
  if (published === null)
    throw new Error(`no program answers at ${origin}: start it with "cargo run -- --demo"`)
  const whole = await published.text()
  const slice = pageData.exec(whole)?.[1]
  // A response without page data is no page of the site and passes unchanged.
  if (slice === undefined) return { status: published.status, html: whole }
  const { drawn } = (await server.ssrLoadModule('/src/entry-dev.tsx')) as Drawing
  const head = /<head>(.*?)<\/head>/s.exec(whole)?.[1]?.replace(built, '') ?? ''
  return {
    status: published.status,
    html:
      '<!doctype html><html lang="it"><head>' +
      `<script type="module" src="/@vite/client"></script>${head}</head>` +
      `<body><div id="app">${await drawn(JSON.parse(slice))}</div>` +
      `<script type="application/json" id="page-data">${slice}</script>` +
      '<script type="module" src="/src/entry-site.tsx"></script></body></html>',
  }
}
