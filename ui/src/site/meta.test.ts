import { expect, it } from 'vitest'
import { settings as settingTable } from '../kinds/kinds.gen'
import { shownWords } from './content/blocks-for-page'
import { eventSchemas } from './event-schema'
import { headMarkup, routeMeta } from './meta'
import type { SiteData } from './page-data'

const empty = Object.fromEntries(Object.keys(settingTable).map((name) => [name, null]))

function siteWith(settings: Record<string, string>): SiteData {
  const all = { ...empty, ...settings } as unknown as SiteData['settings']
  const on = (path: string) => shownWords(path, undefined, all).words
  const data: unknown = {
    publicUrl: 'https://esempio.it',
    demo: false,
    countsVisits: true,
    copiesElsewhere: false,
    requestLog: null,
    showsAsked: false,
    photographed: false,
    settings: all,
    words: { ...on('/eventi'), ...on('/{key}') },
  }
  return data as SiteData
}

const hostile = siteWith({ brand: '"><script>alert(1)</script>', practitioner: '</script><b>' })

it('lets nothing that the practitioner typed become markup', () => {
  const head = headMarkup({ ...routeMeta('eventi', hostile), description: `"'<>&` }, hostile)
  expect(head).not.toContain('<script>alert')
  expect(head).not.toContain('</script><b>')
  expect(head).toContain('content="&quot;&#39;&lt;&gt;&amp;"')
})

it('says title with suffix, address, language and picture', () => {
  const site = siteWith({ brand: 'Respiro' })
  const head = headMarkup(routeMeta('eventi', site), site)
  expect(head).toContain('<title>Eventi | Respiro</title>')
  expect(head).toContain('<link rel="canonical" href="https://esempio.it/eventi">')
  expect(head).toContain('<meta property="og:locale" content="it_IT">')
  expect(head).toMatch(/og:image" content="https:\/\/esempio\.it\/[^"]+\.jpg\?v=[0-9a-z]+"/)
  expect(head).toContain('<meta name="robots" content="index, follow">')
})

// Regression: messaging services showed the former image for weeks.
it('changes the address of the shared picture with what it shows, and never else', () => {
  const addressOf = (settings: Record<string, string>, words: object = {}) => {
    const site = siteWith(settings)
    const own = { ...site.words['seo.eventi'], ...words }
    const told = { ...site, words: { ...site.words, 'seo.eventi': own } as SiteData['words'] }
    return headMarkup(routeMeta('eventi', told), told).match(/og:image" content="([^"]+)"/)?.[1]
  }
  const anna = { practitioner: 'Anna' }
  expect(addressOf(anna)).toBe(addressOf(anna, { description: 'Altro', keywords: 'altre' }))
  const others = [
    addressOf(anna),
    addressOf({ practitioner: 'Anna B.' }),
    addressOf({ ...anna, towns: 'Como' }),
    addressOf(anna, { shareTitle: 'Serate' }),
  ]
  expect(new Set(others).size).toBe(others.length)
})

// Regression: `areaServed` contained Switzerland whatever the content said.
it('says in which countries she works as she says it', () => {
  const site = siteWith({})
  const told = (countries: readonly { id: string; country: string }[]) => {
    const own = { ...site.words['seo.organization'], countries }
    const words = { ...site.words, 'seo.organization': own } as SiteData['words']
    return headMarkup(routeMeta('eventi', site), { ...site, words }).match(/"areaServed":[^\]]*\]/g)
  }
  const italy = { id: '1', country: 'IT' }
  expect(told(site.words['seo.organization'].countries)).toEqual(
    Array(2).fill('"areaServed":["IT","CH"]'),
  )
  expect(told([italy, { ...italy, id: '2' }])).toEqual(Array(2).fill('"areaServed":["IT"]'))
  expect(told([])).toBeNull()
})

it('says of her portrait that it is one, and of whom', () => {
  const site = siteWith({ practitioner: 'Anna Esempio', towns: 'Como' })
  const picture = { social: '/objects/uploads/p1/social.jpg', alt: null }
  const altWith = (practitioner: string | null, settings: object) => {
    const all = { ...site.settings, practitioner, ...settings } as SiteData['settings']
    const words = { ...site.words, 'seo.chi-sono': site.words['seo.eventi'] } as SiteData['words']
    return routeMeta('chi-sono', { ...site, settings: all, words }).ogImage.alt
  }
  expect(altWith('Anna Esempio', { portraitImage: picture })).toBe('Ritratto di Anna Esempio')
  expect(altWith(null, { portraitImage: picture })).toBe('Ritratto')
  const described = { ...picture, alt: 'Anna in giardino' }
  expect(altWith('Anna Esempio', { portraitImage: described })).toBe('Anna in giardino')
})

it('shares the picture that the page shows, from the settings where the page has none', () => {
  const own = { url: '/objects/uploads/p2', social: '/objects/uploads/p2/social.jpg', alt: null }
  const site = siteWith({ practitioner: 'Anna Esempio' })
  const kept = { url: '/objects/uploads/p1', social: '/objects/uploads/p1/social.jpg', alt: null }
  const imageOf = (page: 'home' | 'chi-sono', blocks: object, pictures: object) => {
    const all = { ...site.settings, ...pictures } as SiteData['settings']
    const seo = { [`seo.${page}`]: site.words['seo.eventi'] }
    const words = { ...site.words, ...seo, ...blocks } as SiteData['words']
    return routeMeta(page, { ...site, settings: all, words }).ogImage
  }
  const portrait = { portrait: { picture: own, alt: '' } }
  const drawn = { portrait: { picture: null, alt: '' } }
  const settings = { portraitImage: kept }
  expect(imageOf('chi-sono', { 'chi-sono.hero': portrait }, settings).url).toBe(own.social)
  expect(imageOf('chi-sono', { 'chi-sono.hero': drawn }, settings).url).toBe(kept.social)
  expect(imageOf('chi-sono', { 'chi-sono.hero': portrait }, {}).alt).toBe(
    'Ritratto di Anna Esempio',
  )
  expect(imageOf('chi-sono', { 'chi-sono.hero': drawn }, {}).url).toBe('/social/about.jpg')
  const hero = { pictureOne: { picture: null, alt: '' }, pictureTwo: { picture: own, alt: '' } }
  const home = { 'home.hero': hero, 'home.practitioner': null }
  expect(imageOf('home', home, settings).url).toBe(own.social)
})

it('keeps the not-found screen out of search, without an address', () => {
  const site = siteWith({})
  const head = headMarkup(routeMeta('not-found', site), site)
  expect(head).toContain('<meta name="robots" content="noindex, follow">')
  expect(head).not.toContain('canonical')
})

it('describes an event only where its date was understood', () => {
  const event = {
    id: 'e1',
    title: 'Serata',
    description: null,
    location: 'Online, in videochiamata',
    image: null,
    createdAt: '2025-01-01T00:00:00Z',
    schedule: null,
    mode: null,
    price: null,
    soldOut: false,
    cancelled: false,
  }
  const site = siteWith({})
  expect(eventSchemas(event, site)).toEqual([])
  const schedule = { start: '2027-01-15T20:30:00+01:00', end: null, allDay: false, others: [] }
  expect(eventSchemas({ ...event, schedule }, site)[0]).toMatchObject({
    '@type': 'Event',
    startDate: '2027-01-15T20:30:00+01:00',
    location: { '@type': 'VirtualLocation' },
  })
})
