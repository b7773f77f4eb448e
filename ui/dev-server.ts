// `npm run dev`: the sources in front of a running program. Pages are drawn again from their sources with the
// program's data; what is no page or source is the program's own answer.
//
//   RESPIRO_ORIGIN=http://127.0.0.1:8080    where the program answers

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Connect, Plugin, ViteDevServer } from 'vite'

const origin = process.env.RESPIRO_ORIGIN ?? 'http://127.0.0.1:8080'
const answeredByProgram = '^/(api|objects|healthz)(/|$)|^/[^/]+\\.(xml|txt|webmanifest|ics)$'
const pageData = /<script type="application\/json" id="page-data">(.*?)<\/script>/s

/** Of the published head: what the sources do not bring themselves. */
const built = /<style>.*?<\/style>|<link rel="(stylesheet|preload)"[^>]*>|<script>.*?<\/script>/gs

type Drawing = { drawn(state: object): Promise<string> }

export const devServer: Plugin = {
  name: 'respiro-dev-server',
  apply: 'serve',
  config: () => ({
    appType: 'custom',
    // The browser's own address goes along: the program compares it with where a request comes from.
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
  // No page of ours: shown as it came.
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
