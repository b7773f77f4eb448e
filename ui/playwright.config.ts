import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

// The same engine without the code for windows: a quarter less CPU time.
const headless = '/usr/bin/chromium-headless-shell'
const installed = existsSync(headless) ? headless : '/usr/bin/chromium'

export default defineConfig({
  testDir: 'e2e',
  // With USO set, only the screenshots of the practitioner's guide are taken.
  testMatch: process.env.USO
    ? 'uso.screenshots.ts'
    : process.env.SCREENS
      ? 'screens.screenshots.ts'
      : process.env.HARD_CONTENT
        ? 'hard-content.screenshots.ts'
        : '*.spec.ts',
  outputDir: '../target/playwright',
  globalSetup: './e2e/template.ts',
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  reporter: process.env.CI ? 'line' : 'list',
  // Retries for shared machines that may stall for seconds; the report marks such a test as flaky.
  retries: process.env.CI ? 2 : 0,
  // A development build takes long over pictures.
  timeout: 90_000,
  expect: { timeout: 10_000 },
  use: {
    locale: 'it-IT',
    timezoneId: 'Europe/Rome',
    // Most tests reduce motion: without a GPU, animations and transparency took 44 % of the CPU time. Tests with
    // `motion.ts` run with the site's default motion.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? installed,
      args: [
        '--no-sandbox',
        '--blink-settings=prefersReducedTransparency=true',
        '--disable-gpu',
        // Runs the software renderer in the browser's own process: 28
        // tests took 54 s of CPU time before, 50 s with it.
        '--in-process-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
