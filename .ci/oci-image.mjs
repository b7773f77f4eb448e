// Writes a container image as an OCI archive, which `docker load`, `podman load` and `skopeo copy` read, without an
// engine: one layer for each architecture with the program and the C library. Settings are those of the last stage of
// the Dockerfile.
//
//   SOURCE_DATE_EPOCH=… node .ci/oci-image.mjs OUT VERSION amd64=ROOT_FOLDER [arm64=ROOT_FOLDER]
//
// A root folder holds what the image holds. Files belong to root, those in /data to the user of the Dockerfile.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const [out, version, ...images] = process.argv.slice(2)
const epoch = Number(process.env.SOURCE_DATE_EPOCH)
if (images.length === 0 || !(epoch > 0)) throw new Error('usage: SOURCE_DATE_EPOCH=… node .ci/oci-image.mjs OUT VERSION ARCH=FOLDER…')
const created = new Date(epoch * 1000).toISOString()
const work = mkdtempSync(join(dirname(resolve(out)), '.oci-'))
const blobs = join(work, 'blobs/sha256')
mkdirSync(blobs, { recursive: true })

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')
/** Stores a blob. Returns its descriptor. */
function store(mediaType, bytes, more = {}) {
  const digest = sha256(bytes)
  writeFileSync(join(blobs, digest), bytes)
  return { mediaType, digest: `sha256:${digest}`, size: bytes.length, ...more }
}
const storeJson = (mediaType, value, more) => store(mediaType, Buffer.from(JSON.stringify(value)), more)

/** Returns the configuration that the last stage of the Dockerfile describes. */
function readDockerfile() {
  const text = readFileSync(join(dirname(fileURLToPath(import.meta.url)), '../Dockerfile'), 'utf8')
  const lines = text.replaceAll(/\\\n\s*/g, '').split('\n')
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')))
  const value = (word) => {
    const line = last.find((one) => one.startsWith(`${word} `))
    if (line === undefined) throw new Error(`no ${word} in the last stage of the Dockerfile`)
    return line.slice(word.length + 1).trim()
  }
  const seconds = (name) => Number(new RegExp(`--${name}=(\\d+)s`).exec(value('HEALTHCHECK'))[1]) * 1e9
  return {
    User: value('USER'),
    ExposedPorts: { [`${value('EXPOSE')}/tcp`]: {} },
    Env: value('ENV').split(/\s+/),
    Entrypoint: JSON.parse(value('ENTRYPOINT')),
    Volumes: { [value('VOLUME')]: {} },
    StopSignal: value('STOPSIGNAL'),
    // Not in the specification of OCI; Docker reads it.
    Healthcheck: {
      Test: ['CMD', ...JSON.parse(value('HEALTHCHECK').split(' CMD ')[1])],
      Interval: seconds('interval'),
      Timeout: seconds('timeout'),
      StartPeriod: seconds('start-period'),
    },
    Labels: {
      'org.opencontainers.image.title': 'respiro',
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.licenses': 'MIT',
    },
  }
}

/** Packs a folder; the same files give the same bytes. */
function pack(folder, user) {
  const tar = join(work, 'layer.tar')
  const same = ['--sort=name', `--mtime=@${epoch}`, '--numeric-owner', '--format=ustar', '-C', folder]
  const [owner, group] = user.split(':')
  execFileSync('tar', ['-cf', tar, ...same, '--owner=0', '--group=0', '--exclude=./data', '.'])
  execFileSync('tar', ['-rf', tar, ...same, `--owner=${owner}`, `--group=${group}`, './data'])
  const bytes = readFileSync(tar)
  rmSync(tar)
  return bytes
}

const config = readDockerfile()
const manifests = images.map((pair) => {
  const [architecture, folder] = pair.split('=')
  const layer = pack(folder, config.User)
  const description = {
    created,
    architecture,
    os: 'linux',
    config,
    rootfs: { type: 'layers', diff_ids: [`sha256:${sha256(layer)}`] },
    history: [{ created, created_by: 'respiro .ci/oci-image.mjs' }],
  }
  const manifest = {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: storeJson('application/vnd.oci.image.config.v1+json', description),
    layers: [store('application/vnd.oci.image.layer.v1.tar+gzip', gzipSync(layer, { level: 9 }))],
  }
  return storeJson(manifest.mediaType, manifest, { platform: { architecture, os: 'linux' } })
})
// One entry, an index of the architectures: with two entries skopeo and podman ask which image is meant.
const index = storeJson('application/vnd.oci.image.index.v1+json', {
  schemaVersion: 2,
  mediaType: 'application/vnd.oci.image.index.v1+json',
  manifests,
})
const annotations = {
  'io.containerd.image.name': `localhost/respiro:${version}`,
  'org.opencontainers.image.ref.name': version,
}
writeFileSync(join(work, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: [{ ...index, annotations }] }))
writeFileSync(join(work, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}')
const same = ['--sort=name', `--mtime=@${epoch}`, '--owner=0', '--group=0', '--numeric-owner', '--format=ustar']
execFileSync('tar', ['-cf', out, ...same, '-C', work, 'blobs', 'index.json', 'oci-layout'])
rmSync(work, { recursive: true })
