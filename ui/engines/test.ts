// Fixtures of the tests that run in every engine: `user` drives the engine of the project, `site` is a server per worker.

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { type Program, start } from '../e2e/program'
import { account } from '../e2e/template'
import { type Browser, type Engine, launch } from './driver'
import { pageScript, type Target } from './page-script'
import { User } from './user'

export { account, expect }

export type EngineOptions = { engine: Engine; isDark: boolean; isMotionReduced: boolean }

type Options = {
  /** Faults that a test causes on purpose. */
  expectedFaults: readonly RegExp[]
}
type Fixtures = { user: User; admin: User }
type WorkerFixtures = { site: Program; window: Browser }

export const test = base.extend<Options & Fixtures, EngineOptions & WorkerFixtures>({
  engine: ['chromium', { option: true, scope: 'worker' }],
  isDark: [false, { option: true, scope: 'worker' }],
  // Without a graphics card animations take much processor time.
  isMotionReduced: [true, { option: true, scope: 'worker' }],
  expectedFaults: [[], { option: true }],
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's pattern
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'respiro-engines-'))
      const file = join(folder, 'respiro.redb')
      copyFileSync(process.env.RESPIRO_TEMPLATE ?? '', file)
      const program = await start(file)
      await use(program)
      await program.stop()
      rmSync(folder, { recursive: true })
    },
    { scope: 'worker' },
  ],
  window: [
    async ({ engine, isDark, isMotionReduced }, use) => {
      const browser = await launch[engine]({ script: pageScript, isDark, isMotionReduced })
      await use(browser)
      await browser.close()
    },
    { scope: 'worker' },
  ],
  user: async ({ window, site, expectedFaults }, use, info) => {
    const driver = await window.open()
    const user = new User(driver, info, site.origin)
    try {
      await use(user)
      if (info.status === info.expectedStatus) await user.expectNoFaults(expectedFaults)
    } finally {
      if (info.status !== info.expectedStatus)
        await user.attachScreenshot('failure').catch(() => null)
      await driver.close()
    }
  },
  /** Signed in, on the list that the panel opens with. */
  admin: async ({ user }, use) => {
    // On a public page: the panel would ask for a session first, which is refused.
    await user.open('/privacy')
    await user.ask('POST', '/api/auth/login', account)
    await user.open('/admin')
    await user.see(heading('Admin Panel'))
    await use(user)
  },
})

export const heading = (name: string): Target => ({ role: 'heading', name })
export const button = (name: string): Target => ({ role: 'button', name })
export const link = (name: string): Target => ({ role: 'link', name })
export const field = (name: string): Target => ({ role: 'textbox', name })
export const dialog = (name?: string): Target =>
  name ? { role: 'dialog', name } : { role: 'dialog' }
export const text = (words: string): Target => ({ text: words })
export const css = (selector: string): Target => ({ css: selector })
export const inside = (parent: Target, target: Target): Target => ({ ...target, inside: parent })
export const inFrame = (target: Target): Target => ({ ...target, inFrame: true })
export const exactly = (target: Target): Target => ({ ...target, exact: true })
export const nth = (target: Target, index: number): Target => ({ ...target, nth: index })

export const desktop = { width: 1366, height: 768 }
export const phone = { width: 390, height: 844 }
