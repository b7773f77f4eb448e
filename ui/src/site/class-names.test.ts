import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const sources = dirname(import.meta.dirname)

function components(): string[] {
  return ['site', 'primitives'].flatMap((folder) =>
    readdirSync(join(sources, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.tsx'))
      .map((path) => join(folder, path)),
  )
}

// Regression: a component used a class whose rule was deleted, and «Altri articoli» touched the
// cards below it.
test('every class that a component names stands in its style sheet', () => {
  let seen = 0
  for (const path of components()) {
    const source = readFileSync(join(sources, path), 'utf8')
    for (const [, name, sheet = ''] of source.matchAll(
      /import (\w+) from '([^']+\.module\.css)'/g,
    )) {
      const rules = readFileSync(join(sources, dirname(path), sheet), 'utf8')
      const uses = source.matchAll(new RegExp(`[^\\w/.-]${name}\\.(?!module)(\\w+)`, 'g'))
      for (const [, used] of uses) {
        seen += 1
        expect(rules, `${path} names .${used}`).toMatch(new RegExp(`\\.${used}\\b`))
      }
    }
  }
  expect(seen).toBeGreaterThan(200)
})
