// The verbs of the tests: what a person does in a browser, the same in every engine.

import { expect, type TestInfo } from '@playwright/test'
import type { Driver, Modifier, Size } from './driver'
import type { Found, Target } from './page-script'

const pollMs = 60
const restPolls = 3
const waitMs = 15_000
/** An unoptimised build on a busy machine takes long over a page or a picture. */
export const slowMs = 60_000

const nextPoll = () => new Promise((next) => setTimeout(next, pollMs))

const isHydrated =
  "document.getElementById('later') === null || document.documentElement.dataset.hydrated !== undefined"

/** An idle WebKit under Xvfb draws no frame before the next event, so that what is placed by an observer moves late. */
const nextFrames = `new Promise((done) => {
  setTimeout(done, 500)
  requestAnimationFrame(() => requestAnimationFrame(done))
})`

export class User {
  readonly #driver: Driver
  readonly #info: TestInfo
  readonly origin: string
  #address = ''
  #faults: string[] = []

  constructor(driver: Driver, info: TestInfo, origin: string) {
    this.#driver = driver
    this.#info = info
    this.origin = origin
  }

  async open(path: string) {
    await this.#collectFaults()
    const address = this.origin + path
    await this.#driver.goto(address)
    // Scripts of a public page load after its first paint and `load`.
    await this.until(isHydrated, slowMs)
    this.#address = address
  }

  back() {
    return this.#driver.back()
  }

  async press(target: Target, times = 1) {
    let former: Found['point'] = null
    let polls = 0
    await this.#driver.evaluate(nextFrames).catch(() => null)
    // A list or a form that grows moves what is pressed: it has to rest for a while.
    const point = await this.#poll(target, 'can be pressed', ({ point: now }) => {
      const isAtRest = now !== null && former?.x === now.x && former.y === now.y
      polls = isAtRest ? polls + 1 : 0
      former = now
      return polls >= restPolls ? now : null
    })
    await this.pressAt(point.x, point.y, times)
  }

  /** Presses at a place of the viewport, whatever is there. */
  async pressAt(x: number, y: number, times = 1) {
    await this.#driver.movePointer(x, y)
    for (let count = 0; count < times; count += 1) {
      await this.#driver.pointerButton('down')
      await this.#driver.pointerButton('up')
    }
  }

  type(text: string) {
    return this.#driver.type(text)
  }

  /** Presses keys one after the other, such as `Control+Shift+z`. */
  async keys(...chords: readonly string[]) {
    for (const chord of chords) {
      const names = chord.split('+')
      await this.#driver.key(names.at(-1) as string, names.slice(0, -1) as Modifier[])
    }
  }

  /** Pauses as a person does: what is typed within half a second is one step of an undo. */
  async pause() {
    await new Promise((next) => setTimeout(next, 600))
  }

  /** Presses a field, replaces its text and leaves the caret in it. */
  async fill(target: Target, text: string) {
    await this.press(target)
    // A hint that appeared meanwhile may have moved the field.
    if (!(await this.#find(target)).isFocused) await this.press(target)
    await this.focused(target)
    await this.keys('Control+a')
    await this.type(text)
  }

  /** Puts text on the clipboard by a real copy and pastes it by its keys. */
  async paste(content: { readonly plain: string; readonly html?: string }) {
    const copy = (data: typeof content) => {
      const copyOnce = (event: ClipboardEvent) => {
        event.clipboardData?.setData('text/plain', data.plain)
        if (data.html) event.clipboardData?.setData('text/html', data.html)
        event.preventDefault()
        event.stopImmediatePropagation()
      }
      const focused = document.activeElement as HTMLIFrameElement | null
      const view = focused?.contentWindow ?? window
      view.addEventListener('copy', copyOnce, { capture: true, once: true })
    }
    await this.evaluate(copy, content)
    await this.keys('Control+c', 'Control+v')
  }

  async upload(target: Target, ...files: readonly string[]) {
    await this.until(`pageTools.element(${JSON.stringify(target)}) !== null`)
    await this.#driver.setFiles(`pageTools.element(${JSON.stringify(target)})`, files)
  }

  /** Waits until the target is visible. */
  async see(target: Target, timeoutMs = waitMs) {
    await this.#poll(
      target,
      'is visible',
      ({ count }) => (count > (target.nth ?? 0) ? true : null),
      timeoutMs,
    )
  }

  async gone(target: Target, timeoutMs = waitMs) {
    await this.#poll(target, 'is gone', ({ count }) => (count === 0 ? true : null), timeoutMs)
  }

  async focused(target: Target) {
    await this.#poll(target, 'has the focus', ({ isFocused }) => (isFocused ? true : null))
  }

  /** Waits until the value or text of the target matches. */
  async reads(target: Target, wanted: string | RegExp, timeoutMs = waitMs) {
    const matches = (text: string) =>
      typeof wanted === 'string' ? text === wanted : wanted.test(text)
    await this.#poll(
      target,
      `reads ${wanted}`,
      (found) => (found.count > 0 && matches(found.text) ? true : null),
      timeoutMs,
    )
  }

  async count(target: Target): Promise<number> {
    return (await this.#find(target)).count
  }

  evaluate<Result, Argument>(
    read: (argument: Argument) => Result,
    argument: Argument,
  ): Promise<Awaited<Result>>
  evaluate<Result>(read: () => Result): Promise<Awaited<Result>>
  evaluate(read: (argument: unknown) => unknown, argument?: unknown) {
    return this.#driver.evaluate(`(${read})(${JSON.stringify(argument ?? null)})`)
  }

  /** Waits until an expression in the page is true. A navigation meanwhile counts as not yet. */
  async until(expression: string, timeoutMs = waitMs) {
    const end = performance.now() + timeoutMs
    let last: unknown
    do {
      last = await this.#driver.evaluate(expression).catch(String)
      if (last === true) return
      await nextPoll()
    } while (performance.now() < end)
    throw new Error(`not true: ${expression}; last: ${JSON.stringify(last)}`)
  }

  resize(size: Size) {
    return this.#driver.resize(size)
  }

  async openTab(path: string) {
    await this.#collectFaults()
    await this.#driver.openTab()
    this.#address = ''
    await this.open(path)
    await this.until('document.hasFocus()')
  }

  async closeTab() {
    await this.#collectFaults()
    await this.#driver.closeTab()
  }

  /** Sends a request with the session of the browser. */
  async ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const send = async ([how, where, json]: [string, string, string | null]) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(where, {
        method: how,
        headers,
        ...(json === null ? {} : { body: json }),
      })
      return [answer.status, await answer.text()] as const
    }
    const [status, text] = await this.evaluate(send, [
      method,
      path,
      body === undefined ? null : JSON.stringify(body),
    ] as [string, string, string | null])
    expect(status, `${method} ${path}: ${text}`).toBeLessThan(300)
    return (text === '' ? null : JSON.parse(text)) as Answer
  }

  /** Fails on console errors and warnings, policy violations and failed requests that no pattern expects. */
  async expectNoFaults(expected: readonly RegExp[]) {
    await this.#collectFaults()
    const faults = this.#faults.filter((fault) => !expected.some((pattern) => pattern.test(fault)))
    expect(faults).toEqual([])
  }

  async attachScreenshot(name: string) {
    const body = await this.#driver.screenshot()
    await this.#info.attach(name, { body, contentType: 'image/png' })
  }

  async #collectFaults() {
    if (this.#address === '') return
    this.#faults.push(...((await this.#driver.evaluate('pageTools.takeFaults()')) as string[]))
  }

  #find(target: Target): Promise<Found> {
    return this.#driver.evaluate(`pageTools.find(${JSON.stringify(target)})`) as Promise<Found>
  }

  /** Reads the target until `wanted` returns a value. */
  async #poll<Value>(
    target: Target,
    what: string,
    wanted: (found: Found) => Value | null,
    timeoutMs = waitMs,
  ): Promise<Value> {
    const end = performance.now() + timeoutMs
    let last: unknown = null
    while (performance.now() < end) {
      // A navigation may come between two reads.
      const found = await this.#find(target).catch((error) => {
        last = String(error)
        return null
      })
      const value = found === null ? null : wanted(found)
      if (value !== null) return value
      last = found ?? last
      await nextPoll()
    }
    throw new Error(`not: ${JSON.stringify(target)} ${what}; last: ${JSON.stringify(last)}`)
  }
}
