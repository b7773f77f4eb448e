// Runs the same tests in three engines, one worker each. Playwright is the test runner only: `driver.ts` starts the browsers.

import { defineConfig } from '@playwright/test'
import { engines } from './driver'
import type { EngineOptions } from './test'

export default defineConfig<object, EngineOptions>({
  testDir: '.',
  outputDir: '../../target/engines',
  globalSetup: '../e2e/template.ts',
  workers: engines.length,
  forbidOnly: Boolean(process.env.CI),
  reporter: process.env.CI ? 'line' : 'list',
  // As in `playwright.config.ts`; WebKitGTK hangs in one of about forty sessions on a busy machine.
  retries: process.env.CI ? 2 : 0,
  timeout: 120_000,
  projects: engines.map((engine) => ({ name: engine, workers: 1, use: { engine } })),
})
