import { expect, it } from 'vitest'
import phones from '../../../../../../tests/data/phone-numbers.json'
import { blockOf } from './block.fixture'
import {
  blocksLinkingTo,
  isBroken,
  isGone,
  kindOfLink,
  linkOf,
  linksToHidden,
  messagesIn,
  restOf,
  targetOf,
} from './links'

it('says of an address of the site that no page of it is there', () => {
  expect(['/non-esiste', '/non-esiste/', '/non-esiste#qui'].filter(isBroken)).toHaveLength(3)
  const good = ['/', '/servizi', '/servizi/#prezzi', '/privacy?da=menu', '#qui', '', '/feed.xml']
  const unknown = ['/evento/abc', '/contatti?servizio=retreat', 'https://example.com/non-esiste']
  expect([...good, ...unknown].filter(isBroken)).toEqual([])
})

it('tells an event and an article from the pages of the site', () => {
  const kinds = ['/evento/abc', '/blog/respirare-piano#fine', '/eventi', '/blog', '/blog?x'].map(
    kindOfLink,
  )
  expect(kinds).toEqual(['event', 'article', 'page', 'page', 'page'])
  // Until the admin chooses an event or article, there is nothing to open and nothing to publish.
  expect([linkOf('event', ''), targetOf(linkOf('article', ''))]).toEqual(['', null])
  expect([targetOf('/evento/abc'), targetOf('/'), targetOf('https://')]).toEqual([
    '/evento/abc',
    '/',
    null,
  ])
})

// Regression: hiding a section left links to it without a warning.
it('says of a link that the part of a page it leads to is hidden, and which links lead there', () => {
  const isHidden = (id: string) => id === 'flip-cards.business'
  const hidden = ['/rebirthing#aziende', '/rebirthing/#Aziende', '#aziende']
  expect(hidden.filter((href) => linksToHidden(href, isHidden))).toEqual(hidden)
  const seen = ['/rebirthing#sport', '/rebirthing', 'https://example.com/#aziende', '']
  expect(seen.filter((href) => linksToHidden(href, isHidden))).toEqual([])

  const link = { name: 'ctaLink', label: 'Dove porta', type: 'link' } as const
  const list = { name: 'cards', label: 'Schede', type: 'list', fields: [link] } as const
  const cards = hidden.map((ctaLink, index) => ({ id: `${index}`, ctaLink }))
  const home = { ...blockOf([list], { cards }), id: 'home.audiences' }
  const away = { ...home, id: 'home.quote', hidden: true }
  expect(blocksLinkingTo('flip-cards.business', [home, away])).toEqual([
    'home.audiences:cards[0].ctaLink',
    'home.audiences:cards[1].ctaLink',
    'home.audiences:cards[2].ctaLink',
  ])
  expect(blocksLinkingTo('contatti.faq', [home])).toEqual([])
})

it('gives each message an address of its own, and says which is there no more', () => {
  const messages = messagesIn([
    { id: 'retreat', title: 'Ritiro', ask: '' },
    { id: 'f5yxi', title: 'Camminata', ask: '' },
    { title: 'Nuova', ask: '' },
  ])
  // A message keeps its address under a new title.
  expect(messages.map(({ path }) => path)).toEqual([
    '/contatti?servizio=retreat',
    '/contatti?servizio=f5yxi',
    null,
  ])
  const gone = ['sport', 'f5yxi2', 'f5yxi2&x#faq'].map((id) => `/contatti?servizio=${id}`)
  const there = ['retreat', 'f5yxi&x', 'f5yxi#faq'].map((id) => `/contatti?servizio=${id}`)
  const others = ['/contatti', '/contatti?evento=x', '/servizi', '']
  // Links that were saved before the query existed.
  const formerGone = ['/contatti/per/sport', '/contatti/per/f5yxi2', '/contatti/per/f5yxi2/']
  const formerThere = ['/contatti/per/ritiro', '/contatti/per/f5yxi', '/contatti/per/ritiro?x']
  const all = [...gone, ...formerGone, ...there, ...others, ...formerThere]
  expect(all.filter((href) => isGone(href, messages))).toEqual([...gone, ...formerGone])
})

// Regression: without its groups `02 1234 5678` was asked about, and two numbers became one.
it.each(phones.numbers)('the number %j keeps the groups that the server reads', (typed = '') => {
  const isGrouped = !/\p{L}|\u200b|^[\u202a\s]*(?:\+|00)/u.test(typed)
  const rest = restOf(linkOf('phone', typed))
  const digits = (text: string) => text.replace(/\D/g, '')
  expect(linkOf('phone', typed)).toMatch(/^tel:[\d+().-]*$/)
  expect(digits(rest)).toBe(digits(typed))
  const groups = (text: string) => text.split(/\D+/).filter((group) => group !== '')
  if (isGrouped) expect(groups(rest)).toEqual(groups(typed))
})
