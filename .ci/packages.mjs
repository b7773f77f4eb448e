// Lists what the program contains: crates of both targets, and npm packages and typefaces of the UI. Imported by
// licenses.mjs and sbom.mjs.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const TARGETS = ['x86_64-unknown-linux-gnu', 'aarch64-unknown-linux-gnu']
// Development dependencies whose data is bundled all the same.
const BUNDLED = ['@zxcvbn-ts/language-common']

const byName = (a, b) => a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en')

/** Returns the crates that are linked into the program on one of the targets. */
export function crates() {
  const found = new Map()
  for (const target of TARGETS) {
    const options = { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 }
    const tree = execFileSync(
      'cargo',
      ['tree', '--workspace', '--locked', '--edges=normal', '--prefix=none', '--format={p}', `--target=${target}`],
      options,
    )
    const metadata = JSON.parse(
      execFileSync('cargo', ['metadata', '--format-version=1', '--locked', `--filter-platform=${target}`], options),
    )
    const names = new Set(tree.split('\n').map((line) => line.split(' ').slice(0, 2).join(' v').replace('vv', 'v')))
    for (const one of metadata.packages) {
      if (one.source && names.has(`${one.name} v${one.version}`)) found.set(`${one.name} ${one.version}`, one)
    }
  }
  const linked = [...found.values()].map((one) => ({
    isCrate: true,
    name: one.name,
    version: one.version,
    licence: one.license ?? '',
    repository: one.repository ?? '',
    authors: one.authors.map((author) => author.replace(/ <.*/, '')),
    folder: dirname(one.manifest_path),
  }))
  return linked.sort(byName)
}

/** Returns the npm packages whose code, styles or typefaces are in the embedded UI. */
export function npmPackages() {
  const lock = JSON.parse(readFileSync(join(root, 'ui/package-lock.json'), 'utf8'))
  const rows = Object.entries(lock.packages).filter(
    ([path, one]) => path && (!one.dev || BUNDLED.some((name) => path.endsWith(`/${name}`))),
  )
  const packages = rows.map(([path, one]) => {
    const manifest = JSON.parse(readFileSync(join(root, 'ui', path, 'package.json'), 'utf8'))
    return {
      name: manifest.name,
      version: one.version,
      integrity: one.integrity,
      licence: manifest.license ?? '',
      repository: manifest.repository?.url ?? manifest.repository ?? '',
      authors: [manifest.author?.name ?? manifest.author ?? `the authors of ${manifest.name}`],
      folder: join(root, 'ui', path),
    }
  })
  return packages.sort(byName)
}
