// Creates a data file with the demonstration content and many more items, with the program's own commands.

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { start } from './program.mjs'

/** Returns an id in the store's format: 26 letters and digits of base 32. */
const idOf = (kind, number) => `${kind}${String(number).replace(/\d/g, (digit) => 'abcdefghij'[digit]).padStart(26 - kind.length, 'a')}`

/** Returns the fields in which a copy of an item differs: all that a visitor would notice. */
function differing(kind, item, number) {
  const other = { id: idOf(kind.replace('-', '').slice(0, 4), number) }
  for (const name of ['title', 'name']) if (item[name] !== undefined) other[name] = `${item[name]} ${number}`
  if (item.slug !== undefined) other.slug = `${item.slug}-${number}`
  // Half of the events are over.
  if (item.date !== undefined) other.date = `${(number % 28) + 1} marzo ${number % 2 === 0 ? 2024 : 2028}`
  if (item.sortOrder !== undefined) other.sortOrder = number
  return other
}

/** Fills `data` with the demonstration content and `counts` more items of each kind, such as `{ events: 600 }`. */
export async function grow(binary, data, counts) {
  const folder = join(dirname(data), 'content')
  const seed = join(dirname(data), 'seed.redb')
  const program = await start(binary, seed, ['--demo'])
  await program.stop()
  execFileSync(binary, ['export', '--data', seed, folder], { stdio: 'ignore' })
  const file = join(folder, 'respiro.json')
  const content = JSON.parse(readFileSync(file, 'utf8'))
  for (const [kind, count] of Object.entries(counts)) {
    const patterns = content.items[kind].slice()
    for (let number = 0; number < count; number += 1) {
      const pattern = patterns[number % patterns.length]
      content.items[kind].push({ ...pattern, ...differing(kind, pattern, number) })
    }
  }
  writeFileSync(file, JSON.stringify(content))
  execFileSync(binary, ['import', '--data', data, folder], { stdio: ['ignore', 'ignore', 'inherit'] })
}
