// Chromium by the Chrome DevTools Protocol.

import { existsSync } from 'node:fs'
import type { Browser, DriverOptions } from './driver'
import { puppeteerBrowser } from './puppeteer-driver'

const headlessShell = '/usr/bin/chromium-headless-shell'
const installed = existsSync(headlessShell) ? headlessShell : '/usr/bin/chromium'

export function chromium({ script, isDark, isMotionReduced }: DriverOptions): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-gpu', '--lang=it-IT', '--accept-lang=it-IT']
  if (isDark) args.push('--blink-settings=preferredColorScheme=0')
  if (isMotionReduced) args.push('--force-prefers-reduced-motion')
  return puppeteerBrowser({ executablePath: process.env.CHROMIUM ?? installed, args }, script)
}
