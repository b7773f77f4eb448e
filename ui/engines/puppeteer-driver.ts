// Driver of a browser that Puppeteer controls: Chromium by CDP, Firefox by WebDriver BiDi.

import { Buffer } from 'node:buffer'
import {
  type BrowserContext,
  type ElementHandle,
  type KeyInput,
  type LaunchOptions,
  launch,
  type Page,
} from 'puppeteer-core'
import type { Browser, Driver, Size } from './driver'

const startSize: Size = { width: 1280, height: 800 }

/** Starting takes long on a busy machine. */
const startTimeoutMs = 60_000

export async function puppeteerBrowser(options: LaunchOptions, script: string): Promise<Browser> {
  const browser = await launch({
    headless: true,
    defaultViewport: null,
    timeout: startTimeoutMs,
    ...options,
  })
  return {
    open: async () => openDriver(await browser.createBrowserContext(), script),
    close: () => browser.close(),
  }
}

async function openDriver(profile: BrowserContext, script: string): Promise<Driver> {
  let size = startSize
  const newPage = async () => {
    const page = await profile.newPage()
    await page.setViewport(size)
    await page.evaluateOnNewDocument(script)
    return page
  }
  const tabs = [await newPage()]
  let tab = tabs[0] as Page
  return {
    goto: async (address) => {
      await tab.goto(address)
    },
    back: async () => {
      // Not `goBack`: it waits for a load, and a dialog that closes loads nothing.
      await tab.evaluate('history.back()')
    },
    evaluate: (expression) => tab.evaluate(expression),
    movePointer: (x, y) => tab.mouse.move(x, y),
    pointerButton: (action) => (action === 'down' ? tab.mouse.down() : tab.mouse.up()),
    type: (text) => tab.keyboard.type(text),
    key: async (key, modifiers) => {
      for (const modifier of modifiers) await tab.keyboard.down(modifier)
      await tab.keyboard.press(key as KeyInput)
      for (const modifier of modifiers.toReversed()) await tab.keyboard.up(modifier)
    },
    setFiles: async (input, files) => {
      const handle = await tab.evaluateHandle(input)
      await (handle as unknown as ElementHandle<HTMLInputElement>).uploadFile(...files)
    },
    resize: async (wanted) => {
      size = wanted
      await tab.setViewport(size)
    },
    openTab: async () => {
      tab = await newPage()
      tabs.push(tab)
    },
    closeTab: async () => {
      await tabs.pop()?.close()
      tab = tabs.at(-1) as Page
      await tab.bringToFront()
    },
    screenshot: async () => Buffer.from(await tab.screenshot()),
    close: () => profile.close(),
  }
}
