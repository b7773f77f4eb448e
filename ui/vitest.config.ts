// Unit tests are beside the code they test; Playwright runs the browser tests in e2e/.

import { defineConfig } from 'vitest/config'

export default defineConfig({ test: { include: ['*.test.ts', 'src/**/*.test.{ts,tsx}'] } })
