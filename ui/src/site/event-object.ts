// An event as schema.org knows it: only where its free date was understood.

import type { Item, SiteData } from './data'
import { organizationId } from './organization'

type Event = Pick<
  Item<'events'>,
  'id' | 'title' | 'description' | 'schedule' | 'location' | 'image' | 'updatedAt'
>

export function eventObject(event: Event, site: SiteData): object | null {
  if (event.schedule === null) return null
  const isOnline = /\bonline\b/i.test(event.location ?? '')
  const url = `${site.publicUrl}/evento/${event.id}`
  return {
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: event.title,
    description: event.description ?? undefined,
    url,
    startDate: event.schedule.start,
    endDate: event.schedule.end ?? undefined,
    eventStatus: 'https://schema.org/EventScheduled',
    eventAttendanceMode: `https://schema.org/${isOnline ? 'Online' : 'Offline'}EventAttendanceMode`,
    location: isOnline
      ? { '@type': 'VirtualLocation', url }
      : event.location
        ? { '@type': 'Place', name: event.location, address: event.location }
        : undefined,
    image: event.image ? [`${site.publicUrl}${event.image.social}`] : undefined,
    organizer: { '@id': organizationId(site) },
  }
}
