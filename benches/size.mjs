// Compares a large site with the demonstration content: start, memory before and after load, one publication.
//
//   cargo build --release && node benches/size.mjs target/release/respiro [--write]
//
// Needs wrk (in Debian). The large site has 600 more events, 300 articles and 200 testimonials (EVENTS, POSTS and
// TESTIMONIALS set other numbers). Both programs run at once, on data files of their own, and each figure is measured
// on both in turn. A measured start is never the first one: the pages of the former run exist.

import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { grow } from './grow.mjs'
import { signIn } from './panel.mjs'
import { atRest, folder, start } from './program.mjs'
import { machine, median, report, table } from './report.mjs'

const rounds = Number(process.env.ROUNDS ?? 5)
const publishes = Number(process.env.PUBLISHES ?? 20)
const seconds = Number(process.env.SECONDS_EACH ?? 3)
const binary = resolve(process.argv[2] ?? 'target/release/respiro')
const counts = {
  events: Number(process.env.EVENTS ?? 600),
  blog: Number(process.env.POSTS ?? 300),
  'course-testimonials': Number(process.env.TESTIMONIALS ?? 200),
}
const loaded = ['/', '/eventi', '/blog', '/testimonianze', '/servizi', '/chi-sono', '/contatti']
const kinds = [['course-testimonials', 'name'], ['events', 'title'], ['blog', 'title']]

const place = folder()
const home = dirname(place.data)
const sides = ['demo', 'large'].map((name) => ({ name, data: join(home, name, 'site.redb') }))
const [demo, large] = sides

const residentMegabytes = ({ pid }) => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024
const both = async (work) => {
  for (const side of sides) await work(side)
}

// Asynchronous: during a synchronous call Node would miss closed connections, and `fetch` would reuse them.
const run = promisify(execFile)

/** Requests every page of the sitemap once, then the most visited ones as fast as possible. */
async function load({ program }) {
  const { origin } = program
  const map = await (await fetch(`${origin}/sitemap.xml`)).text()
  const addresses = [...map.matchAll(/<loc>([^<]+)<\/loc>/g)].map((found) => new URL(found[1]).pathname)
  for (const path of addresses) await (await fetch(origin + path)).arrayBuffer()
  for (const path of loaded) await run('wrk', ['-t1', '-c32', `-d${seconds}s`, '-H', 'accept-encoding: br', origin + path])
}

async function publish({ call }, [kind, field], turn) {
  const [{ id }] = await call('GET', `/api/admin/${kind}`)
  const began = performance.now()
  await call('PUT', `/api/admin/${kind}/${id}`, { [field]: `Prova numero ${turn}` })
  return performance.now() - began
}

const rows = []
const row = (what, figures, unit, digits = 1) => rows.push({ what, figures, unit, digits })
try {
  await both(({ data }) => mkdirSync(dirname(data), { recursive: true }))
  await grow(binary, large.data, counts)
  demo.program = await start(binary, demo.data, ['--demo'])
  large.program = await start(binary, large.data)
  await both(({ program }) => atRest(program))
  await both(({ program }) => program.stop())

  const starts = { demo: [], large: [] }
  for (let round = 0; round < rounds; round += 1) {
    await both(async ({ name, data }) => {
      const program = await start(binary, data)
      starts[name].push(program.milliseconds)
      await program.stop()
    })
  }
  row('start to the first page', starts, 'ms', 0)

  await both(async (side) => {
    side.program = await start(binary, side.data)
    await atRest(side.program)
    side.call = await signIn(side.program)
  })
  const memory = () => ({ demo: [residentMegabytes(demo.program)], large: [residentMegabytes(large.program)] })
  row('memory at rest', memory(), 'MB')
  await both(load)
  await both(({ program }) => atRest(program))
  row('memory after every page was asked for', memory(), 'MB')

  for (const kind of kinds) {
    const times = { demo: [], large: [] }
    for (let turn = 0; turn < publishes; turn += 1) await both(async (side) => times[side.name].push(await publish(side, kind, turn)))
    row(`publish after a change, ${kind[0]}`, times, 'ms')
  }

  const lines = [['what', 'demonstration', 'large site', '**ratio**']]
  for (const { what, figures, unit, digits } of rows) {
    const [one, two] = [median(figures.demo), median(figures.large)]
    lines.push([what, `${one.toFixed(digits)} ${unit}`, `${two.toFixed(digits)} ${unit}`, `**${(two / one).toFixed(2)}**`])
  }
  const beside = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`).join(', ')
  report('size', `${table(lines)}\n\nLarge: ${beside} beside the demonstration content. Medians of ${rounds} starts and ${publishes} publishes, commit included; ${machine()}.`)
} finally {
  await both(({ program }) => (program && existsSync(`/proc/${program.pid}`) ? program.stop() : undefined))
  place.remove()
}
