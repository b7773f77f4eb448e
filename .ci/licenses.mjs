// Writes src/cli/licenses.txt.br: the licence texts of every crate, npm package and typeface that the program
// contains, grouped by text. Run it after a change of a lock file: `node .ci/licenses.mjs`; tests/dependencies.rs
// compares names and versions.

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { crates, npmPackages, root } from './packages.mjs'

const LICENCE_FILE = /^(licen[cs]e|copying|unlicense|copyright|notice|ofl)/i
const MIT = (holder) => `MIT License

Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`

/** Returns the licence texts of other projects that a crate brings along: libwebp, QuickJS, tables of Unicode. */
function vendoredTexts(folder) {
  const paths = readdirSync(folder, { recursive: true }).filter((path) => {
    const [first, ...rest] = path.split('/')
    const isVendored = rest.length > 0 && !['tests', 'benches', 'resources', 'node_modules'].includes(first)
    return isVendored && /^(licen[cs]e|copying)[^.]*(\.(txt|md))?$/i.test(rest.at(-1)) && statSync(join(folder, path)).isFile()
  })
  return paths.map((path) => readFileSync(join(folder, path), 'utf8').replaceAll('\r\n', '\n').trim())
}

/** Returns the licence texts in the folder of a package: of several choices MIT, and all notices. */
function textsIn({ folder, licence }) {
  const files = readdirSync(folder).filter(
    (name) => LICENCE_FILE.test(name) && statSync(join(folder, name)).isFile() && !/\.(rs|js|ts)$/.test(name),
  )
  const isChoice = / OR |\//.test(licence) && !/ AND /.test(licence)
  const mit = files.filter((name) => /mit/i.test(name))
  const kept =
    isChoice && mit.length > 0 ? [...mit, ...files.filter((name) => /notice|copyright/i.test(name))] : files
  return kept.map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
}

function textsOf(one, all) {
  const own = textsIn(one)
  if (own.length > 0) return own
  // A package of a larger repository often leaves the text with another one of it.
  const sibling = all.find(
    (other) =>
      other.repository && other.repository === one.repository && other.licence === one.licence && textsIn(other).length > 0,
  )
  if (sibling) return textsIn(sibling)
  const holder = one.authors.filter(Boolean).join(', ') || `the authors of ${one.name}`
  if (/\bMIT\b/.test(one.licence)) return [MIT(holder).trim()]
  // It names no holder: the text is the same everywhere.
  if (one.licence === 'Unlicense') return [unlicense()]
  throw new Error(`${one.name} ${one.version}: no licence text (${one.licence}, ${one.repository})`)
}

function unlicense() {
  const { folder } = cratesLinked.find((one) => readdirSync(one.folder).includes('UNLICENSE'))
  return readFileSync(join(folder, 'UNLICENSE'), 'utf8').trim()
}

function section(title, all) {
  const byText = new Map()
  for (const one of all) {
    const vendored = one.isCrate ? vendoredTexts(one.folder) : []
    for (const text of [...textsOf(one, all), ...vendored]) {
      const group = byText.get(text) ?? []
      group.push(`${one.name} ${one.version} (${one.licence})`)
      byText.set(text, group)
    }
  }
  const groups = [...byText].map(([text, names]) => ({ text, names: [...new Set(names)].sort() }))
  groups.sort((a, b) => a.names[0].localeCompare(b.names[0], 'en'))
  const line = '='.repeat(80)
  return [`${line}\n${title}\n${line}`, ...groups.map(({ text, names }) => `${names.join('\n')}\n\n${text}`)]
}

const cratesLinked = crates()
const npmBundled = npmPackages()
const parts = [
  `respiro is under the licence in LICENSE. It contains the packages below, each under the licence that follows it.`,
  ...section('Crates', cratesLinked),
  ...section('npm packages and typefaces', npmBundled),
]
const text = `${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
const compressed = brotliCompressSync(Buffer.from(text), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
})
writeFileSync(join(root, 'src/cli/licenses.txt.br'), compressed)
console.log(`${cratesLinked.length} crates, ${npmBundled.length} npm packages, ${text.length} -> ${compressed.length} bytes`)
