// Compares TLS with nginx, with the same certificate: handshakes a second, new and resumed, bytes, and HTTP/2.
//
//   cargo build --release && node benches/tls.mjs target/release/respiro [--write]
//
// Needs nginx, wrk, openssl and nghttp2-client (all in Debian). Starts both servers, alternates A B A B, prints medians and ratios.

import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { processorMicroseconds, put, startNginx } from './nginx.mjs'
import { atRest, folder, selfSigned, start } from './program.mjs'
import { machine, median, report, table } from './report.mjs'

const rounds = Number(process.env.ROUNDS ?? 5)
const seconds = Number(process.env.SECONDS_EACH ?? 2)
const binary = process.argv[2] ?? 'target/release/respiro'
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
process.removeAllListeners('warning')

const place = folder()
const home = dirname(place.data)
const tls = selfSigned(home)

function handshakes(server, ...how) {
  const before = processorMicroseconds(server.pid)
  const said = execFileSync('openssl', ['s_time', '-connect', new URL(server.origin).host, '-time', String(seconds), ...how], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  const took = processorMicroseconds(server.pid) - before
  const [, count, real] = /(\d+) connections in (\d+) real seconds/.exec(said)
  return { rate: Number(count) / Number(real), cost: took / Number(count) }
}

function bytes(server, path) {
  const before = processorMicroseconds(server.pid)
  const said = execFileSync('wrk', ['-t1', '-c16', `-d${seconds}s`, server.origin + path], { encoding: 'utf8' })
  const took = processorMicroseconds(server.pid) - before
  const requests = Number(/(\d+) requests in/.exec(said)[1])
  const [, value, unit] = /Transfer\/sec:\s+([\d.]+)([KMG]?B)/.exec(said)
  return { rate: Number(value) * { B: 1e-6, KB: 1e-3, MB: 1, GB: 1000 }[unit], cost: took / requests }
}

/** Requests a second over HTTP/2: 8 connections with 8 streams each. */
function streams(server, path) {
  const before = processorMicroseconds(server.pid)
  const said = execFileSync('h2load', ['-t1', '-c8', '-m8', `-D${seconds}`, '-H', 'accept-encoding: gzip', server.origin + path], { encoding: 'utf8' })
  const took = processorMicroseconds(server.pid) - before
  const [, failed] = / (\d+) failed,/.exec(said)
  if (failed !== '0') throw new Error(said)
  return { rate: Number(/([\d.]+) req\/s/.exec(said)[1]), cost: took / Number(/ (\d+) succeeded/.exec(said)[1]) }
}

const program = await start(binary, place.data, ['--demo', '--tls-cert', tls.certificate, '--tls-key', tls.key])
let nginx
try {
  await atRest(program)
  const gallery = await (await fetch(`${program.origin}/api/photo-gallery`)).json()
  const picture = gallery[0].image.url
  put(join(home, 'files'), 'picture.jpg', Buffer.from(await (await fetch(program.origin + picture)).arrayBuffer()))
  put(join(home, 'files'), '404.html', 'nothing')
  const html = await (await fetch(program.origin)).text()
  put(join(home, 'files'), 'index.html', html, true)
  nginx = await startNginx(home, join(home, 'files'), { ...tls, http2: true })
  const rows = [
    ['new, TLS 1.3, a second', (server) => handshakes(server, '-new', '-tls1_3')],
    ['new, TLS 1.2, a second', (server) => handshakes(server, '-new', '-tls1_2')],
    ['resumed, TLS 1.2, a second', (server) => handshakes(server, '-reuse', '-tls1_2')],
    ['a picture, MB a second', (server) => bytes(server, server === program ? picture : '/picture.jpg')],
    ['home page over HTTP/2, a second', (server) => streams(server, '/')],
    ['the picture over HTTP/2, a second', (server) => streams(server, server === program ? picture : '/picture.jpg')],
  ]
  const lines = [['what', 'the program', 'nginx', '**ratio**', 'CPU us each', 'nginx']]
  for (const [name, measure] of rows) {
    const runs = { program: [], nginx: [] }
    for (let round = 0; round < rounds; round += 1) {
      runs.program.push(measure(program))
      runs.nginx.push(measure(nginx))
    }
    const of = (side, figure) => median(runs[side].map((run) => run[figure]))
    const ratio = median(runs.program.map((run, round) => run.rate / runs.nginx[round].rate))
    lines.push([name, of('program', 'rate').toFixed(0), of('nginx', 'rate').toFixed(0), `**${ratio.toFixed(2)}**`, of('program', 'cost').toFixed(0), of('nginx', 'cost').toFixed(0)])
  }
  report('tls', `${table(lines)}\n\nMedians of ${rounds} turns of ${seconds} s each; P-256 certificate, \`openssl s_time\`, \`wrk -t1\` and \`h2load -t1 -c8 -m8\` on the same machine (${machine()}).`)
} finally {
  await nginx?.stop()
  await program.stop()
  place.remove()
}
