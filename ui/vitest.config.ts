// The unit tests stand beside what they test; the browser tests in e2e/ are Playwright's.

import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { include: ['*.test.ts', 'src/**/*.test.{ts,tsx}'] } })
