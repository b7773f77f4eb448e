// Creates a data file with demonstration content and one account once per run; tests copy it.

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { start } from './program'

export const account = { email: 'anna@example.com', password: 'respiro-lento-e-profondo' }

export default async function template() {
  const folder = mkdtempSync(join(tmpdir(), 'respiro-e2e-'))
  const file = join(folder, 'template.redb')
  const program = await start(file, ['--demo'])
  const token = program.setupLink?.split('#setup=')[1]
  const answer = await fetch(`${program.origin}/api/auth/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: program.origin },
    body: JSON.stringify({ token, ...account }),
  })
  if (!answer.ok) throw new Error(`set-up failed: ${answer.status} ${await answer.text()}`)
  await program.stop()
  process.env.RESPIRO_TEMPLATE = file
}
