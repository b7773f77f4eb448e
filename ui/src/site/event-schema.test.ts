// Tests the structured data against Google's requirements for events:
// https://developers.google.com/search/docs/appearance/structured-data/event

import { expect, it } from 'vitest'
import { eventSchemas } from './event-schema'
import type { Item, SiteData } from './page-data'

const required = ['name', 'startDate', 'location'] as const
const recommended = [
  'description',
  'endDate',
  'eventStatus',
  'eventAttendanceMode',
  'image',
  'offers',
  'organizer',
  'performer',
] as const
const ofOffer = ['availability', 'price', 'priceCurrency', 'url', 'validFrom'] as const
const ofOrganizer = ['name', 'url'] as const

const site = {
  publicUrl: 'https://esempio.it',
  demo: false,
  countsVisits: true,
  copiesElsewhere: false,
  requestLog: null,
  showsAsked: false,
  photographed: false,
  settings: { brand: 'Respiro', practitioner: 'Anna Bianchi' },
} as unknown as SiteData

const whole = {
  id: 'e',
  title: 'Cerchio di respiro',
  description: 'Una sera insieme.',
  location: 'Sala Grande, Como',
  mode: 'In presenza',
  price: '45,50',
  soldOut: false,
  cancelled: false,
  image: { social: '/social/e.jpg' },
  createdAt: '2026-11-21T10:00:00.000Z',
  schedule: {
    start: '2027-03-02T19:00:00+01:00',
    end: '2027-03-02T21:00:00+01:00',
    allDay: false,
    others: [{ start: '2027-03-09T19:00:00+01:00', end: '2027-03-09T21:00:00+01:00' }],
  },
} as unknown as Item<'events'>

type Told = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>
const told = (more: Partial<Item<'events'>> = {}) =>
  eventSchemas({ ...whole, ...more }, site) as unknown as readonly Told[]

it('tells engines every required and every recommended property, once for each time', () => {
  const objects = told()
  expect(objects.map((object) => object.startDate)).toEqual([
    '2027-03-02T19:00:00+01:00',
    '2027-03-09T19:00:00+01:00',
  ])
  for (const object of objects) {
    for (const name of [...required, ...recommended]) expect(object[name], name).toBeDefined()
    for (const name of ofOffer) expect(object.offers?.[name], name).toBeDefined()
    for (const name of ofOrganizer) expect(object.organizer?.[name], name).toBeDefined()
    expect(object.location).toMatchObject({ '@type': 'Place', name: 'Sala Grande, Como' })
    expect(object.location?.address).toBeDefined()
  }
  expect(objects[0]?.offers).toMatchObject({
    price: '45.50',
    priceCurrency: 'EUR',
    availability: 'https://schema.org/InStock',
  })
})

it('says online, in presence or both', () => {
  const [online] = told({ mode: 'Online', location: null })
  expect(online?.eventAttendanceMode).toBe('https://schema.org/OnlineEventAttendanceMode')
  expect(online?.location).toMatchObject({ '@type': 'VirtualLocation' })
  const [both] = told({ mode: 'In presenza e online' })
  expect(both?.eventAttendanceMode).toBe('https://schema.org/MixedEventAttendanceMode')
  expect(both?.location).toMatchObject([{ '@type': 'Place' }, { '@type': 'VirtualLocation' }])
})

it('says that it is called off, and that it is full', () => {
  expect(told({ cancelled: true })[0]?.eventStatus).toBe('https://schema.org/EventCancelled')
  const [full] = told({ soldOut: true, price: null })
  expect(full?.offers).toMatchObject({ availability: 'https://schema.org/SoldOut' })
  const [both] = told({ cancelled: true, soldOut: true })
  expect(both?.eventStatus).toBe('https://schema.org/EventCancelled')
  // Search engines expect the planned date of a cancelled event.
  expect(both?.startDate).toBe('2027-03-02T19:00:00+01:00')
  expect(both?.offers).toMatchObject({ price: '45.50', validFrom: '2026-11-21T10:00:00.000Z' })
})

it('says how many places are left and where the map is, and nothing of either without them', () => {
  const [none] = told({ placesLeft: null, mapUrl: null })
  expect(JSON.stringify(none)).toBe(JSON.stringify(told()[0]))
  const [some] = told({ placesLeft: 8, mapUrl: 'https://mappa.example/como' })
  expect(some?.remainingAttendeeCapacity).toBe(8)
  expect(some?.offers).toMatchObject({ availability: 'https://schema.org/InStock' })
  expect(some?.location).toMatchObject({ hasMap: 'https://mappa.example/como' })
  const [last] = told({ placesLeft: 0, price: null })
  expect(last?.remainingAttendeeCapacity).toBe(0)
  expect(last?.offers).toMatchObject({ availability: 'https://schema.org/SoldOut' })
  // The switch says it although the number was not changed.
  expect(told({ placesLeft: 3, soldOut: true })[0]?.remainingAttendeeCapacity).toBe(0)
})

it('says that it costs nothing', () => {
  const [free] = told({ price: '0' })
  expect(free?.offers).toMatchObject({ price: '0', priceCurrency: 'EUR' })
  expect(free?.isAccessibleForFree).toBe(true)
  expect(told()[0]?.isAccessibleForFree).toBeUndefined()
})

const times = { start: '2027-03-02', end: null, allDay: true, others: [] }

/** All combinations of mode, price, dates and state. */
const ways = ['In presenza', 'Online', 'In presenza e online'] as const
const prices = [null, '0', '45', '45,50', '45,50 CHF'] as const
const schedules = [whole.schedule, times] as unknown as readonly Item<'events'>['schedule'][]
const all = ways.flatMap((mode) =>
  prices.flatMap((price) =>
    schedules.flatMap((schedule) =>
      [true, false].flatMap((soldOut) =>
        [true, false].map((cancelled) => ({ mode, price, schedule, soldOut, cancelled })),
      ),
    ),
  ),
)
const moment = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?([+-]\d\d:\d\d|Z))?$/

it('holds only values that engines know, however an event is', () => {
  for (const more of all)
    for (const object of told(more)) {
      const what = JSON.stringify(more)
      for (const name of required) expect(object[name], what).toBeTruthy()
      expect(object.startDate, what).toMatch(moment)
      if (object.endDate !== undefined) expect(object.endDate, what).toMatch(moment)
      expect(object.eventStatus, what).toMatch(
        /^https:\/\/schema\.org\/Event(Scheduled|Cancelled)$/,
      )
      expect(object.eventAttendanceMode, what).toMatch(
        /\/(Offline|Online|Mixed)EventAttendanceMode$/,
      )
      const places = [object.location].flat() as unknown as Told[]
      for (const place of places) {
        if (place['@type'] === ('VirtualLocation' as never)) expect(place.url, what).toBeTruthy()
        else for (const name of ['name', 'address']) expect(place[name], what).toBeTruthy()
      }
      const offer = object.offers
      if (offer === undefined) continue
      expect(offer.availability, what).toMatch(/^https:\/\/schema\.org\/(InStock|SoldOut)$/)
      if (offer.price !== undefined) {
        expect(offer.price, what).toMatch(/^\d+(\.\d\d)?$/)
        expect(offer.priceCurrency, what).toBe(more.price?.includes('CHF') ? 'CHF' : 'EUR')
      }
      expect(offer.validFrom, what).toMatch(/^\d{4}-\d\d-\d\dT/)
    }
})

it('says nothing that engines would refuse', () => {
  expect(told({ location: null })).toEqual([])
  expect(told({ schedule: null })).toEqual([])
})
