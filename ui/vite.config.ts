// Builds the two browser programs (site, panel), and the renderer that QuickJS runs on publishing.

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'
import { scriptTarget, styleTarget } from './browser-floor.ts'
import { devServer } from './dev-server.ts'
import { guide } from './guide-plugin.ts'
import { plainRules } from './plain-rules.ts'
import { rulesOf } from './style-rules.ts'

const out = resolve(process.env.UI_OUT ?? 'dist')

// Replaces zustand's `import React from 'react'`, which would keep the whole
// compat object in the bundle, by the three hooks that zustand uses.
const zustandReact: Plugin = {
  name: 'zustand-react',
  enforce: 'pre',
  resolveId: (id, importer) =>
    importer?.includes('/zustand/') && (id === 'react' || id.includes('preact/compat'))
      ? '\0zustand-react'
      : null,
  load: (id) =>
    id === '\0zustand-react'
      ? "import { useCallback, useDebugValue, useSyncExternalStore } from 'preact/compat';" +
        'export { useCallback, useDebugValue, useSyncExternalStore };' +
        'export default { useCallback, useDebugValue, useSyncExternalStore };'
      : null,
}

// Replaces a CommonJS shim that wouter depends on by the hook of preact/compat.
const storeShim: Plugin = {
  name: 'use-sync-external-store',
  enforce: 'pre',
  resolveId: (id) => (id.startsWith('use-sync-external-store/shim') ? '\0store-shim' : null),
  load: (id) =>
    id === '\0store-shim' ? "export { useSyncExternalStore } from 'preact/compat'" : null,
}

// Replaces Preact in the renderer, which renders each page once, by a smaller and faster implementation.
const drawnOnce: Plugin = {
  name: 'drawn-once',
  apply: 'build',
  enforce: 'pre',
  resolveId(id) {
    const isPreact = /^preact(-render-to-string|\/(hooks|compat|jsx-runtime))?$/.test(id)
    return isPreact && this.environment.name === 'ssr' ? resolve('src/lib/ssr-preact.ts') : null
  },
}

// Writes the definitions of the content blocks, which are beside the components, as JSON for the binary.
const wordDefinitions: Plugin = {
  name: 'word-definitions',
  apply: 'build',
  writeBundle({ dir = out }) {
    if (this.environment.name !== 'ssr') return
    const context = createContext({})
    runInContext(readFileSync(resolve(dir, 'server.js'), 'utf8'), context)
    const definitions: string = runInContext('respiro.definitions()', context)
    writeFileSync(resolve(out, 'words.json'), definitions)
  },
}

// Writes the list of common passwords for the binary. Sorting makes it compress to two thirds.
const commonPasswords: Plugin = {
  name: 'common-passwords',
  apply: 'build',
  writeBundle() {
    if (this.environment.name !== 'ssr') return
    const file = 'node_modules/@zxcvbn-ts/language-common/src/passwords.json'
    const passwords: string[] = JSON.parse(readFileSync(file, 'utf8'))
    const text = passwords.sort().join('\n')
    writeFileSync(resolve(out, 'common-passwords.txt.gz'), gzipSync(text, { level: 9 }))
  },
}

// Writes the rules from which the binary selects those that the first paint of a page needs.
const styleRules: Plugin = {
  name: 'style-rules',
  apply: 'build',
  writeBundle({ dir = out }, bundle) {
    if (this.environment.name !== 'client') return
    const sheet = Object.keys(bundle).find((name) => /\/style-[\w-]+\.css$/.test(name))
    if (sheet === undefined) throw new Error('the client build has no style sheet')
    const rules = JSON.stringify(rulesOf(readFileSync(resolve(dir, sheet), 'utf8')))
    writeFileSync(resolve(out, 'style-rules.json.gz'), gzipSync(rules, { level: 9 }))
  },
}

// Compresses assets at the highest level, because they never change under their hashed name. The binary contains only
// the compressed forms, and unpacks the plain one at start-up.
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  writeBundle({ dir = out }, bundle) {
    const isRenderer = this.environment.name === 'ssr'
    for (const name of Object.keys(bundle).filter((name) => /\.(js|css|svg)$/.test(name))) {
      const file = resolve(dir, name)
      const bytes = readFileSync(file)
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      }
      if (!isRenderer) writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }))
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
      rmSync(file)
    }
  },
}

const styleSheets = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.module.css'))
  .map((path) => resolve('src', path))
  .sort()
const classes = new Map<string, string[]>()

/**
 * Returns a class name made of the number of its file and its number within, equal in every environment and build.
 * Short names matter: class names are an eighth of a compressed style sheet.
 */
function shortName(name: string, path: string): string {
  const file = styleSheets.indexOf(path.split('?')[0] ?? '')
  if (file === -1) throw new Error(`${path} is not among the style sheets of src`)
  const known = classes.get(path) ?? []
  classes.set(path, known)
  const at = known.indexOf(name)
  const own = at === -1 ? known.push(name) - 1 : at
  return `${inLetters(file)}${own.toString(36)}`
}

/**
 * Writes a number in capital letters: a class name must not begin
 * with a digit, and the end of the file number must be clear.
 */
function inLetters(number: number): string {
  const letter = String.fromCharCode(65 + (number % 26))
  return number < 26 ? letter : inLetters(Math.floor(number / 26) - 1) + letter
}

export default defineConfig(({ command }) => ({
  css: {
    postcss: { plugins: [plainRules] },
    ...(command === 'build' ? { modules: { generateScopedName: shortName } } : {}),
  },
  plugins: [
    zustandReact,
    storeShim,
    drawnOnce,
    wordDefinitions,
    commonPasswords,
    styleRules,
    compressed,
    guide,
    devServer,
  ],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: {
    alias: [
      { find: 'react/jsx-runtime', replacement: 'preact/jsx-runtime' },
      { find: /^react(-dom)?$/, replacement: 'preact/compat' },
    ],
  },
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  builder: {
    async buildApp(builder) {
      for (const environment of Object.values(builder.environments)) {
        await builder.build(environment)
      }
    },
  },
  environments: {
    // One style sheet for the whole site, and shared code in one script: on a
    // slow connection a request costs more than the bytes of another page.
    client: {
      build: {
        outDir: resolve(out, 'client'),
        emptyOutDir: true,
        manifest: true,
        modulePreload: { polyfill: false },
        assetsInlineLimit: 0,
        cssCodeSplit: false,
        target: scriptTarget,
        cssTarget: styleTarget,
        rolldownOptions: {
          input: { site: 'src/entry-site.tsx' },
          output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 2 }] } },
        },
      },
    },
    // A separate build, so that panel and site share no chunk.
    panel: {
      consumer: 'client',
      build: {
        outDir: resolve(out, 'client'),
        emptyOutDir: false,
        copyPublicDir: false,
        modulePreload: { polyfill: false },
        assetsInlineLimit: 0,
        target: scriptTarget,
        cssTarget: styleTarget,
        rolldownOptions: {
          input: { admin: 'admin.html' },
          // The entry and all that it imports: split by who else imports them, the same modules compress worse.
          output: { codeSplitting: { groups: [{ name: 'panel', test: /\/src\/entry-admin/ }] } },
        },
      },
    },
    ssr: {
      resolve: { noExternal: true },
      build: {
        outDir: resolve(out, 'server'),
        emptyOutDir: true,
        ssr: true,
        // Keeps names, so that a stack trace of a failed publication names its component.
        minify: false,
        // The client build writes the files; both builds must use the same names.
        emitAssets: false,
        assetsInlineLimit: 0,
        copyPublicDir: false,
        target: 'es2022',
        rolldownOptions: {
          input: { server: 'src/entry-server.tsx' },
          // Runs as a plain script: it sets `globalThis.respiro` and exports nothing.
          output: {
            format: 'iife',
            entryFileNames: '[name].js',
            codeSplitting: false,
            minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
          },
        },
      },
    },
  },
}))
