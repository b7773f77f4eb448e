import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'

// The same engine without the parts that only a window needs: a quarter less work.
const headless = '/usr/bin/chromium-headless-shell'
const installed = existsSync(headless) ? headless : '/usr/bin/chromium'

export default defineConfig({
  testDir: 'e2e',
  // With USO set, only the pictures of the practitioner's guide are taken.
  testMatch: process.env.USO
    ? 'uso.screenshots.ts'
    : process.env.HARD_CONTENT
      ? 'hard-content.screenshots.ts'
      : '*.spec.ts',
  outputDir: '../target/playwright',
  globalSetup: './e2e/template.ts',
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  reporter: process.env.CI ? 'line' : 'list',
  // Further tries on a shared machine that may stand still for seconds; the report calls such a test flaky.
  retries: process.env.CI ? 2 : 0,
  // The development build takes its time over pictures.
  timeout: 90_000,
  expect: { timeout: 10_000 },
  use: {
    locale: 'it-IT',
    timezoneId: 'Europe/Rome',
    // Most tests ask for quiet: without a graphics card 44 % of the processor went into drawing what
    // moves and shines through. Those that name it (`motion.ts`) run as most people see the site.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? installed,
      args: [
        '--no-sandbox',
        '--blink-settings=prefersReducedTransparency=true',
        '--disable-gpu',
        // What draws without a graphics card, in the browser's own process: 28 tests took 54 s of processor
        // time, then 50.
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
