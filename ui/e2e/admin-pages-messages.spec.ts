// Tests of the prepared messages of buttons: each has an address of its own, those that the admin adds too.

import type { Page } from '@playwright/test'
import { ask, expect } from './admin-kit'
import { originOf } from './admin-screen'
import { italian } from './italian'
import { drawnMs, publicText, publish, reset, test } from './pages-kit'

const MESSAGES = '/api/admin/words/contatti.messages'

type Messages = { value: { asks: { id?: string; title: string; ask: unknown }[] } }

/** Publishes messages as the panel does: a new message has no id. */
async function write(
  panel: Page,
  change: (asks: Messages['value']['asks']) => Messages['value']['asks'],
) {
  const { value } = await ask<Messages>(panel, 'GET', MESSAGES)
  const asks = change(value.asks)
  return ask<Messages>(panel, 'PUT', MESSAGES, { value: { ...value, asks } })
}

async function openLink(panel: Page) {
  const place = encodeURIComponent('servizi.offers:offers[0].ctaLink')
  await panel.goto(`${originOf(panel)}/admin#/pagine/servizi/${place}`)
  await panel.reload()
  const select = panel.locator('[id="w-servizi.offers-offers-0-ctaLink-page"]')
  await expect(select).toBeVisible({ timeout: drawnMs })
  return select
}

test('a button leads to a message that she has added, and says when it is gone', async ({
  panel,
}) => {
  const written = await write(panel, (asks) => [
    ...asks,
    { title: 'Camminata del respiro', ask: 'vorrei partecipare alla camminata.' },
    // Two messages with the same title get different addresses.
    { title: 'Camminata del respiro', ask: 'vorrei la camminata di notte.' },
  ])
  const added = written.value.asks.slice(-2).map(({ id }) => `/contatti?servizio=${id}`)
  const select = await openLink(panel)
  await expect(select).toHaveValue('/contatti?servizio=individual')
  const messages = select.getByRole('group', { includeHidden: true }).locator('option')
  await expect(messages).toHaveCount(14)
  await expect(messages.first()).toHaveText('Messaggio: Sessione individuale')
  await select.selectOption(added[1] ?? '')
  await publish(panel)
  const services = await publicText(panel, '/servizi')
  expect(services).toContain(`href="${added[1]}"`)
  expect(await publicText(panel, added[1] ?? '')).toMatch(
    /Hai scelto: Camminata del respiro, 95\s€[\s\S]*la camminata di notte/,
  )
  expect(await publicText(panel, added[0] ?? '')).toContain('Hai scelto: Camminata del respiro<')
  expect(await publicText(panel, '/sitemap.xml')).not.toContain('/contatti?')

  await write(panel, (asks) => asks.slice(0, -1).filter(({ id }) => id !== 'retreat'))
  expect(await publicText(panel, added[0] ?? '')).toContain('Hai scelto: Camminata del respiro<')
  // The address of a message may be linked anywhere, so after its deletion it still leads to the page.
  for (const gone of [added[1] ?? '', '/contatti?servizio=retreat', '/contatti/per/ritiro'])
    expect(await publicText(panel, gone)).toContain('"choice":null')
  await openLink(panel)
  // The retreat's own button has lost its message as well.
  const hint = select
    .locator('xpath=..')
    .getByText("Il messaggio già pronto a cui porta non c'è più.")
  await expect(hint).toBeVisible()
  await select.selectOption({ label: 'Messaggio: Sessione online' })
  await expect(hint).toHaveCount(0)
  await panel.getByRole('button', { name: /^Annulla: / }).click()
  await expect(hint).toBeVisible()
  for (const id of ['contatti.messages', 'servizi.offers']) await reset(panel, id)
})

test('a message can be chosen once it is published, and is said so before', async ({ panel }) => {
  await panel.goto(`${originOf(panel)}/admin#/pagine/contatti/contatti.messages%3A`)
  const aside = panel.getByRole('complementary')
  const list = aside.locator('[id="w-contatti.messages-asks"]')
  await list
    .getByRole('button', { name: 'Aggiungi', exact: true })
    .last()
    .click({ timeout: drawnMs })
  await aside.locator('[id="w-contatti.messages-asks-12-title"]').fill('Passeggiata')
  await aside.locator('[id="w-contatti.messages-asks-12-ask"]').fill('vorrei passeggiare.')
  await panel.getByRole('button', { name: italian.pubblica, exact: true }).focus()
  const place = encodeURIComponent('servizi.offers:offers[0].ctaLink')
  await panel.goto(`${originOf(panel)}/admin#/pagine/servizi/${place}`)
  const select = panel.locator('[id="w-servizi.offers-offers-0-ctaLink-page"]')
  const waiting = select.locator('option', { hasText: 'Passeggiata' })
  await expect(waiting).toHaveText('Messaggio: Passeggiata (dopo la pubblicazione)', {
    timeout: drawnMs,
  })
  await expect(waiting).toBeDisabled()
  await publish(panel)
  await expect(waiting).toHaveText('Messaggio: Passeggiata')
  await expect(waiting).toBeEnabled()
  await reset(panel, 'contatti.messages')
})
