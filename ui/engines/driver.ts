// What the tests need from an engine. `User` builds its verbs on these.

import type { Buffer } from 'node:buffer'
import { chromium } from './chromium'
import { firefox } from './firefox'
import { webkit } from './webkit'

export const engines = ['chromium', 'firefox', 'webkit'] as const
export type Engine = (typeof engines)[number]

export type Modifier = 'Control' | 'Shift' | 'Alt' | 'Meta'
export type Size = { readonly width: number; readonly height: number }

/** A window with a profile of its own. Coordinates are CSS pixels of the viewport of the current tab. */
export type Driver = {
  goto: (address: string) => Promise<void>
  back: () => Promise<void>
  /** Evaluates an expression in the top document and returns its JSON value; promises are awaited. */
  evaluate: (expression: string) => Promise<unknown>
  movePointer: (x: number, y: number) => Promise<void>
  pointerButton: (action: 'down' | 'up') => Promise<void>
  type: (text: string) => Promise<void>
  /** Presses a key by its `KeyboardEvent.key`. */
  key: (key: string, modifiers: readonly Modifier[]) => Promise<void>
  /** Chooses files in the `<input type=file>` that the expression returns. */
  setFiles: (input: string, files: readonly string[]) => Promise<void>
  resize: (size: Size) => Promise<void>
  /** Opens a tab and makes it the current one. */
  openTab: () => Promise<void>
  /** Closes the current tab and returns to the one before. */
  closeTab: () => Promise<void>
  screenshot: () => Promise<Buffer>
  close: () => Promise<void>
}

export type Browser = {
  /** Opens a window with a new profile. */
  open: () => Promise<Driver>
  close: () => Promise<void>
}

export type DriverOptions = {
  /** Runs at the start of every document, in all frames. */
  readonly script: string
  readonly isDark: boolean
  readonly isMotionReduced: boolean
}

export const launch: Record<Engine, (options: DriverOptions) => Promise<Browser>> = {
  chromium,
  firefox,
  webkit,
}
