// Compares requests a second with nginx, for identical bytes: pages, scripts, pictures, 304 and 404.
//
//   cargo build --release && node benches/requests.mjs target/release/respiro [ANOTHER] [--write] [--only=home]
//
// Needs nginx and wrk (both in Debian). Starts the servers, alternates A B A B, prints medians and ratios; ANOTHER is a
// second build, to see what a change costs. nginx sends its own short headers, the program its security headers too.

import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { request } from 'node:http'
import { processorMicroseconds, put, startNginx } from './nginx.mjs'
import { publishFoliage, signIn } from './panel.mjs'
import { atRest, folder, start } from './program.mjs'
import { machine, median, report, table } from './report.mjs'

const rounds = Number(process.env.ROUNDS ?? 5)
const seconds = Number(process.env.SECONDS_EACH ?? 2)
const [binary = 'target/release/respiro', another] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice(7)

/** Returns a response as sent; `fetch` would decompress it. */
function get(origin, path, headers = {}) {
  return new Promise((resolve, reject) => {
    request(origin + path, { headers, agent: false }, (answer) => {
      const parts = []
      answer.on('data', (part) => parts.push(part))
      answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts) }))
    }).on('error', reject).end()
  })
}

function load(server, path, connections, headers) {
  const before = processorMicroseconds(server.pid)
  const flags = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  // The load of the client's one core shows how much of a ratio is due to the client.
  const timed = 'TIMEFORMAT="took %R user %U system %S"; { time wrk "$@" 2>&1; } 2>&1'
  const said = execFileSync('bash', ['-c', timed, 'wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '--latency', ...flags, server.origin + path], { encoding: 'utf8' })
  const took = processorMicroseconds(server.pid) - before
  const requests = Number(/(\d+) requests in/.exec(said)[1])
  const [elapsed, user, system] = /took ([\d.]+) user ([\d.]+) system ([\d.]+)/.exec(said).slice(1).map(Number)
  const [, value, unit] = /99%\s+([\d.]+)(us|ms|s)/.exec(said)
  return {
    rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(said)[1]),
    p99: Number(value) * { us: 0.001, ms: 1, s: 1000 }[unit],
    cost: took / requests,
    client: (100 * (user + system)) / elapsed,
  }
}

/** Returns pictures of the demonstration content whose sizes are closest to the wanted ones. */
async function pictures(origin, wanted) {
  const gallery = await (await fetch(`${origin}/api/photo-gallery`)).json()
  const found = []
  for (const { image } of gallery) {
    for (const name of ['', ...image.widths.flatMap((width) => [`/${width}.webp`, `/${width}.jpg`])]) {
      const { body } = await get(origin, image.url + name)
      found.push({ path: image.url + name, bytes: body.length })
    }
  }
  const nearest = (bytes) => found.reduce((best, one) => (Math.abs(one.bytes - bytes) < Math.abs(best.bytes - bytes) ? one : best))
  return wanted.map((kilobytes) => nearest(kilobytes * 1000))
}

const place = folder()
const program = await start(binary, place.data, ['--demo'])
const root = join(dirname(place.data), 'files')
let nginx
let former
try {
  await publishFoliage(await signIn(program), program.origin)
  await atRest(program)
  const gzip = { 'accept-encoding': 'gzip' }
  const same = []
  async function both(name, path, copy, headers = {}) {
    const plain = await get(program.origin, path)
    const sent = await get(program.origin, path, headers)
    put(root, copy, plain.body, sent.headers['content-encoding'] === 'gzip' && sent.body)
    const row = { name, path, copy, headers, bytes: sent.body.length }
    same.push(row)
    return row
  }
  const html = (await get(program.origin, '/')).body.toString()
  const scripts = [...html.matchAll(/"(\/assets\/[^"]+\.js)"/g)].map((found) => found[1])
  const home = await both('home page', '/', 'index.html', gzip)
  const script = await both('hashed script', scripts[0], 'script.js', gzip)
  const missing = await both('404', '/nessuna-pagina', '404.html', gzip)
  const sizes = await pictures(program.origin, [10, 41, 150, 400])
  const shown = []
  for (const { path } of sizes) shown.push(await both('picture', path, `${shown.length}.jpg`))
  nginx = await startNginx(dirname(place.data), root)
  if (another !== undefined) {
    former = await start(another, join(dirname(place.data), 'another.redb'), ['--demo'])
    await publishFoliage(await signIn(former), former.origin)
    await atRest(former)
    // Ids and hashes differ between the builds and their data files: the same pictures are found by their size.
    const itsHtml = (await get(former.origin, '/')).body.toString()
    const itsScripts = [...itsHtml.matchAll(/"(\/assets\/[^"]+\.js)"/g)].map((found) => found[1])
    script.former = itsScripts[0]
    for (const [n, { path }] of (await pictures(former.origin, [10, 41, 150, 400])).entries()) shown[n].former = path
  }

  const tags = {}
  for (const server of [program, nginx, ...(former ? [former] : [])]) tags[server.origin] = (await get(server.origin, server === nginx ? '/index.html' : '/', gzip)).headers.etag
  const rows = []
  for (const connections of [1, 32, 256]) rows.push({ ...home, connections })
  rows.push({ ...script, connections: 32 })
  rows.push({ ...home, name: '304', connections: 32, conditional: true })
  rows.push({ ...missing, connections: 32, miss: true })
  for (const row of shown) for (const connections of [1, 32]) rows.push({ ...row, connections })

  const lines = [['what', 'bytes', 'connections', 'requests/s', 'nginx', '**ratio**', ...(former ? ['of another build'] : []), 'p99 ms', 'nginx', 'CPU us', 'nginx', "wrk's core %", 'nginx']]
  for (const row of rows.filter(({ name }) => only === undefined || name.includes(only))) {
    const runs = { program: [], nginx: [], former: [] }
    const paths = { program: row.path, nginx: row.miss ? row.path : `/${row.copy}`, former: row.former ?? row.path }
    const servers = Object.entries({ program, nginx, former }).filter(([, server]) => server !== undefined)
    for (let round = 0; round < rounds; round += 1) {
      for (const [side, server] of servers) {
        const headers = row.conditional ? { ...row.headers, 'if-none-match': tags[server.origin] } : row.headers
        const path = paths[side]
        runs[side].push(load(server, path, row.connections, headers))
      }
    }
    const of = (side, figure) => median(runs[side].map((run) => run[figure]))
    const ratio = (side) => median(runs.program.map((run, round) => run.rate / runs[side][round].rate)).toFixed(2)
    lines.push([row.name, row.conditional ? 0 : row.bytes, row.connections, of('program', 'rate').toFixed(0), of('nginx', 'rate').toFixed(0), `**${ratio('nginx')}**`,
      ...(former ? [ratio('former')] : []), of('program', 'p99').toFixed(2), of('nginx', 'p99').toFixed(2), of('program', 'cost').toFixed(1), of('nginx', 'cost').toFixed(1),
      of('program', 'client').toFixed(0), of('nginx', 'client').toFixed(0)].map(String))
  }
  report('requests', `${table(lines)}\n\nMedians of ${rounds} turns of ${seconds} s each; \`wrk -t1\` on the same machine (${machine()}).`)
} finally {
  await nginx?.stop()
  await former?.stop()
  await program.stop()
  place.remove()
}
