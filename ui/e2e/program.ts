// Starts the real binary on a free port, and reads its address from the log.

import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { resolve } from 'node:path'

export const binary = resolve(process.env.RESPIRO_BINARY ?? '../target/release/respiro')

export type Program = {
  /** `http://127.0.0.1:PORT`, or the value of `--public-url`. */
  origin: string
  /** The one-time set-up link, as long as there is no account. */
  setupLink: string | null
  /** The data file. */
  data: string
  stop: () => Promise<void>
}

// An unoptimised build on a busy machine takes long over the demonstration pictures.
const startTimeoutMs = 180_000

export function start(
  data: string,
  extra: string[] = [],
  listen = '127.0.0.1:0',
  env: Record<string, string> = {},
): Promise<Program> {
  const child = spawn(binary, ['--listen', listen, '--data', data, ...extra], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return new Promise((done, fail) => {
    let log = ''
    const timer = setTimeout(
      () => fail(new Error(`no answer within three minutes:\n${log}`)),
      startTimeoutMs,
    )
    child.on('exit', (code) => fail(new Error(`the program ended with ${code}:\n${log}`)))
    child.stderr?.on('data', async (chunk: Buffer) => {
      log += chunk.toString()
      const origin = /http:\/\/(?:127\.0\.0\.1|localhost):\d+/.exec(log)?.[0]
      if (!origin || !(await answers(origin))) return
      clearTimeout(timer)
      const setupLink = /http:\/\/\S+\/admin#setup=[a-z0-9]+/i.exec(log)?.[0] ?? null
      done({ origin, setupLink, data, stop: () => stop(child) })
    })
  })
}

async function answers(origin: string): Promise<boolean> {
  const answer = await fetch(`${origin}/healthz`).catch(() => null)
  return answer?.ok ?? false
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    if (child.exitCode !== null || child.signalCode !== null) return done()
    child.removeAllListeners('exit')
    child.on('exit', () => done())
    child.kill('SIGTERM')
  })
}

/**
 * Returns a free port. Browsers allow passkeys on `localhost` but not
 * on an IP address, so the site URL needs the port in advance.
 */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  await new Promise((done) => server.close(done))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
