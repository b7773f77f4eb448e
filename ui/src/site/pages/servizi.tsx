// The services page: six offers, what to expect from them, three packages.

import { Icon } from '../../primitives/icon'
import type { Words } from '../content/blocks'
import { serviceLabels as labels } from '../fixed-messages/control-labels'
import { type PageMeta, routeMeta } from '../meta'
import { organizationId } from '../organization-schema'
import { type SiteData, siteOf } from '../page-data'
import { ServiceCard } from '../sections/cards/service-card'
import { Collapsible } from '../sections/collapsible'
import { HeroImage } from '../sections/media/hero-image'
import { Pricing } from '../sections/pricing'
import parts from '../sections/shared.module.css'
import { useContent } from '../use-content'
import styles from './servizi.module.css'

export const slice = siteOf

export const meta = (data: SiteData): PageMeta => ({
  ...routeMeta('servizi', data),
  structured: data.words['servizi.offers'].offers.map((offer) => offerObject(offer, data)),
})

type Offer = Words['servizi.offers']['offers'][number]

/** The schema.org object of an offer, with the price that the page shows. */
function offerObject({ id, title, description, price }: Offer, site: SiteData): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'Service',
    name: title,
    description,
    provider: { '@id': organizationId(site) },
    offers: {
      '@type': 'Offer',
      url: `${site.publicUrl}/servizi#${id}`,
      price: (price.cents / 100).toFixed(2),
      priceCurrency: price.currency,
    },
  }
}

export function Page() {
  return (
    <>
      <Opening />
      <Offers />
      <Expectations />
      <Pricing />
    </>
  )
}

function Opening() {
  const words = useContent('servizi.hero')
  const { offers } = useContent('servizi.offers')
  return (
    <section class={styles.opening}>
      <div class={`${parts.wrap} ${styles.hello}`}>
        <h1>{words.title}</h1>
        <p class={parts.lead}>{words.subtitle}</p>
      </div>
      {words.picture.picture && (
        <div class={parts.wrap}>
          <HeroImage picture={words.picture.picture} shape="band" />
        </div>
      )}
      <nav class={`${parts.wrap} ${styles.breath}`} aria-label={words.title}>
        <svg viewBox="0 0 1200 200" preserveAspectRatio="none" aria-hidden="true">
          <path d="M-100 160C0 160 0 40 100 40S200 160 300 160 400 40 500 40 600 160 700 160 800 40 900 40 1000 160 1100 160 1200 40 1300 40" />
        </svg>
        <ol>
          {offers.map((service) => (
            <li class={parts[service.color]} key={service.id}>
              <a href={`#${service.id}`}>
                <span class={styles.sun}>
                  <Icon of={service.icon} />
                </span>
                <span class={styles.name}>{service.title}</span>
              </a>
            </li>
          ))}
        </ol>
      </nav>
    </section>
  )
}

function Offers() {
  const { intro, offers } = useContent('servizi.offers')
  const more = useContent('servizi.more')
  return (
    <section class={parts.band}>
      <div class={parts.wrap}>
        <p class={`${parts.lead} ${styles.intro}`}>{intro}</p>
        <div class={styles.services}>
          {offers.map((service) => (
            <ServiceCard service={service} key={service.id} />
          ))}
        </div>
        {more && (
          <>
            <h2 class={styles.moreTitle}>{more.title}</h2>
            <ul class={styles.more}>
              {more.items.map((item) => (
                <li key={item.id}>
                  <span class={styles.moreIcon}>
                    <Icon of={item.icon} />
                  </span>
                  <h3>{item.title}</h3>
                  <Collapsible label={labels.open.replace('{title}', () => item.title)}>
                    <p class={parts.soft}>{item.text}</p>
                  </Collapsible>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </section>
  )
}

function Expectations() {
  const words = useContent('servizi.expectations')
  if (words === null) return null
  return (
    <section class={`${parts.band} ${parts.deepPaper}`}>
      <div class={parts.wrap}>
        <header class={styles.expectHeader}>
          <h2 class={parts.title}>{words.title}</h2>
          <p class={parts.lead}>{words.intro}</p>
        </header>
        <ol class={styles.blocks}>
          {words.blocks.map((block) => (
            <li key={block.id}>
              <span class={styles.blockIcon}>
                <Icon of={block.icon} />
              </span>
              <h3>{block.title}</h3>
              <Collapsible label={labels.open.replace('{title}', () => block.title)}>
                <p>{block.text}</p>
                <ul class={styles.points}>
                  {block.items.map((item) => (
                    <li key={item.id}>{item.text}</li>
                  ))}
                </ul>
              </Collapsible>
            </li>
          ))}
        </ol>
        {words.note && <p class={parts.note}>{words.note}</p>}
      </div>
    </section>
  )
}
