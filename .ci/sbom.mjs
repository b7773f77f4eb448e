// Prints an SBOM (CycloneDX 1.5, JSON) of the program: crates of both targets, npm packages and typefaces of the UI,
// and the Debian packages whose files are in the container image.
//
//   SOURCE_DATE_EPOCH=… node .ci/sbom.mjs VERSION [NAME=VERSION of a Debian package]…

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crates, npmPackages, root } from './packages.mjs'

const [version, ...debianPackages] = process.argv.slice(2)
const epoch = Number(process.env.SOURCE_DATE_EPOCH)
if (version === undefined || !(epoch > 0)) throw new Error('usage: SOURCE_DATE_EPOCH=… node .ci/sbom.mjs VERSION')

/** Returns the SHA-256 of each crate, from Cargo.lock. */
function crateChecksums() {
  const lock = readFileSync(join(root, 'Cargo.lock'), 'utf8')
  const row = /name = "(.*)"\nversion = "(.*)"\nsource = ".*"\nchecksum = "([0-9a-f]{64})"/g
  return new Map([...lock.matchAll(row)].map(([, name, number, checksum]) => [`${name} ${number}`, checksum]))
}

/** Returns the licence as SPDX expression. Older manifests separate choices by a slash. */
const licences = (licence) => (licence ? [{ expression: licence.replaceAll('/', ' OR ') }] : [])

const checksums = crateChecksums()
const crateComponents = crates().map((one) => {
  const content = checksums.get(`${one.name} ${one.version}`)
  if (content === undefined) throw new Error(`${one.name} ${one.version} has no checksum in Cargo.lock`)
  return {
    type: 'library',
    'bom-ref': `pkg:cargo/${one.name}@${one.version}`,
    name: one.name,
    version: one.version,
    hashes: [{ alg: 'SHA-256', content }],
    licenses: licences(one.licence),
    purl: `pkg:cargo/${one.name}@${one.version}`,
  }
})
const npmComponents = npmPackages().map((one) => {
  const purl = `pkg:npm/${one.name.replace('@', '%40')}@${one.version}`
  const [algorithm, digest] = one.integrity.split('-')
  if (algorithm !== 'sha512') throw new Error(`${one.name} ${one.version}: ${one.integrity}`)
  return {
    type: 'library',
    'bom-ref': purl,
    name: one.name,
    version: one.version,
    hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
    licenses: licences(one.licence),
    purl,
  }
})
const debianComponents = debianPackages.map((pair) => {
  const [name, number] = pair.split('=')
  const purl = `pkg:deb/debian/${name}@${encodeURIComponent(number)}`
  const properties = [{ name: 'respiro:file', value: `respiro-${version}-oci.tar` }]
  return { type: 'library', 'bom-ref': purl, name, version: number, purl, properties }
})

const program = {
  type: 'application',
  'bom-ref': `pkg:generic/respiro@${version}`,
  name: 'respiro',
  version,
  licenses: licences('MIT'),
}
const components = [...crateComponents, ...npmComponents, ...debianComponents]
// The id follows from the content, so that two runs print the same bytes.
const id = createHash('sha256').update(JSON.stringify([program, components, epoch])).digest('hex')
const uuid = [id.slice(0, 8), id.slice(8, 12), `8${id.slice(13, 16)}`, `8${id.slice(17, 20)}`, id.slice(20, 32)].join('-')
const bom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  serialNumber: `urn:uuid:${uuid}`,
  version: 1,
  metadata: { timestamp: new Date(epoch * 1000).toISOString(), component: program },
  components,
  dependencies: [{ ref: program['bom-ref'], dependsOn: components.map((one) => one['bom-ref']) }],
}
console.log(JSON.stringify(bom, null, 2))
