// WebKitGTK by classic WebDriver, on an X server of its own.

import { Buffer } from 'node:buffer'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort } from '../e2e/program'
import type { Browser, Driver, DriverOptions, Modifier } from './driver'

const webDriver = process.env.WEBKIT_DRIVER ?? 'WebKitWebDriver'

/** Codes of keys that are no character, from the WebDriver standard. */
const keyCodes: Record<string, string> = {
  Alt: '\ue00a',
  ArrowDown: '\ue015',
  ArrowLeft: '\ue012',
  ArrowRight: '\ue014',
  ArrowUp: '\ue013',
  Backspace: '\ue003',
  Control: '\ue009',
  Delete: '\ue017',
  End: '\ue010',
  Enter: '\ue007',
  Escape: '\ue00c',
  F6: '\ue036',
  Home: '\ue011',
  Meta: '\ue03d',
  Shift: '\ue008',
  Space: ' ',
  Tab: '\ue004',
}

/** Longer than the slowest load of a page on a busy machine. */
const answerTimeoutMs = 25_000

type Action = Record<string, string | number>

/** Each window is a process of its own with an ephemeral profile. */
export async function webkit(options: DriverOptions): Promise<Browser> {
  const { server, display } = await startXvfb()
  // Gives the focus to the window of the current tab.
  const manager = spawn('openbox', { env: { ...process.env, DISPLAY: display }, stdio: 'ignore' })
  return {
    open: () => openDriver(options, display),
    close: async () => {
      manager.kill()
      server.kill()
    },
  }
}

async function openDriver(options: DriverOptions, display: string): Promise<Driver> {
  const folder = mkdtempSync(join(tmpdir(), 'respiro-webkit-'))
  const configuration = join(folder, 'options.json')
  writeFileSync(configuration, JSON.stringify(options))
  const port = await freePort()
  const driver = spawn(webDriver, [`--port=${port}`, '--host=127.0.0.1'], {
    env: { ...process.env, DISPLAY: display, GDK_BACKEND: 'x11', RESPIRO_WEBKIT: configuration },
    stdio: 'ignore',
    // A process group of its own, so that the window ends with it.
    detached: true,
  })
  const origin = `http://127.0.0.1:${port}`
  await answers(`${origin}/status`)
  const binary = resolve(import.meta.dirname, 'webkit-window.py')
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': { binary, args: [] } } }
  const { sessionId } = (await ask(`${origin}/session`, { capabilities })) as { sessionId: string }
  const session = `${origin}/session/${sessionId}`
  const tabs = [String(await ask(`${session}/window`))]
  const act = (type: 'key' | 'pointer', actions: Action[]) =>
    ask(`${session}/actions`, { actions: [{ type, id: type, actions }] })
  const keys = (actions: [type: 'keyDown' | 'keyUp', value: string][]) =>
    act(
      'key',
      actions.map(([type, value]) => ({ type, value })),
    )
  return {
    goto: async (url) => {
      await ask(`${session}/url`, { url })
    },
    back: async () => {
      await ask(`${session}/execute/sync`, { script: 'history.back()', args: [] })
    },
    evaluate: async (expression) => {
      const script = `const done = arguments[0]; Promise.resolve(${expression}).then(
        (value) => done(JSON.stringify({ value })), (error) => done(JSON.stringify({ error: String(error) })))`
      const answer = JSON.parse(String(await ask(`${session}/execute/async`, { script, args: [] })))
      if (answer.error !== undefined) throw new Error(answer.error)
      return answer.value
    },
    movePointer: async (x, y) => {
      await act('pointer', [{ type: 'pointerMove', x: Math.round(x), y: Math.round(y) }])
    },
    pointerButton: async (action) => {
      await act('pointer', [{ type: action === 'down' ? 'pointerDown' : 'pointerUp', button: 0 }])
    },
    type: async (text) => {
      await keys(
        [...text].flatMap((letter) => [
          ['keyDown', letter],
          ['keyUp', letter],
        ]),
      )
    },
    key: async (key, modifiers) => {
      const code = (name: string | Modifier) => keyCodes[name] ?? name
      const held = modifiers.map(code)
      await keys([
        ...held.map((value) => ['keyDown', value] as ['keyDown', string]),
        ['keyDown', code(key)],
        ['keyUp', code(key)],
        ...held.toReversed().map((value) => ['keyUp', value] as ['keyUp', string]),
      ])
    },
    setFiles: async (input, files) => {
      const element = await ask(`${session}/execute/sync`, { script: `return ${input}`, args: [] })
      const [id] = Object.values(element as Record<string, string>)
      await ask(`${session}/element/${id}/value`, { text: files.join('\n') })
    },
    resize: async ({ width, height }) => {
      await ask(`${session}/window/rect`, { width, height })
    },
    openTab: async () => {
      const { handle } = (await ask(`${session}/window/new`, { type: 'window' })) as {
        handle: string
      }
      tabs.push(handle)
      await ask(`${session}/window`, { handle })
    },
    closeTab: async () => {
      await ask(`${session}/window`, null)
      tabs.pop()
      await ask(`${session}/window`, { handle: tabs.at(-1) })
    },
    screenshot: async () => Buffer.from(String(await ask(`${session}/screenshot`)), 'base64'),
    close: async () => {
      await fetch(session, { method: 'DELETE', signal: AbortSignal.timeout(5_000) }).catch(
        () => undefined,
      )
      if (driver.pid !== undefined) process.kill(-driver.pid, 'SIGKILL')
      rmSync(folder, { recursive: true })
    },
  }
}

async function startXvfb(): Promise<{ server: ChildProcess; display: string }> {
  const args = ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp']
  const server = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
  const number = await new Promise<string>((done, fail) => {
    server.on('error', fail)
    server.on('exit', (code) => fail(new Error(`Xvfb ended with ${code}`)))
    server.stdio[3]?.once('data', (chunk: Buffer) => done(chunk.toString().trim()))
  })
  return { server, display: `:${number}` }
}

/** Waits until an address answers. */
async function answers(address: string) {
  for (let tries = 0; ; tries += 1) {
    if ((await fetch(address).catch(() => null))?.ok) return
    if (tries === 200) throw new Error(`${address} does not answer`)
    await new Promise((next) => setTimeout(next, 50))
  }
}

/** Sends a command: POST with a body, GET without, DELETE with null. Returns its value. */
async function ask(address: string, body?: object | null): Promise<unknown> {
  const post = { method: 'POST', body: JSON.stringify(body) }
  const request = body === undefined ? {} : body === null ? { method: 'DELETE' } : post
  // A driver that hangs fails its test early enough for a second try.
  const signal = AbortSignal.timeout(answerTimeoutMs)
  const answer = await fetch(address, { ...request, signal })
  const { value } = (await answer.json()) as { value: unknown }
  const { error, message } = (value ?? {}) as { error?: string; message?: string }
  if (error !== undefined) throw new Error(`${address}: ${error}: ${message}`)
  return value
}
