// Starts the program for a measurement, on a free loopback port with a data file of its own.

import { execFileSync, spawn } from 'node:child_process'
import { X509Certificate, createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The malloc settings of the systemd unit and of the container image (docs/decisions/026). */
export const mallocSettings = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
}

/** Creates a temporary folder. Returns the path of a data file in it and a function that removes the folder. */
export function folder() {
  const path = mkdtempSync(join(tmpdir(), 'respiro-bench-'))
  return { data: join(path, 'respiro.redb'), remove: () => rmSync(path, { recursive: true, force: true }) }
}

/**
 * Makes a self-signed certificate in a folder. `spki` is the hash of its key, by which Chromium can be told to trust it:
 * a page with a certificate error has no cache.
 */
export function selfSigned(folder) {
  const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2', '-subj', '/CN=127.0.0.1',
    '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  const publicKey = new X509Certificate(readFileSync(certificate)).publicKey.export({ type: 'spki', format: 'der' })
  return { certificate, key, spki: createHash('sha256').update(publicKey).digest('base64') }
}

/**
 * Resolves when the program has answered. `milliseconds` is the time from the start of the process to the first page.
 */
export async function start(binary, data, args = []) {
  const began = performance.now()
  const child = spawn(binary, ['--listen', '127.0.0.1:0', '--data', data, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...mallocSettings, ...process.env },
  })
  let log = ''
  child.stderr.on('data', (chunk) => {
    log += chunk
  })
  const origin = await new Promise((resolve, reject) => {
    child.on('exit', (code) => reject(new Error(`the program ended with ${code}\n${log}`)))
    child.stderr.on('data', () => {
      const found = /url="?(https?:\/\/127\.0\.0\.1:\d+)/.exec(log)?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  const first = await fetch(`${origin}/`)
  if (!first.ok) throw new Error(`the home page answered ${first.status}`)
  await first.text()
  return {
    origin,
    pid: child.pid,
    milliseconds: performance.now() - began,
    setUpToken: /#setup=([a-z0-9]+)/.exec(log)?.[1] ?? null,
    stop: async () => {
      child.removeAllListeners('exit')
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** Returns the processor seconds of a process. */
function processorSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Waits until the program is idle: after a start it compresses every page once more in the background. */
export async function atRest({ pid }) {
  for (let rest = 0, before = processorSeconds(pid); rest < 3; ) {
    await new Promise((resolve) => setTimeout(resolve, 1000))
    const now = processorSeconds(pid)
    rest = now - before < 0.02 ? rest + 1 : 0
    before = now
  }
}
