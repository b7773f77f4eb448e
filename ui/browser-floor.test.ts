import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { transform } from 'lightningcss'
import postcss from 'postcss'
import { expect, test } from 'vitest'
import { browserFloor, newerFeatures, scriptTarget, styleTarget } from './browser-floor'

type Support = { version_added: string | boolean | null; flags?: unknown; prefix?: string }
type Entry = { __compat?: { support: Record<string, Support | Support[]> } } & {
  [name: string]: Entry
}
const require = createRequire(import.meta.url)
const mdn = JSON.parse(readFileSync(require.resolve('@mdn/browser-compat-data'), 'utf8')) as Record<
  'api' | 'css' | 'html' | 'javascript',
  Entry
>

/** The browsers of the floor that lack the feature, such as `safari 17.4`; null for an unknown feature. */
function lacking(entry: Entry | undefined): string[] | null {
  const support = entry?.__compat?.support
  if (support === undefined) return null
  return Object.entries(browserFloor).flatMap(([browser, floor]) => {
    const statements = [support[browser] ?? []].flat()
    const added = statements
      .filter(({ flags, prefix }) => flags === undefined && prefix === undefined)
      .map(({ version_added: version }) => version)
    const first = added
      .filter((version) => typeof version === 'string')
      .map((version) => Number.parseFloat(version.replace('≤', '')))
      .sort((a, b) => a - b)[0]
    if (first !== undefined && first <= floor) return []
    return [`${browser} ${first ?? 'never'}`]
  })
}

const src = join(import.meta.dirname, 'src')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).map((name) => join(src, name))

/** Uses of features above the floor: `feature (browsers)` → files. */
const uses = new Map<string, Set<string>>()

function note(feature: string, entry: Entry | undefined, file: string): void {
  const browsers = lacking(entry)
  if (browsers === null || browsers.length === 0) return
  const key = `${feature} (${browsers.join(', ')})`
  uses.set(key, (uses.get(key) ?? new Set()).add(relative(src, file)))
}

const version = (text: string) => {
  const [major = 0, minor = 0] = text.split('.').map(Number)
  return (major << 16) | (minor << 8)
}
const targets = Object.fromEntries(
  Object.entries(browserFloor).map(([browser, floor]) => [browser, version(`${floor}`)]),
)

function readStyles(file: string): void {
  // Lowered as the build does it: nesting and newer colours are gone then.
  const { code } = transform({
    filename: file,
    code: readFileSync(file),
    targets,
    cssModules: file.endsWith('.module.css'),
  })
  postcss.parse(code.toString()).walk((node) => {
    if (node.type === 'decl') readDeclaration(node.prop, node.value, file)
    if (node.type === 'atrule') {
      const rules = mdn.css['at-rules']
      note(`@${node.name}`, rules?.[node.name], file)
      for (const [, feature = ''] of node.params.matchAll(/\(\s*([a-z-]+)/g))
        note(`@${node.name} (${feature})`, rules?.[node.name]?.[feature], file)
    }
    if (node.type === 'rule')
      for (const [, name = ''] of node.selector.matchAll(/::?([a-z-]+)/g))
        note(`:${name}`, mdn.css.selectors?.[name], file)
  })
}

function readDeclaration(property: string, value: string, file: string): void {
  if (property.startsWith('--') || property.startsWith('-')) return
  const own = mdn.css.properties?.[property]
  note(property, own, file)
  const words = value.replace(/"[^"]*"|'[^']*'|url\([^)]*\)|var\(--[\w-]+/g, ' ')
  for (const [, name = '', call = ''] of words.matchAll(/(?<![\w#-])([a-z][a-z-]*)(\(?)/g)) {
    if (call === '(') note(`${name}()`, mdn.css.types?.[name] ?? mdn.css.types?.color?.[name], file)
    else note(`${property}: ${name}`, own?.[name] ?? own?.[name.replaceAll('-', '_')], file)
  }
}

/**
 * Entries of the member names that only the platform has: those in camel case, by name, because a source does not tell
 * the type; further the members of a global that the source names, such as `navigator.share`.
 */
const members = new Map<string, Entry[]>()
const globals = new Map<string, Entry>()
for (const root of [mdn.api, mdn.javascript.builtins ?? {}])
  for (const [owner, entry] of Object.entries(root)) {
    if (owner === '__compat') continue
    if (!globals.has(owner)) globals.set(owner, entry as Entry)
    for (const [name, member] of Object.entries(entry as Entry)) {
      if (name === '__compat') continue
      const plain = name.replace(/_(static|event)$/, '')
      members.set(plain, [...(members.get(plain) ?? []), member])
    }
  }
const interfaces: Readonly<Record<string, string>> = {
  navigator: 'Navigator',
  document: 'Document',
  window: 'Window',
  CSS: 'CSS',
  URL: 'URL',
  Object: 'Object',
  Promise: 'Promise',
  Array: 'Array',
  Map: 'Map',
}

const attributes = new Map<string, Entry[]>()
const addAttributes = (entry: Entry | undefined) => {
  for (const [name, attribute] of Object.entries(entry ?? {}))
    if (name !== '__compat') attributes.set(name, [...(attributes.get(name) ?? []), attribute])
}
addAttributes(mdn.html.global_attributes)
for (const element of Object.values(mdn.html.elements ?? {})) addAttributes(element)

/** The name is above the floor if no owner has had it for long. */
function noteAny(feature: string, entries: readonly Entry[] | undefined, file: string): void {
  if (entries === undefined || entries.some((entry) => lacking(entry)?.length === 0)) return
  note(feature, entries[0], file)
}

function readScript(file: string): void {
  const source = readFileSync(file, 'utf8')
    .replace(/\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/.*$/gm, ' ')
    .replace(/^import .*$/gm, ' ')
  for (const [, name = ''] of source.matchAll(/\.\s*([a-z]+[A-Z]\w*)/g))
    noteAny(`.${name}`, members.get(name), file)
  for (const [, owner = '', name = ''] of source.matchAll(/(?<!\w)(\w+)\.([a-z]+)\b/g)) {
    const of = globals.get(interfaces[owner] ?? '')
    note(`${owner}.${name}`, of?.[name] ?? of?.[`${name}_static`], file)
  }
  for (const [, name = ''] of source.matchAll(/(?<![.\w'"`$-])([A-Z]\w+)(?=[.(])/g))
    if (globals.has(name)) note(name, globals.get(name), file)
  for (const [, name = ''] of source.matchAll(/<[a-z][^<>]*?\s([a-z]+)=/g))
    noteAny(`<${name}>`, attributes.get(name), file)
  for (const [, name = ''] of source.matchAll(/^\s+([a-z]+)=["{]/gm))
    noteAny(`<${name}>`, attributes.get(name), file)
}

for (const file of files) {
  if (file.endsWith('.css')) readStyles(file)
  else if (/\.tsx?$/.test(file) && !/\.(test|gen)\./.test(file)) readScript(file)
}

const isOf = (feature: string, name: string) =>
  feature.startsWith(`${name} (`) || feature.startsWith(`${name}: `)

test('the floor is that of the build and of package.json', () => {
  const { browserslist } = require('./package.json') as { browserslist: string[] }
  const { chrome, firefox, safari } = browserFloor
  expect(browserslist).toEqual([
    `chrome >= ${chrome}`,
    `firefox >= ${firefox}`,
    `safari >= ${safari}`,
    `ios_saf >= ${safari}`,
  ])
  const targets = [`chrome${chrome}`, `firefox${firefox}`, `safari${safari}`]
  expect(scriptTarget).toEqual(targets)
  expect(styleTarget).toEqual([...targets, `ios${safari}`])
})

test('every feature above the floor has a fallback, which newerFeatures names', () => {
  const found = [...uses].map(([feature, where]) => ({ feature, where: [...where].join(' ') }))
  const isNamed = (feature: string) => newerFeatures.some(({ name }) => isOf(feature, name))
  expect(found.filter(({ feature }) => !isNamed(feature))).toEqual([])
})

test('every named feature is used and above the floor', () => {
  const isUsed = (name: string) => [...uses.keys()].some((feature) => isOf(feature, name))
  expect(newerFeatures.map(({ name }) => name).filter((name) => !isUsed(name))).toEqual([])
})

test('every test that newerFeatures names exists', () => {
  const folder = join(import.meta.dirname, 'e2e')
  const specs = readdirSync(folder)
    .filter((name) => name.endsWith('.spec.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
  const missing = newerFeatures.filter(({ test: title }) => title && !specs.includes(title))
  expect(missing).toEqual([])
})
