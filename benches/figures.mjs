// Measures the whole program with demonstration content and prints the figures beside their goals.
//
//   cargo build --release && node benches/figures.mjs target/release/respiro
//
// Publish: from sending a change over HTTP to its response, which comes after the durable commit and after every page
// is replaced. Start: from the start of the process to the first page. Memory: resident fifteen seconds after a start.
// Bytes of a first visit: `node tests/budgets.mjs`.

import { readFileSync, statSync } from 'node:fs'
import { folder, start } from './program.mjs'

const starts = 7
const publishes = 60
const idleSeconds = 15
const MiB = 1024 * 1024

const binary = process.argv[2] ?? 'target/release/respiro'
const account = { email: 'misure@example.org', password: 'un respiro misurato' }
const place = folder()

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
const print = (what, measured, goal) => console.log(`${what.padEnd(46)} ${measured.padEnd(34)} goal ${goal}`)

async function send(program, cookie, method, path, body) {
  const answer = await fetch(program.origin + path, {
    method,
    headers: { 'content-type': 'application/json', origin: program.origin, cookie },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return answer
}

async function publish(program, cookie, kind, field) {
  const list = await fetch(`${program.origin}/api/admin/${kind}`, { headers: { cookie } })
  const { id } = (await list.json())[0]
  const times = []
  for (let round = 0; round < publishes; round += 1) {
    const began = performance.now()
    await send(program, cookie, 'PUT', `/api/admin/${kind}/${id}`, { [field]: `Prova numero ${round}` })
    times.push(performance.now() - began)
  }
  times.sort((a, b) => a - b)
  const text = `p50 ${at(times, 0.5).toFixed(1)} ms, p95 ${at(times, 0.95).toFixed(1)} ms`
  print(`publish after a change, ${kind}`, text, '60 ms p50')
}

async function residentBytes(program) {
  await new Promise((resolve) => setTimeout(resolve, idleSeconds * 1000))
  const status = readFileSync(`/proc/${program.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

try {
  print('binary', `${(statSync(binary).size / MiB).toFixed(2)} MiB`, '15 MiB')

  let program = await start(binary, place.data, ['--demo'])
  const signedIn = await send(program, '', 'POST', '/api/auth/setup', { token: program.setUpToken, ...account })
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';', 1)[0]
  for (const [kind, field] of [['course-testimonials', 'name'], ['events', 'title'], ['blog', 'title']]) {
    await publish(program, cookie, kind, field)
  }
  await program.stop()

  const times = []
  for (let round = 0; round < starts; round += 1) {
    program = await start(binary, place.data)
    times.push(program.milliseconds)
    if (round + 1 < starts) await program.stop()
  }
  times.sort((a, b) => a - b)
  print('start to first page', `p50 ${at(times, 0.5).toFixed(0)} ms, best ${times[0].toFixed(0)} ms`, '300 ms')
  print('idle memory', `${((await residentBytes(program)) / MiB).toFixed(1)} MiB`, '40 MiB')
  await program.stop()
} finally {
  place.remove()
}
