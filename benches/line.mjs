// Compares the first view of every public page over a slow line with nginx's HTTP/2 in front of the same program.
//
//   cargo build --release && node benches/line.mjs target/release/respiro [--write] [/PATH …]
//
// Needs nginx, openssl and Chromium (all in Debian). A relay gives both servers the same line: latency and a bandwidth that
// all connections share. Chromium 412x823, TLS, cold and with a warm cache; the servers alternate, medians of ROUNDS (5).

import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { createRequire } from 'node:module'
import net from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { startNginx } from './nginx.mjs'
import { atRest, folder, selfSigned, start } from './program.mjs'
import { machine, median, report, table } from './report.mjs'

const require = createRequire(resolve('ui/package.json'))
const { chromium } = require('playwright-core')

const LINES = [
  { name: '150 ms, 1.6 Mbit/s', latencyMs: 150, megabits: 1.6 },
  { name: '40 ms, 10 Mbit/s', latencyMs: 40, megabits: 10 },
]
const UP_MEGABITS = 0.75
const BYTES_PER_MEGABIT = 125_000
/** Headers of TCP and IP of a packet. */
const PACKET_HEAD_BYTES = 40
const PACKET_BYTES = 1_460
/** The goal: the program's FCP and LCP over those of nginx. */
const GOAL = 1.05
/** Paint entries may follow the load event. */
const SETTLE_MS = 500

const rounds = Number(process.env.ROUNDS ?? 5)
const binary = resolve(process.argv[2] ?? 'target/release/respiro')
const paths = process.argv.slice(3).filter((argument) => argument.startsWith('/'))
if (paths.length === 0)
  paths.push('/', '/chi-sono', '/servizi', '/rebirthing', '/testimonianze', '/eventi', '/blog', '/contatti', '/privacy', '/terms', '/cookies')
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
process.removeAllListeners('warning')

/** Starts a relay to a port. All its connections share the bandwidth of each direction. */
async function startRelay(target, { latencyMs, megabits }) {
  const direction = (rate) => {
    let freeAt = 0
    return (bytes) => {
      const packets = Math.ceil(bytes / PACKET_BYTES)
      freeAt = Math.max(performance.now(), freeAt) + ((bytes + packets * PACKET_HEAD_BYTES) / (rate * BYTES_PER_MEGABIT)) * 1000
      return freeAt + latencyMs / 2
    }
  }
  const [down, up] = [direction(megabits), direction(UP_MEGABITS)]
  const pump = (from, to, arrival) => {
    let pending = 0
    from.on('data', (bytes) => {
      // In packets, so that the first of them arrives before the last one is sent.
      for (let at = 0; at < bytes.length; at += PACKET_BYTES) {
        const packet = bytes.subarray(at, at + PACKET_BYTES)
        pending += 1
        // The window of TCP: what is under way is bounded.
        if (pending > 200) from.pause()
        setTimeout(() => {
          pending -= 1
          if (pending < 100) from.resume()
          if (!to.destroyed) to.write(packet)
        }, arrival(packet.length) - performance.now())
      }
    })
    from.on('end', () => setTimeout(() => to.end(), arrival(0) - performance.now()))
    from.on('error', () => to.destroy())
    from.on('close', () => setTimeout(() => to.destroy(), latencyMs))
  }
  const server = net.createServer({ pauseOnConnect: true, noDelay: true, allowHalfOpen: true }, (near) => {
    near.on('error', () => {})
    // SYN and SYN-ACK.
    setTimeout(() => {
      const far = net.connect({ port: target, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
      pump(near, far, up)
      pump(far, near, down)
      near.resume()
    }, latencyMs)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { origin: `https://127.0.0.1:${server.address().port}`, stop: () => server.close() }
}

/** Runs in the page before its scripts. */
function watchPaints() {
  window.paints = {}
  new PerformanceObserver((list) => {
    for (const entry of list.getEntriesByName('first-contentful-paint')) window.paints.fcp = entry.startTime
  }).observe({ type: 'paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.paints.lcp = entry.startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
}

async function view(context, url) {
  const page = await context.newPage()
  await page.addInitScript(watchPaints)
  // The scripts of a page are asked for after it: nothing of theirs is painted.
  await page.goto(url, { waitUntil: 'load' })
  await page.waitForTimeout(SETTLE_MS)
  const found = await page.evaluate(() => ({ ...window.paints, protocol: performance.getEntriesByType('navigation')[0].nextHopProtocol }))
  await page.close()
  return found
}

const place = folder()
const home = dirname(place.data)
const tls = selfSigned(home)

const seed = await start(binary, place.data, ['--demo'])
await seed.stop()
const copy = join(home, 'copy.redb')
cpSync(place.data, copy)
const program = await start(binary, place.data, ['--tls-cert', tls.certificate, '--tls-key', tls.key])
const behind = await start(binary, copy, ['--public-url', program.origin, '--trusted-proxy', '127.0.0.1'])
const proxy = `location / { proxy_pass ${behind.origin}; proxy_http_version 1.1; proxy_set_header Connection "";
  proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; }`
let nginx
const browsers = []
try {
  await atRest(program)
  await atRest(behind)
  nginx = await startNginx(home, join(home, 'files'), { ...tls, http2: true }, proxy)
  const launch = async (...more) => {
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox', `--ignore-certificate-errors-spki-list=${tls.spki}`, ...more],
    })
    browsers.push(browser)
    return browser
  }
  const http2 = await launch()
  const sides = [
    { name: 'program', server: program, browser: http2, protocol: 'h2' },
    { name: 'nginx', server: nginx, browser: http2, protocol: 'h2' },
    { name: 'http1', server: program, browser: await launch('--disable-http2'), protocol: 'http/1.1' },
  ]
  const text = []
  for (const line of LINES) {
    const lines = [['page', 'cold FCP / LCP ms', 'nginx', '**ratio**', 'over HTTP/1.1', 'warm FCP / LCP ms', 'nginx', 'over HTTP/1.1']]
    const relays = new Map()
    for (const { server } of sides) {
      if (!relays.has(server)) relays.set(server, await startRelay(Number(new URL(server.origin).port), line))
    }
    for (const path of paths) {
      const runs = {}
      for (let round = 0; round < rounds; round += 1) {
        for (const { name, server, browser, protocol } of sides) {
          const context = await browser.newContext({ viewport: { width: 412, height: 823 } })
          const url = relays.get(server).origin + path
          const [cold, warm] = [await view(context, url), await view(context, url)]
          await context.close()
          if (cold.protocol !== protocol) throw new Error(`${name} spoke ${cold.protocol}`)
          runs[name] ??= []
          runs[name].push({ cold, warm })
        }
      }
      const of = (side, when, figure) => median(runs[side].map((run) => run[when][figure]))
      const both = (side, when) => `${of(side, when, 'fcp').toFixed(0)} / ${of(side, when, 'lcp').toFixed(0)}`
      const ratio = (figure) => (of('program', 'cold', figure) / of('nginx', 'cold', figure)).toFixed(2)
      lines.push([path, both('program', 'cold'), both('nginx', 'cold'), `**${ratio('fcp')} / ${ratio('lcp')}**`, both('http1', 'cold'),
        both('program', 'warm'), both('nginx', 'warm'), both('http1', 'warm')])
    }
    for (const relay of relays.values()) relay.stop()
    text.push(`${line.name}:\n\n${table(lines)}`)
  }
  report('line', `${text.join('\n\n')}\n\nMedians of ${rounds}; goal ${GOAL.toFixed(2)} or less; ${machine()}.`)
} finally {
  for (const browser of browsers) await browser.close()
  await nginx?.stop()
  await behind.stop()
  await program.stop()
  place.remove()
}
