// The schema.org objects of an event, one for each of its dates. An event without a parsed date or
// without a known place has none, because search engines reject events without a location.

import { readPrice } from '../lib/amount'
import { oneLine } from '../lib/escape-html'
import { isSoldOut } from '../lib/places-left'
import { organizationId } from './organization-schema'
import type { Item, SiteData } from './page-data'

type Event = Pick<
  Item<'events'>,
  | 'id'
  | 'title'
  | 'description'
  | 'schedule'
  | 'location'
  | 'mode'
  | 'price'
  | 'soldOut'
  | 'cancelled'
  | 'image'
  | 'createdAt'
> &
  Partial<Pick<Item<'events'>, 'placesLeft' | 'mapUrl'>>

/** Maximum number of dates of one event in the structured data. */
const timesMax = 31

const modes = {
  'In presenza': 'Offline',
  Online: 'Online',
  'In presenza e online': 'Mixed',
} as const

export function eventSchemas(event: Event, site: SiteData): readonly object[] {
  const { schedule } = event
  if (schedule === null) return []
  const mode = modeOf(event)
  const url = `${site.publicUrl}/evento/${event.id}`
  const location = locationOf(event, mode, url)
  if (location === undefined) return []
  const { settings } = site
  const organizerName = settings.practitioner ?? settings.brand ?? undefined
  return [schedule, ...schedule.others].slice(0, timesMax).map(({ start, end }) => ({
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: event.title,
    description: event.description ? oneLine(event.description) : undefined,
    url,
    startDate: start,
    endDate: end ?? undefined,
    eventStatus: `https://schema.org/Event${event.cancelled ? 'Cancelled' : 'Scheduled'}`,
    eventAttendanceMode: `https://schema.org/${mode}EventAttendanceMode`,
    location,
    image: event.image ? [`${site.publicUrl}${event.image.social}`] : undefined,
    offers: offerOf(event, url),
    remainingAttendeeCapacity: placesOf(event),
    isAccessibleForFree: isFree(event) ? true : undefined,
    performer: settings.practitioner
      ? { '@type': 'Person', name: settings.practitioner }
      : undefined,
    organizer: {
      '@id': organizationId(site),
      '@type': 'Organization',
      name: organizerName,
      url: `${site.publicUrl}/`,
    },
  }))
}

/** The chosen mode; for an event without one, derived from its location. */
function modeOf({ mode, location }: Event): 'Offline' | 'Online' | 'Mixed' {
  if (mode !== null) return modes[mode]
  return /\bonline\b/i.test(location ?? '') ? 'Online' : 'Offline'
}

function placesOf(event: Event): number | undefined {
  if (typeof event.placesLeft !== 'number') return undefined
  return isSoldOut(event) ? 0 : event.placesLeft
}

function locationOf({ location, mapUrl }: Event, mode: string, url: string) {
  const virtual = { '@type': 'VirtualLocation', url }
  if (mode === 'Online') return virtual
  if (!location) return undefined
  const map = mapUrl ? { hasMap: mapUrl } : {}
  const place = { '@type': 'Place', name: location, address: location, ...map }
  return mode === 'Mixed' ? [place, virtual] : place
}

function isFree({ price }: Event): boolean {
  return price === '0'
}

function offerOf(event: Event, url: string) {
  const { price, createdAt } = event
  const soldOut = isSoldOut(event)
  const amount = price === null ? null : readPrice(price)
  const cents = amount?.cents ?? null
  if (cents === null && !soldOut) return undefined
  return {
    '@type': 'Offer',
    url,
    ...(cents === null
      ? {}
      : {
          price: cents % 100 === 0 ? `${cents / 100}` : (cents / 100).toFixed(2),
          priceCurrency: amount?.currency,
        }),
    validFrom: createdAt,
    availability: `https://schema.org/${soldOut ? 'SoldOut' : 'InStock'}`,
  }
}
