// Mutates pasted HTML and pasted text, and converts both as the editor does, in Chromium: the converter needs a real DOM.
//
//   node fuzz/paste.mjs SECONDS [SEED]        (after npm ci in ui/; CHROMIUM=/path selects a browser)
//
// A finding is an exception, a conversion of more than 2 s, a link that the editor would refuse, Markdown that changes
// whenever it is read and written, or a number of the text that is gone. The input is printed.
import { existsSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const [seconds = 600, seed = 1] = process.argv.slice(2).map(Number)
const root = fileURLToPath(new URL('..', import.meta.url))
const require = createRequire(join(root, 'ui/package.json'))
const { build } = await import(require.resolve('vite'))
const { chromium } = require('@playwright/test')

const entry = join(root, 'ui/src/admin/rich-text/fuzz-entry.ts')
const source = `
import { DOMParser } from 'prosemirror-model'
import { EditorState } from 'prosemirror-state'
import { linkAddresses, pastedAddress } from './addresses'
import { parse, serialise } from './markdown'
import { cleanHtml, plainSlice } from './paste'
import { ALL_FEATURES, schemaWith } from './schema'
import { PASTED } from '../../../e2e/pasted-html'
const schema = schemaWith(ALL_FEATURES)
const empty = EditorState.create({ schema })
const docOf = (slice) => empty.tr.replaceSelection(linkAddresses(slice, schema)).doc
export const ofHtml = (html) => {
  const body = document.createElement('div')
  body.innerHTML = cleanHtml(html)
  return docOf(DOMParser.fromSchema(schema).parseSlice(body))
}
export const ofText = (text) => docOf(plainSlice(text, schema))
export { parse, serialise, schema, pastedAddress, PASTED }
`
const bundle = await build({
  root: join(root, 'ui'),
  configFile: false,
  logLevel: 'error',
  plugins: [
    {
      name: 'fuzz-entry',
      resolveId: (id) => (id === entry ? id : null),
      load: (id) => (id === entry ? source : null),
    },
  ],
  build: { write: false, minify: false, lib: { entry, formats: ['iife'], name: 'paste' } },
})
const [{ output }] = [bundle].flat()
const script = output.find(({ type }) => type === 'chunk').code

const TEXTS = [
  "1987. Nasce l'associazione\n1993. Primo corso a Como\n2004. Il libro",
  'Programma:\n1) arrivo\n2) pratica\n\n- coperta\n- acqua\n\nVedi www.esempio.it/a?b=1 o anna@esempio.it.',
  '## Studi\n\n> **forte** e *piano*\n\n3. tre\n   - a\n4. quattro\n\n---\n\n[qui](https://a.it)',
  '[10:32, 11/2/2025] Anna: *ciao* _tu_ ~no~\nCorso\tPrezzo\nBase\t95 €',
]

/** Runs in the page: converts mutations for some seconds. Returns the count and the first finding. */
function round({ texts, state, milliseconds }) {
  const { ofHtml, ofText, parse, serialise, schema, pastedAddress, PASTED } = globalThis.paste
  const seeds = [...PASTED.map(([, html, plain]) => html || plain), ...texts]
  let chance = state
  const next = () => {
    chance ^= chance << 13
    chance ^= chance >>> 17
    chance ^= chance << 5
    return chance >>> 0
  }
  const below = (end) => next() % Math.max(end, 1)
  const pick = (list) => list[below(list.length)]
  const parts = [
    '<ol>', '</ol>', '<li>', '<ul type="i">', '<ol start="1987">', '<table><tr><td>', '</td><td>', '</tr>', '<p>',
    '</p>', '<br>', '<b style="font-weight:400">', '<a href="javascript:x">', '<a href="https://a.it/?q=1">', '</a>',
    '<o:p>', '<!--[if !supportLists]-->1.<!--[endif]-->', '<!--', '-->', '<style>li{list-style-type:lower-roman}</style>',
    '<span style="mso-list:l0 level1 lfo1">', '<img alt="🙂" src=x>', '&nbsp;', '&#x200b;', '\n', '\t', '1987. ', '- ',
    '* ', '> ', '```', '](', '**', '\\', '…', 'www.esempio.it', 'anna@esempio.it', '\u202e', '\u0000', '<', '>', '"', '&',
  ]
  const mutated = () => {
    let text = pick(seeds)
    for (let step = below(6); step >= 0; step--) {
      const at = below(text.length)
      const to = at + 1 + below(16)
      const other = pick(seeds)
      const from = below(other.length)
      const change = below(5)
      if (change === 0) text = text.slice(0, at) + text.slice(to)
      else if (change === 1) text = text.slice(0, to) + text.slice(at)
      else if (change === 2) text = text.slice(0, at) + other.slice(from, from + below(256)) + text.slice(at)
      else if (change === 3) text = text.slice(0, at) + pick(parts).repeat(1 + below(9)) + text.slice(at)
      else text = text.slice(0, at) + String.fromCharCode(32 + below(95)) + text.slice(at + 1)
    }
    return text.slice(0, 20_000)
  }
  const numbers = (text) => text.match(/\d{4,}/g) ?? []
  const check = (kind, input) => {
    const doc = kind === 'html' ? ofHtml(input) : ofText(input)
    doc.check()
    doc.descendants(({ marks }) => {
      for (const { type, attrs } of marks) {
        if (type.name === 'link' && pastedAddress(attrs.href) === null && !attrs.href.startsWith('#')) {
          throw new Error(`a link to ${attrs.href}`)
        }
      }
    })
    const markdown = serialise(doc)
    const rewritten = (text) => serialise(parse(text, schema).doc)
    // Pasted lists in lists without words between settle at the first reading.
    const settled = rewritten(markdown)
    const again = rewritten(settled)
    if (again !== settled) throw new Error(`${JSON.stringify(settled)} is written as ${JSON.stringify(again)}`)
    if (kind === 'text') {
      const left = doc.textBetween(0, doc.content.size, ' ')
      const links = []
      doc.descendants(({ marks, attrs }) => {
        for (const mark of marks) links.push(String(mark.attrs.href ?? ''))
        links.push(Object.values(attrs).join(' '))
      })
      const found = `${left} ${links.join(' ')}`
      const gone = numbers(input).find((number) => !found.includes(number))
      if (gone !== undefined && !/[\]<&[`]/.test(input)) throw new Error(`${gone} is gone`)
    }
  }
  const end = performance.now() + milliseconds
  let count = 0
  let slowest = 0
  while (performance.now() < end) {
    const input = mutated()
    const kind = below(2) === 0 ? 'html' : 'text'
    const timed = () => {
      const began = performance.now()
      check(kind, input)
      return performance.now() - began
    }
    let taken = 0
    try {
      taken = timed()
      // Twice, because a busy machine may stop the browser for seconds.
      if (taken > 2_000) taken = timed()
    } catch (error) {
      return { count, slowest, chance, finding: { kind, input, reason: String(error) } }
    }
    slowest = Math.max(slowest, taken)
    if (taken > 2_000) return { count, slowest, chance, finding: { kind, input, reason: `${taken} ms` } }
    count += 1
  }
  return { count, slowest, chance, finding: null }
}

const headless = '/usr/bin/chromium-headless-shell'
const installed = existsSync(headless) ? headless : '/usr/bin/chromium'
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? installed,
  args: ['--no-sandbox'],
})
const page = await browser.newPage()
await page.addScriptTag({ content: script })
let [total, slowest, state] = [0, 0, seed]
const findings = []
const end = Date.now() + seconds * 1_000
while (Date.now() < end && findings.length < 5) {
  const done = await page.evaluate(round, { texts: TEXTS, state, milliseconds: Math.min(10_000, end - Date.now()) })
  total += done.count
  slowest = Math.max(slowest, done.slowest)
  state = done.chance || 1
  if (done.finding !== null) {
    findings.push(done.finding)
    const kept = join(tmpdir(), `respiro-fuzz-paste-${findings.length}`)
    writeFileSync(kept, done.finding.input)
    console.log(`${done.finding.kind} ${kept}: ${done.finding.reason}`)
  }
}
await browser.close()
console.log(`paste: ${total} conversions, the slowest ${Math.round(slowest)} ms, ${findings.length} findings`)
process.exitCode = findings.length > 0 ? 1 : 0
