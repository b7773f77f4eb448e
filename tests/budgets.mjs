// Compares the bytes of a first visit to `/` without uploaded pictures, and of the panel, with their budgets.
//   node tests/budgets.mjs target/dist/respiro
//   node tests/budgets.mjs --pages target/debug/respiro      without the size of the program
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const KiB = 1024
const budgets = { html: 20 * KiB, css: 20 * KiB, javascript: 40 * KiB, fonts: 60 * KiB, admin: 65 * KiB }
const binaryBytesMax = 25 * KiB * KiB

const pagesOnly = process.argv[2] === '--pages'
const binary = process.argv[pagesOnly ? 3 : 2] ?? 'target/dist/respiro'
const folder = mkdtempSync(join(tmpdir(), 'respiro-budgets-'))
const child = spawn(binary, ['--listen', '127.0.0.1:0', '--data', join(folder, 'respiro.redb')], {
  stdio: ['ignore', 'ignore', 'pipe'],
})

const origin = await new Promise((done, fail) => {
  let log = ''
  child.on('exit', (code) => fail(new Error(`the program ended with ${code}\n${log}`)))
  child.stderr.on('data', async (chunk) => {
    log += chunk
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(log)?.[0]
    if (found && (await fetch(`${found}/healthz`).catch(() => null))?.ok) done(found)
  })
})

/** Returns the response as sent; `fetch` would decompress it. */
function get(path) {
  return new Promise((done, fail) => {
    const headers = { 'accept-encoding': 'br' }
    request(origin + path, { headers }, (answer) => {
      const chunks = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('end', () => done({ bytes: Buffer.concat(chunks).length, status: answer.statusCode }))
    }).on('error', fail).end()
  })
}

async function weigh(paths) {
  let total = 0
  for (const path of paths) {
    const { bytes, status } = await get(path)
    if (status !== 200) throw new Error(`${path} answered ${status}`)
    total += bytes
  }
  return total
}

const find = (text, pattern) => [...new Set([...text.matchAll(pattern)].map((match) => match[1]))]

/** Returns the paths of the scripts that the page names, and of those that they import statically. */
async function scripts(html) {
  const seen = new Set(find(html, /"(\/assets\/[^"]+\.js)"/g))
  for (const path of seen) {
    const source = await (await fetch(origin + path)).text()
    for (const name of find(source, /(?:^|[;}\s])(?:import|export)[^;'"()]*?["']\.\/([^"']+\.js)["']/g))
      seen.add(`/assets/${name}`)
  }
  return [...seen]
}

let failed = 0
try {
  const home = await (await fetch(`${origin}/`)).text()
  const styles = find(home, /"(\/assets\/[^"]+\.css)"/g)
  const css = (await Promise.all(styles.map(async (path) => (await fetch(origin + path)).text()))).join('\n')
  // Browsers load faces with a `unicode-range` only for text with such a character: the site's own text has none.
  const faces = css.match(/@font-face\s*\{[^}]*\}/g).filter((face) => !face.includes('unicode-range'))
  const fonts = find(faces.join('\n'), /url\(["']?(\/assets\/[^)"']+\.woff2)/g)
  const admin = await (await fetch(`${origin}/admin`)).text()
  const rows = [
    ['html', (await get('/')).bytes],
    ['css', await weigh(styles)],
    ['javascript', await weigh(await scripts(home))],
    ['fonts', await weigh(fonts)],
    ['admin', await weigh([...(await scripts(admin)), ...find(admin, /href="(\/assets\/[^"]+\.css)"/g)])],
  ]
  for (const [name, bytes] of rows) report(name, bytes, budgets[name])
  if (!pagesOnly) report('binary', statSync(binary).size, binaryBytesMax)
} finally {
  child.removeAllListeners('exit')
  child.kill('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
}
process.exit(failed ? 1 : 0)

function report(name, bytes, limit) {
  const fits = bytes > 0 && bytes <= limit
  if (!fits) failed += 1
  console.log(`${fits ? 'ok  ' : 'OVER'} ${name.padEnd(11)} ${String(bytes).padStart(9)} B of ${limit} B`)
}
