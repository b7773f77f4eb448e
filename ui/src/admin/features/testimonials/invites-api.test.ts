import { expect, it } from 'vitest'
import {
  type CreatedInvite,
  daysLeft,
  letter,
  mailHref,
  messengerHref,
  shortMessage,
} from './invites-api'

const made: CreatedInvite = {
  url: 'https://esempio.it/testimonianza/abc',
  request: {
    id: 'x',
    name: 'Marta',
    activity: '',
    state: 'waiting',
    expiresAt: '2026-12-22T10:00:00Z',
    until: '22 dicembre 2026',
    itemId: null,
  },
}
const unnamed: CreatedInvite = { ...made, request: { ...made.request, name: '' } }
const hers = { practitioner: 'Anna Rossi', brand: 'Respiro' }

it('a message greets by name, or without one, and holds the link once', () => {
  expect(shortMessage(made)).toContain('Ciao Marta, grazie per il tempo')
  expect(shortMessage(unnamed)).toContain('Ciao, grazie per il tempo')
  for (const text of [shortMessage(made), letter(made, hers)]) {
    expect(text.split(made.url)).toHaveLength(2)
    expect(text).toContain('22 dicembre 2026')
  }
})

it('a letter is signed with the name, or with that of the site', () => {
  expect(letter(made, hers)).toMatch(/\n\nAnna Rossi\n$/)
  expect(letter(unnamed, { practitioner: '', brand: 'Respiro' })).toMatch(
    /^Ciao,\n[\s\S]*\n\nRespiro\n$/,
  )
})

it('the days that a link has left are those of Italy', () => {
  const left = (now: string) => daysLeft(made.request, Date.parse(now))
  expect(left('2026-11-22T10:00:00Z')).toBe(30)
  // 00:30 in Italy, and still the day before in UTC.
  expect(left('2026-12-20T23:30:00Z')).toBe(1)
  expect(left('2026-12-22T09:00:00Z')).toBe(0)
})

it('signs of addresses and line ends arrive as they were written', () => {
  const text = 'a & b\n100% "x"'
  expect(new URL(messengerHref(text)).searchParams.get('text')).toBe(text)
  expect(new URL(mailHref(text)).searchParams.get('body')).toBe(text.replace('\n', '\r\n'))
})
