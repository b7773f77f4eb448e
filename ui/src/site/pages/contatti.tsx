// How to get in touch, and the frequent questions.

import { type IconNode, Mail, MessageCircle, Phone } from 'lucide'
import { WordLink } from '../../primitives/actions'
import { Icon } from '../../primitives/icon'
import landing from '../art/landing.svg'
import { contatti } from '../content/contatti'
import { emailHref, fill, phoneHref, webHref, whatsappHref } from '../content/fill'
import { type SiteData, siteOf } from '../data'
import { routeMeta } from '../meta'
import { Faq } from '../sections/faq'
import { NewTab } from '../sections/links'
import parts from '../sections/parts.module.css'
import styles from './contatti.module.css'

const [phone, email, social] = contatti.cards

type PageProps = { readonly data: SiteData }

export const slice = siteOf

export const meta = (data: SiteData) => routeMeta('contact', data)

export function Page({ data }: PageProps) {
  const { settings } = data
  const [profile, messages] = social.links
  const links = [
    { ...profile, href: webHref('socialUrl', settings) },
    { ...messages, href: whatsappHref(settings) },
  ].filter((link) => link.href !== '')
  const ways = [
    { ...phone, icon: Phone, href: phoneHref(settings) },
    { ...email, icon: Mail, href: emailHref(settings) },
  ].filter((way) => way.href !== '')
  const hasAny = ways.length > 0 || links.length > 0
  return (
    <>
      <section class={styles.opening}>
        <img src={landing} alt="" width={1600} height={900} fetchpriority="high" />
        <div class={`${parts.wrap} ${styles.hello}`}>
          <h1>{contatti.hero.title}</h1>
          <p class={parts.lead}>{contatti.hero.subtitle}</p>
        </div>
      </section>
      {hasAny ? (
        <section class={parts.wrap} aria-label={contatti.hero.title}>
          <ul class={styles.cards}>
            {ways.map((way) => (
              <li key={way.id}>
                <CardHead icon={way.icon} title={way.title} />
                <p class={styles.value}>
                  <a href={way.href}>{fill(way.value, settings)}</a>
                </p>
                <p class={parts.soft}>{way.hint}</p>
              </li>
            ))}
            {links.length > 0 && (
              <li>
                <CardHead icon={MessageCircle} title={social.title} />
                <ul class={styles.links}>
                  {links.map((link) => (
                    <li key={link.id}>
                      <WordLink href={link.href} isExternal>
                        {fill(link.label, settings)}
                        <NewTab />
                      </WordLink>
                    </li>
                  ))}
                </ul>
                <p class={parts.soft}>{social.hint}</p>
              </li>
            )}
          </ul>
          <p class={styles.consultation}>{contatti.consultationNote}</p>
        </section>
      ) : (
        <div class={parts.wrap}>
          <p class={styles.empty}>{contatti.empty}</p>
        </div>
      )}
      <Faq />
    </>
  )
}

type CardHeadProps = { readonly icon: IconNode; readonly title: string }

function CardHead({ icon, title }: CardHeadProps) {
  return (
    <>
      <span class={parts.archIcon}>
        <Icon of={icon} />
      </span>
      <h2>{title}</h2>
    </>
  )
}
