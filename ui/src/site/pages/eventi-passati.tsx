// The past events, latest first.

import { classNames } from '../../lib/class-names'
import { type PageMeta, routeMeta } from '../meta'
import { found, type Input, type Read, type SiteData, siteOf } from '../page-data'
import { type Addresses, type Part, partMeta, partOf, partSize } from '../pagination'
import { CardGrid } from '../sections/cards/card-grid'
import {
  EventCard,
  type ListedEvent,
  listedEvent,
  listedEventFields,
} from '../sections/cards/event-card'
import { CtaSection } from '../sections/cta-section'
import { ListHeader } from '../sections/list-header'
import { Pager } from '../sections/pager'
import parts from '../sections/shared.module.css'
import { useContent } from '../use-content'
import styles from './eventi.module.css'

type Data = SiteData & { readonly events: readonly ListedEvent[]; readonly part: Part }

const addresses: Addresses = { first: '/eventi/passati', rest: '/eventi/passati/pagina/{n}' }

export const reads: readonly Read[] = [
  {
    name: 'events',
    of: 'events',
    when: 'past',
    how: 'parts',
    size: partSize,
    rest: addresses.rest,
    over: 0,
    fields: listedEventFields,
  },
]

export function slice(input: Input): Data {
  const events = found(input, 'events', 'events')
  return {
    ...siteOf(input),
    events: events.items.map(listedEvent),
    part: partOf(input, events),
  }
}

export function meta(data: Data): PageMeta {
  const list = routeMeta('eventi', data)
  const words = data.words['eventi.past']
  const own = { name: words.title, path: addresses.first }
  const whole = {
    ...list,
    title: own.name,
    description: words.text,
    breadcrumbs: [...(list.breadcrumbs ?? []), own],
  }
  return partMeta(whole, addresses, data.part)
}

type PageProps = { readonly data: Data }

export function Page({ data }: PageProps) {
  const words = useContent('eventi.past')
  const closing = useContent('eventi.closing')
  const back = { href: '/eventi', label: words.back }
  return (
    <>
      <ListHeader title={words.title} text={words.text} back={back} />
      <section class={classNames(parts.band, styles.list)} aria-label={words.title}>
        <div class={parts.wrap}>
          <CardGrid
            items={data.events}
            card={(event, place, index) => (
              <EventCard event={event} place={place} index={index} isPast />
            )}
          />
          <Pager addresses={addresses} part={data.part} />
        </div>
      </section>
      <CtaSection words={closing} isDeep />
    </>
  )
}
