// Measures the memory of the server and of its decoder processes with as many large articles as it takes, during
// uploads and lists. The caps are in docs/reliability.md, 'Memory'.
//
//   node benches/memory.mjs target/release/respiro [SECONDS]
//
// Fills the blog with articles of 60,000 letters until a save is refused, restarts the program, and then for SECONDS
// sends eight uploads at once of a picture of 24 megapixels, reads all lists, searches the panel and renames articles.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { mallocSettings } from './program.mjs'

const [program, seconds = '60'] = process.argv.slice(2)
if (program === undefined) {
  console.error('usage: node benches/memory.mjs BINARY [SECONDS]')
  process.exit(2)
}
const port = 18_000 + (process.pid % 2_000)
const origin = `http://127.0.0.1:${port}`
const account = { email: 'load@example.org', password: 'un carico di prova' }
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** A PNG of 24 megapixels and about 9 MB: a gradient with noise in some of its rows. */
function largePicture() {
  const [width, height] = [6000, 4000]
  const rows = Buffer.alloc(height * (width * 3 + 1))
  const noise = randomBytes(width * 3)
  for (let y = 0; y < height; y += 1) {
    const at = y * (width * 3 + 1) + 1
    if (y % 8 === 0) randomBytes(width * 3).copy(rows, at, 0, width * 3)
    else rows.fill(noise.subarray(0, 3 * (1 + (y % 100))), at, at + width * 3)
  }
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const data = deflateSync(rows, { level: 1 })
  return Buffer.concat([start, chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

/** Words from a fixed list, so that texts compress like texts. */
function textOf(letters, seed) {
  const words = 'il respiro che torna lento e profondo porta ogni volta a casa chi lo ascolta senza fretta'.split(' ')
  let text = ''
  for (let at = seed; text.length < letters; at = (at * 1103515245 + 12345) % 2147483648)
    text += `${words[at % words.length]}${at % 89 === 0 ? '.\n\n' : ' '}`
  return `${text.slice(0, letters - 1)}.`
}

function start(folder) {
  return spawn(program, ['serve', '--data', join(folder, 'load.redb'), '--listen', `127.0.0.1:${port}`], {
    stdio: 'inherit',
    env: {
      ...mallocSettings,
      RESPIRO_LOG_LEVEL: 'error',
      RESPIRO_ADMIN_EMAIL: account.email,
      RESPIRO_ADMIN_PASSWORD: account.password,
    },
  })
}

async function stop(server) {
  server.kill('SIGTERM')
  await new Promise((resolve) => server.on('exit', resolve))
}

async function signIn() {
  for (let tries = 0; tries < 1200; tries += 1) {
    const well = await fetch(`${origin}/healthz`).catch(() => null)
    if (well?.ok) break
    await pause(100)
  }
  const answer = await fetch(`${origin}/api/auth/login`, {
    method: 'POST',
    body: JSON.stringify(account),
    headers: { 'content-type': 'application/json', origin },
  })
  if (!answer.ok) throw new Error(`signing in answered ${answer.status}`)
  const cookie = answer.headers.getSetCookie().map((line) => line.split(';')[0]).join('; ')
  return { cookie, origin, 'content-type': 'application/json' }
}

const counts = {}
async function ask(headers, method, path, body) {
  const answer = await fetch(origin + path, { method, headers, body: body && JSON.stringify(body) })
  const text = await answer.text()
  const key = `${method} ${path.replace(/\/[a-z0-9]{26}.*/, '/{id}').split('?')[0]} ${answer.status}`
  counts[key] = (counts[key] ?? 0) + 1
  return { status: answer.status, text }
}

async function upload(headers, bytes) {
  const begun = await ask(headers, 'POST', '/api/admin/upload', {})
  if (begun.status !== 200) return pause(200)
  const address = new URL(JSON.parse(begun.text).uploadURL)
  const sent = await fetch(origin + address.pathname + address.search, { method: 'PUT', body: bytes })
  await sent.text()
  counts[`PUT upload ${sent.status}`] = (counts[`PUT upload ${sent.status}`] ?? 0) + 1
}

const kilobytes = (pid, name) => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0)
  } catch {
    return 0
  }
}

const childrenOf = (pid) =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) => {
    try {
      return readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean)
    } catch {
      return []
    }
  })

const mebibytes = (value) => `${Math.round(value / 1024)} MiB`
const folder = mkdtempSync(join(tmpdir(), 'respiro-memory-'))
let server = start(folder)
try {
  let headers = await signIn()
  console.log(`empty: ${mebibytes(kilobytes(server.pid, 'VmRSS'))} at rest`)
  const ids = []
  for (let number = 0; ; number += 1) {
    const article = { title: `Articolo ${number}`, slug: `articolo-${number}`, content: textOf(60_000, number + 1), published: true }
    const { status, text } = await ask(headers, 'POST', '/api/admin/blog', article)
    if (status !== 201 && status !== 200) {
      console.log(`article ${number + 1} is refused: ${status} ${text.slice(0, 200)}`)
      break
    }
    ids.push(JSON.parse(text).id)
  }
  console.log(`${ids.length} articles: ${mebibytes(kilobytes(server.pid, 'VmHWM'))} at most while they were saved`)
  await stop(server)
  server = start(folder)
  headers = await signIn()
  const picture = largePicture()
  const started = mebibytes(kilobytes(server.pid, 'VmHWM'))
  console.log(`restarted: ${started} at most; a picture of ${mebibytes(picture.length / 1024)}`)
  let [peak, peakOfChild, isOver] = [0, 0, false]
  const watch = async () => {
    while (!isOver) {
      const children = childrenOf(server.pid).map((pid) => kilobytes(pid, 'VmRSS'))
      const sum = children.reduce((sum, one) => sum + one, 0)
      peakOfChild = Math.max(peakOfChild, sum)
      peak = Math.max(peak, kilobytes(server.pid, 'VmRSS') + sum)
      await pause(5)
    }
  }
  const until = performance.now() + Number(seconds) * 1000
  const over = async (work) => {
    // What is under way at the end fails when the server stops.
    while (performance.now() < until) await work().catch(() => pause(100))
  }
  const lists = ['/api/blog', '/api/admin/blog', '/api/events', '/blog', '/feed.xml', '/sitemap.xml']
  const watching = watch()
  const load = [
    ...Array.from({ length: 8 }, () => over(() => upload(headers, picture))),
    ...lists.flatMap((path) => [path, path].map((path) => over(() => ask(headers, 'GET', path)))),
    over(() => ask(headers, 'GET', `/blog/articolo-${Math.floor(Math.random() * ids.length)}`)),
    over(() => {
      const id = ids[Math.floor(Math.random() * ids.length)]
      return ask(headers, 'PUT', `/api/admin/blog/${id}`, { title: `Titolo ${Math.random()}` })
    }),
  ]
  await Promise.race([Promise.all(load), pause(until - performance.now())])
  isOver = true
  await watching
  console.log(`under load: server ${mebibytes(kilobytes(server.pid, 'VmHWM'))} at most, decoder processes ${mebibytes(peakOfChild)}, both at one moment ${mebibytes(peak)}`)
  console.log(JSON.stringify(counts, null, 1))
} finally {
  await stop(server)
  rmSync(folder, { recursive: true, force: true })
}
