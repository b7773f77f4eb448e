// Takes every screen of two builds and puts them beside each other, with the share of pixels that differ:
//
//   npm run screens -- --against COMMIT            builds the commit in a temporary worktree
//   npm run screens -- --against-binary PATH       takes a program that is built
//   npm run screens -- --only 'panel.*1440-light'  some of them; the names are those of the sheet
//
// The present build is RESPIRO_BINARY, by default target/debug/respiro. Results are in `ui/screens/ENGINE`:
// `index.html` (the sheet), `overview.png`, the pictures in `before` and `now`.

import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    'against-binary': { type: 'string' },
    engine: { type: 'string', default: 'chromium' },
    only: { type: 'string', default: '' },
  },
})
const ui = resolve(import.meta.dirname, '..')
const root = resolve(ui, '..')
const folder = join(ui, 'screens', values.engine)
const now = resolve(process.env.RESPIRO_BINARY ?? join(root, 'target/debug/respiro'))

if (values.engine !== 'chromium') fail(`no driver takes screens in ${values.engine}`)
if (!existsSync(now)) fail(`${now} is missing: cargo build --workspace, or set RESPIRO_BINARY`)
const before = values['against-binary'] ? resolve(values['against-binary']) : built(values.against)

rmSync(folder, { recursive: true, force: true })
const time = new Date().toISOString()
take(before, 'before')
take(now, 'now')
rmSync(join(folder, 'data'), { recursive: true, force: true })
await compare()

function fail(reason) {
  console.error(`screens: ${reason}`)
  process.exit(2)
}

/** Builds a commit in a temporary worktree. Returns its program. */
function built(commit) {
  if (!commit) fail('name a commit by --against, or a program by --against-binary')
  const tree = mkdtempSync(join(tmpdir(), 'respiro-screens-'))
  process.on('exit', () => {
    spawnSync('git', ['worktree', 'remove', '--force', tree], { cwd: root })
  })
  execFileSync('git', ['worktree', 'add', '--detach', tree, commit], {
    cwd: root,
    stdio: 'inherit',
  })
  execFileSync('cargo', ['build', '--workspace'], { cwd: tree, stdio: 'inherit' })
  return join(tree, 'target/debug/respiro')
}

function take(binary, name) {
  console.log(`${name}: ${binary}`)
  const env = {
    ...process.env,
    RESPIRO_BINARY: binary,
    SCREENS: join(folder, name),
    SCREENS_DATA: join(folder, 'data'),
    SCREENS_TIME: time,
    SCREENS_ONLY: values.only,
  }
  const { status } = spawnSync('npx', ['playwright', 'test'], { cwd: ui, env, stdio: 'inherit' })
  if (status !== 0) fail(`the screens of ${binary} were not all taken`)
}

async function compare() {
  const names = [...new Set(['before', 'now'].flatMap((one) => readdirSync(join(folder, one))))]
  mkdirSync(join(folder, 'small'), { recursive: true })
  const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
  const executablePath = process.env.CHROMIUM ?? installed.find((one) => existsSync(one))
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const pages = [await comparisonPage(browser), await comparisonPage(browser)]
  const rows = []
  await Promise.all(
    pages.map(async (page) => {
      for (let name = names.pop(); name !== undefined; name = names.pop()) {
        const { share, small } = await page.evaluate(difference, [name, isEqual(name)])
        for (const [one, data] of Object.entries(small))
          writeFileSync(join(folder, 'small', `${one}-${name}`), Buffer.from(data, 'base64'))
        rows.push({ name, share })
      }
    }),
  )
  const [page] = pages
  rows.sort((a, b) => b.share - a.share || (a.name < b.name ? -1 : 1))
  writeFileSync(join(folder, 'index.html'), sheet(rows))
  writeFileSync(join(folder, 'overview.html'), overview(rows))
  await page.goto('http://screens/overview.html', { waitUntil: 'load' })
  await page.screenshot({ path: join(folder, 'overview.png'), fullPage: true })
  await browser.close()
  rmSync(join(folder, 'overview.html'))
  for (const { name, share } of rows.filter((row) => row.share > 0))
    console.log(percent(share), name)
  console.log(`${rows.length} screens, ${rows.filter(({ share }) => share > 0).length} differ`)
  console.log(join(folder, 'index.html'))
}

/** A page that loads files of the folder. */
async function comparisonPage(browser) {
  const page = await browser.newPage({ viewport: { width: 1700, height: 900 } })
  await page.route('http://screens/**', (route) => {
    const { pathname } = new URL(route.request().url())
    const path = join(folder, pathname)
    return existsSync(path) ? route.fulfill({ path }) : route.fulfill({ status: 404, body: '' })
  })
  await page.goto('http://screens/none')
  return page
}

/** Equal pixels have equal files: most pictures need no comparison. */
function isEqual(name) {
  const [before, now] = ['before', 'now'].map((one) => join(folder, one, name))
  return existsSync(before) && existsSync(now) && readFileSync(before).equals(readFileSync(now))
}

/** Runs in the browser, which decodes the pictures. Channels may differ by 3 of 255, as JPEG decoding does. */
async function difference([name, isSameFile]) {
  const load = async (one) => {
    const answer = await fetch(`http://screens/${one}/${name}`)
    return answer.ok ? createImageBitmap(await answer.blob()) : null
  }
  const now = await load('now')
  const before = isSameFile ? now : await load('before')
  const width = Math.max(before?.width ?? 0, now?.width ?? 0)
  const height = Math.max(before?.height ?? 0, now?.height ?? 0)
  const pixels = (picture) => {
    const canvas = new OffscreenCanvas(width, height)
    const context = canvas.getContext('2d', { willReadFrequently: true })
    if (picture) context.drawImage(picture, 0, 0)
    return context.getImageData(0, 0, width, height)
  }
  const marked = isSameFile ? null : new ImageData(width, height)
  let differing = 0
  if (marked !== null) {
    const [a, b] = [pixels(before).data, pixels(now).data]
    const [{ data }, words] = [marked, new Uint32Array(marked.data.buffer)]
    const [wordsA, wordsB] = [new Uint32Array(a.buffer), new Uint32Array(b.buffer)]
    const isNear = (at) => Math.abs(a[at] - b[at]) <= 3
    for (let at = 0, word = 0; at < a.length; at += 4, word += 1) {
      const isSame =
        wordsA[word] === wordsB[word] ||
        (isNear(at) && isNear(at + 1) && isNear(at + 2) && isNear(at + 3))
      if (isSame) {
        const grey = 191 + (b[at] + b[at + 1] + b[at + 2]) / 12
        data[at] = grey
        data[at + 1] = grey
        data[at + 2] = grey
        data[at + 3] = 255
      } else {
        differing += 1
        // Opaque red, as the bytes of RGBA in a little-endian word.
        words[word] = 0xff3c00dc
      }
    }
  }
  const shrunk = async (picture) => {
    if (!picture) return ''
    const canvas = new OffscreenCanvas(420, Math.max(1, Math.round((420 * height) / width)))
    canvas.getContext('2d').drawImage(picture, 0, 0, 420, (420 * picture.height) / picture.width)
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.8 })
    const bytes = new Uint8Array(await blob.arrayBuffer())
    let text = ''
    for (const byte of bytes) text += String.fromCharCode(byte)
    return btoa(text)
  }
  const small = {
    before: await shrunk(before),
    now: await shrunk(now),
    ...(differing > 0 ? { difference: await shrunk(await createImageBitmap(marked)) } : {}),
  }
  return { share: differing / (width * height), small }
}

function percent(share) {
  return `${(share * 100).toFixed(share > 0 && share < 0.0001 ? 4 : 2)} %`
}

function sheet(rows) {
  const cell = (one, name) =>
    `<td><a href="${one}/${name}"><img loading="lazy" alt="${one}" src="small/${one}-${name}"></a></td>`
  const body = rows.map(
    ({ name, share }) =>
      `<tr><th>${name.replace(/_/g, ' ').replace('.png', '')}<br>${percent(share)}</th>${cell('before', name)}${cell('now', name)}<td>${
        share > 0 ? `<img loading="lazy" alt="difference" src="small/difference-${name}">` : 'equal'
      }</td></tr>`,
  )
  return `<!doctype html><meta charset="utf-8"><title>Screens</title>
<style>body{font:14px sans-serif}td,th{vertical-align:top;text-align:left;padding:8px;border-top:1px solid #ccc}img{width:420px}</style>
<h1>${rows.length} screens, most different first</h1>
<table><tr><th>screen<th>before<th>now<th>difference</tr>${body.join('\n')}</table>`
}

function overview(rows) {
  const cells = rows.map(
    ({ name, share }) =>
      `<figure class="${share > 0 ? 'differs' : ''}"><img src="small/now-${name}"><figcaption>${percent(share)} ${name.replace(/_/g, ' ').replace('.png', '')}</figcaption></figure>`,
  )
  return `<!doctype html><meta charset="utf-8"><style>body{margin:8px;font:10px sans-serif;display:grid;grid-template-columns:repeat(12,1fr);gap:6px}
figure{margin:0;border:1px solid #ccc}figure.differs{border-color:#d03}img{width:100%;height:170px;object-fit:cover;object-position:top;display:block}</style>${cells.join('')}`
}
