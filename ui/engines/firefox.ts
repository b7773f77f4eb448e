// Firefox by WebDriver BiDi.

import type { Browser, DriverOptions } from './driver'
import { puppeteerBrowser } from './puppeteer-driver'

const executablePath = process.env.FIREFOX ?? '/usr/bin/firefox-esr'

export function firefox({ script, isDark, isMotionReduced }: DriverOptions): Promise<Browser> {
  const extraPrefsFirefox = {
    'intl.accept_languages': 'it-IT',
    // 0 is dark, 1 is light.
    'layout.css.prefers-color-scheme.content-override': isDark ? 0 : 1,
    'ui.prefersReducedMotion': isMotionReduced ? 1 : 0,
    // Without it `document.hasFocus()` is false in a window that the window manager has not activated, and the editors
    // behave as in a background tab.
    'focusmanager.testmode': true,
  }
  return puppeteerBrowser({ browser: 'firefox', executablePath, extraPrefsFirefox }, script)
}
