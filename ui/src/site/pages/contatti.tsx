// How to get in touch, and the frequent questions.

import { type IconNode, Mail, MessageCircle, Phone } from 'lucide'
import { PillLink, WordLink } from '../../primitives/actions'
import { Icon } from '../../primitives/icon'
import landing from '../art/landing.svg'
import { type Choice, chosenByKey } from '../choice'
import { choices } from '../content/choices'
import { contatti } from '../content/contatti'
import { emailHref, fill, phoneHref, webHref, whatsappHref } from '../content/fill'
import { type Input, type SiteData, siteOf } from '../data'
import { type PageMeta, routeMeta } from '../meta'
import { Faq } from '../sections/faq'
import { ButtonLink, NewTab } from '../sections/links'
import parts from '../sections/parts.module.css'
import styles from './contatti.module.css'

const [phone, email, social] = contatti.cards

export type Data = SiteData & { readonly choice: Choice | null }

type PageProps = { readonly data: Data }

export const slice = (input: Input, key: string): Data => chosenByKey(siteOf(input), key)

/** With a choice it is the same page to search engines, which have no use for it. */
export const meta = (data: Data): PageMeta => ({
  ...routeMeta('contact', data),
  noindex: data.choice !== null,
})

export function Page({ data }: PageProps) {
  const { settings, choice } = data
  const [profile, messages] = social.links
  const links = [
    { ...profile, href: webHref('socialUrl', settings) },
    { ...messages, href: whatsappHref(settings) },
  ].filter((link) => link.href !== '')
  const ways = [
    { ...phone, icon: Phone, href: phoneHref(settings) },
    { ...email, icon: Mail, href: emailHref(settings, choice) },
  ].filter((way) => way.href !== '')
  const hasAny = ways.length > 0 || links.length > 0
  return (
    <>
      <section class={styles.opening}>
        <img src={landing} alt="" width={1600} height={900} fetchpriority="high" />
        <div class={`${parts.wrap} ${styles.hello}`}>
          <h1>{contatti.hero.title}</h1>
          {choice ? (
            <Chosen choice={choice} settings={settings} />
          ) : (
            <p class={parts.lead}>{contatti.hero.subtitle}</p>
          )}
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

type ChosenProps = { readonly choice: Choice; readonly settings: SiteData['settings'] }

function Chosen({ choice, settings }: ChosenProps) {
  const messenger = whatsappHref(settings)
  const ways = [
    { label: choices.email, href: emailHref(settings, choice) },
    { label: choices.call, href: phoneHref(settings) },
  ].filter((way) => way.href !== '')
  return (
    <section class={styles.chosen} aria-label={choices.label}>
      <p class={parts.lead}>{choice.line}</p>
      {(messenger || ways.length > 0) && <p>{choices.hint}</p>}
      <p class={parts.actions}>
        {messenger && (
          <ButtonLink href={messenger} isExternal>
            {choices.whatsapp}
          </ButtonLink>
        )}
        {ways.map((way, index) => (
          <PillLink
            key={way.label}
            href={way.href}
            tone={messenger || index > 0 ? 'outline' : 'primary'}
          >
            {way.label}
          </PillLink>
        ))}
      </p>
      <p class={styles.small}>{choices.health}</p>
      <p class={parts.actions}>
        <WordLink href={choice.from}>{choices.change}</WordLink>
        <WordLink href="/contatti">{choices.clear}</WordLink>
      </p>
    </section>
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
