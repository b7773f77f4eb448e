// An SMTP server for tests; it accepts one message after another.

import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { start } from './program'
import { type AtEnd, account, expect } from './test'

export type MailServer = { server: Server; port: number }

/** `refuses` returns the SMTP reply for a recipient that the server rejects, or null. */
export async function mailServer(
  onMessage: (text: string) => void,
  refuses: (receiver: string) => string | null = () => null,
): Promise<MailServer> {
  const server = createServer((socket) => {
    let heard = ''
    let isMessage = false
    socket.write('220 tests\r\n')
    socket.on('data', (chunk) => {
      heard += chunk
      const end = heard.indexOf(isMessage ? '\r\n.\r\n' : '\r\n')
      if (end < 0) return
      if (isMessage) onMessage(heard.slice(0, end).replaceAll('=\r\n', '').replaceAll('=3D', '='))
      isMessage = !isMessage && heard.startsWith('DATA')
      const refused = heard.startsWith('RCPT') ? refuses(heard) : null
      heard = ''
      socket.write(isMessage ? '354 go on\r\n' : `${refused ?? '250 fine'}\r\n`)
    })
    socket.on('error', () => socket.destroy())
  })
  return { server, port: await portOf(server) }
}

function portOf(server: Server): Promise<number> {
  return new Promise((done) =>
    server.listen(0, '127.0.0.1', () => done((server.address() as AddressInfo).port)),
  )
}

export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await portOf(server)
  await new Promise((done) => server.close(done))
  return port
}

/** Command-line options to send mail through this server, from a public URL that messages can name. */
export function mailOptions(mail: MailServer, origin: string): string[] {
  const smtp = `smtp+plain://127.0.0.1:${mail.port}`
  return ['--public-url', origin, '--mail-from', 'sito@example.org', '--smtp-url', smtp]
}

/** Starts an empty site that sends mail, and signs in as its first account. Returns its origin. */
export async function startWithMail(
  page: Page,
  folder: string,
  atEnd: AtEnd,
  onMessage: (text: string) => void,
): Promise<string> {
  const mail = await mailServer(onMessage)
  atEnd(() => mail.server.close())
  const origin = `http://127.0.0.1:${await freePort()}`
  const options = mailOptions(mail, origin)
  const program = await start(join(folder, 'respiro.redb'), options, origin.slice('http://'.length))
  atEnd(program.stop)
  const token = /setup=(\w+)/.exec(program.setupLink ?? '')?.[1]
  const made = await page.request.post(`${origin}/api/auth/setup`, {
    data: { token, ...account },
    headers: { origin },
  })
  expect(made.status()).toBe(200)
  return origin
}
