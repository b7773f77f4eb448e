// Measures how long visitors wait for a page while pictures are processed. Goal: p99 within twice the idle p99.
//
//   cargo bench --bench images -- draw 24 /tmp/24.jpg
//   node benches/uploads-under-load.mjs target/release/respiro /tmp/24.jpg [SECONDS] [PER_SECOND]
//
// Starts the program on a loopback port with demonstration content and requests the home page at a steady pace, without
// waiting for responses, so that a stall is not hidden: first idle, then during one upload after another. Prints both
// side by side, and the server's memory.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { mallocSettings } from './program.mjs'

const [program, picture, seconds = '20', perSecond = '100'] = process.argv.slice(2)
if (picture === undefined) {
  console.error('usage: node benches/uploads-under-load.mjs BINARY PICTURE [SECONDS] [PER_SECOND]')
  process.exit(2)
}
// The worker thread computes the same port. It sends the uploads, so that their bytes do not delay the timing of pages.
const port = 18_000 + (process.pid % 2_000)
const origin = `http://127.0.0.1:${port}`
const account = { email: 'load@example.org', password: 'un carico di prova' }
const agent = new Agent({ keepAlive: true, maxSockets: 16 })
function ask(method, path, { body, headers = {} } = {}) {
  return new Promise((resolve, reject) => {
    const sent = request(
      origin + path,
      { method, headers: { origin, ...headers }, agent },
      (got) => {
        const parts = []
        got.on('data', (part) => parts.push(part))
        got.on('error', reject)
        got.on('end', () => {
          const text = Buffer.concat(parts).toString()
          resolve({ status: got.statusCode, headers: got.headers, text })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

async function ready() {
  for (let tries = 0; tries < 600; tries += 1) {
    const well = await ask('GET', '/healthz').catch(() => null)
    if (well?.status === 200) return
    await pause(100)
  }
  throw new Error('the server does not come up')
}

/** Returns the milliseconds of every response while `busy()` runs. */
async function load(busy) {
  const times = []
  const asked = []
  const every = 1000 / Number(perSecond)
  let over = false
  const work = busy().finally(() => {
    over = true
  })
  const start = performance.now()
  for (let number = 0; !over; number += 1) {
    const due = start + number * every
    if (due > performance.now()) await pause(due - performance.now())
    const began = performance.now()
    asked.push(
      ask('GET', '/').then(({ status }) => {
        if (status !== 200) throw new Error(`the page answered ${status}`)
        times.push(performance.now() - began)
      }),
    )
  }
  await Promise.all(asked)
  return { times: times.sort((a, b) => a - b), result: await work }
}

async function upload(cookie, bytes) {
  const start = await ask('POST', '/api/admin/upload', { headers: { cookie } })
  const address = new URL(JSON.parse(start.text).uploadURL)
  const began = performance.now()
  const { status, text } = await ask('PUT', address.pathname + address.search, { body: bytes })
  if (status !== 200) throw new Error(`the upload answered ${status}: ${text}`)
  return performance.now() - began
}

function startServer(folder) {
  return spawn(
    program,
    ['serve', '--demo', '--data', join(folder, 'load.redb'), '--listen', `127.0.0.1:${port}`],
    {
      stdio: 'inherit',
      env: {
        ...mallocSettings,
        RESPIRO_LOG_LEVEL: 'warn',
        RESPIRO_ADMIN_EMAIL: account.email,
        RESPIRO_ADMIN_PASSWORD: account.password,
      },
    },
  )
}

function memory(server) {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
  const megabytes = (name) =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1000)
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') }
}

const at = (times, share) => times[Math.min(times.length - 1, Math.floor(times.length * share))]
const row = (name, times) => {
  const figures = [0.5, 0.9, 0.99, 1].map((share) =>
    `${at(times, share).toFixed(2)} ms`.padStart(10),
  )
  console.log(`${name.padEnd(14)} ${String(times.length).padStart(6)} ${figures.join(' ')}`)
}

if (!isMainThread) {
  const bytes = readFileSync(picture)
  parentPort.on('message', async (cookie) => parentPort.postMessage(await upload(cookie, bytes)))
} else {
  await main()
}

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'respiro-load-'))
  const server = startServer(folder)
  const uploads = new Worker(new URL(import.meta.url), { argv: process.argv.slice(2) })
  try {
    await ready()
    const signedIn = await ask('POST', '/api/auth/login', {
      body: JSON.stringify(account),
      headers: { 'content-type': 'application/json' },
    })
    if (signedIn.status !== 200) throw new Error(`signing in answered ${signedIn.status}`)
    const cookie = signedIn.headers['set-cookie'].map((line) => line.split(';')[0]).join('; ')
    await load(() => pause(2000))
    const before = memory(server)
    const idle = await load(() => pause(Number(seconds) * 1000))
    const busy = await load(async () => {
      const until = performance.now() + Number(seconds) * 1000
      const took = []
      while (performance.now() < until) {
        uploads.postMessage(cookie)
        took.push((await once(uploads, 'message'))[0])
      }
      return took
    })
    const after = memory(server)
    console.log(
      `${'GET /'.padEnd(14)} ${'count'.padStart(6)}        p50        p90        p99        max`,
    )
    row('idle', idle.times)
    row('during uploads', busy.times)
    const ratio = at(busy.times, 0.99) / at(idle.times, 0.99)
    const took = busy.result.sort((a, b) => a - b)
    console.log(`p99 during uploads / idle: ${ratio.toFixed(2)} (goal: at most 2)`)
    console.log(`${took.length} uploads, median ${Math.round(at(took, 0.5))} ms`)
    console.log(`server: ${before.now} MB before, ${after.now} MB after, ${after.peak} MB at most`)
  } finally {
    await uploads.terminate()
    server.kill('SIGTERM')
    await new Promise((resolve) => server.on('exit', resolve))
    agent.destroy()
    rmSync(folder, { recursive: true, force: true })
  }
}
