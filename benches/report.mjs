// Writes the measurements of a bench into its own section of docs/performance.md; the other sections stay unchanged.
//
// A section stands between `<!-- NAME -->` and `<!-- /NAME -->`. With `--write` a bench replaces the section; without
// it the bench only prints the table.

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join, resolve } from 'node:path'

const file = join(resolve(import.meta.dirname, '..'), 'docs/performance.md')

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]

/** Returns rows of text as a Markdown table; the first row is the header. */
export function table(rows) {
  const [head, ...body] = rows
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n')
}

export function machine() {
  return `${cpus().length} cores, ${cpus()[0].model.replace(/\s+/g, ' ').trim()}, Linux ${execFileSync('uname', ['-r'], { encoding: 'utf8' }).trim().split('-')[0]}`
}

/** Prints the section and, with `--write`, writes it into the file. */
export function report(name, text) {
  console.log(text)
  if (!process.argv.includes('--write')) return
  const whole = readFileSync(file, 'utf8')
  const [from, to] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [start, end] = [whole.indexOf(from), whole.indexOf(to)]
  if (start < 0 || end < start) throw new Error(`docs/performance.md has no section ${name}`)
  writeFileSync(file, `${whole.slice(0, start + from.length)}\n\n${text.trim()}\n\n${whole.slice(end)}`)
}
