// Holds the peak of a million visits a day for ten minutes over TLS and HTTP/2: no request may fail, memory has to stay flat.
//
//   cargo build --release && node benches/visits.mjs target/release/respiro [--write]
//
// Needs openssl. Each visit is a new connection: a page, then its scripts, style sheet, fonts and pictures at once.
// VISITS a second (116, ten times the mean), SECONDS (600).

import { readFileSync } from 'node:fs'
import http2 from 'node:http2'
import { dirname, join, resolve } from 'node:path'
import { processorMicroseconds } from './nginx.mjs'
import { atRest, folder, selfSigned, start } from './program.mjs'
import { machine, report } from './report.mjs'
import { percentile } from './letters.mjs'

const visitsPerSecond = Number(process.env.VISITS ?? 116)
const seconds = Number(process.env.SECONDS ?? 600)
const binary = resolve(process.argv[2] ?? 'target/release/respiro')
/** The server allows 256 connections of one address. */
const ADDRESSES = 16
const PATHS = ['/', '/servizi', '/testimonianze', '/eventi', '/blog', '/contatti', '/chi-sono', '/rebirthing']
const FILES_MAX = 11
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
process.removeAllListeners('warning')

const place = folder()
const home = dirname(place.data)
const { certificate, key } = selfSigned(home)
const program = await start(binary, place.data, ['--demo', '--tls-cert', certificate, '--tls-key', key])
const anonymous = () => Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${program.pid}/status`, 'utf8'))[1]) / 1024

let [requests, failures, begun] = [0, 0, 0]
const times = []

function get(session, path) {
  return new Promise((done, failed) => {
    const stream = session.request({ ':path': path, 'accept-encoding': 'br' })
    const parts = []
    let status
    stream.on('response', (headers) => {
      status = headers[':status']
    })
    stream.on('data', (part) => parts.push(part))
    stream.on('end', () => (status === 200 ? done(Buffer.concat(parts)) : failed(new Error(`${path}: ${status}`))))
    stream.on('error', failed)
    // A session that ends takes its streams with it, some without an error.
    stream.on('close', () => failed(new Error(`${path}: closed`)))
    stream.end()
  })
}

/** Returns the files that a page names. */
const filesOf = new Map()
for (const path of PATHS) {
  const html = await (await fetch(program.origin + path)).text()
  const named = [...html.matchAll(/"(\/(?:assets|objects\/uploads)\/[^" *]+)"/g)].map(([, file]) => file)
  filesOf.set(path, [...new Set(named)].slice(0, FILES_MAX))
}

async function visit() {
  begun += 1
  const path = PATHS[begun % PATHS.length]
  const began = performance.now()
  const session = http2.connect(program.origin, { localAddress: `127.0.0.${2 + (begun % ADDRESSES)}` })
  session.on('error', () => {})
  try {
    await get(session, path)
    times.push(performance.now() - began)
    await Promise.all(filesOf.get(path).map((file) => get(session, file)))
    requests += 1 + filesOf.get(path).length
  } catch (error) {
    failures += 1
    if (failures < 5) console.error(error.message)
  } finally {
    session.close()
  }
}

try {
  await atRest(program)
  const open = new Set()
  const memory = []
  const before = processorMicroseconds(program.pid)
  const began = performance.now()
  while (performance.now() - began < seconds * 1000) {
    const due = Math.floor(((performance.now() - began) / 1000) * visitsPerSecond) - begun
    for (let n = 0; n < due; n += 1) {
      const one = visit().finally(() => open.delete(one))
      open.add(one)
    }
    if (memory.length < (performance.now() - began) / 10_000) memory.push(anonymous())
    await new Promise((next) => setTimeout(next, 5))
  }
  await Promise.all(open)
  const processor = (processorMicroseconds(program.pid) - before) / 1e4 / seconds
  const shown = memory.filter((_, n) => n % Math.ceil(memory.length / 10) === 0).map((mebibytes) => mebibytes.toFixed(0))
  report('visits', `${begun} visits in ${seconds} s, ${requests} requests, **${failures} failed**; handshake and page: median ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms; ${processor.toFixed(0)} % of a core; anonymous memory in MiB, from the start to the end: ${shown.join(', ')} (${machine()}).`)
  process.exitCode = failures > 0 ? 1 : 0
} finally {
  await program.stop()
  place.remove()
}
