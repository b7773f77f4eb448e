// Tests double opt-in for the reader: the form, the message, the page behind the link, the button.

import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { italian } from './italian'
import { freePort, mailOptions, mailServer } from './mail-server'
import { start } from './program'
import { expect, expectAccessible, test } from './test'

async function hydrated(page: Page) {
  await expect(page.locator('html[data-hydrated]')).toHaveCount(1)
}

test('an address is confirmed by the button behind the link of a message', async ({
  page,
  folder,
  atEnd,
}) => {
  let told: (text: string) => void
  const message = new Promise<string>((done) => {
    told = done
  })
  const mail = await mailServer((text) => told(text))
  atEnd(() => mail.server.close())
  const origin = `http://127.0.0.1:${await freePort()}`
  const options = mailOptions(mail, origin)
  const program = await start(join(folder, 'respiro.redb'), options, origin.slice('http://'.length))
  atEnd(program.stop)

  await page.goto(`${origin}/blog`)
  await hydrated(page)
  await page.getByLabel(italian.indirizzoEMail).fill('zoe@example.com')
  await page.getByRole('button', { name: italian.iscriviti }).click()
  await expect(page.getByText('apri il collegamento che contiene per confermare')).toBeVisible()

  const link = /http:\S+\/conferma\/\S+/.exec(await message)?.[0] ?? ''
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1, name: 'Conferma l’iscrizione' })).toBeVisible()
  await hydrated(page)
  await expect(page.getByRole('button', { name: italian.accettaTutti })).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Conferma l’iscrizione' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Iscrizione confermata' })).toBeVisible()
  await hydrated(page)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Vai al blog' }).click()
  await expect(page).toHaveURL(`${origin}/blog`)
})
