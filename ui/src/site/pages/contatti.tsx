// The contact page: the ways to get in touch, and the frequent questions.

import { type IconNode, Mail, MessageCircle, Phone } from 'lucide'
import { frameByPlace, widestPxByPlace } from '../../lib/picture'
import { AddressText, PillLink, WordLink } from '../../primitives/buttons'
import { Icon } from '../../primitives/icon'
import landing from '../art/landing.svg'
import { type Choice, prefillMessage } from '../contact-prefill'
import { type FileChoices, fileChoices } from '../contact-prefill-static'
import { choiceLabels } from '../fixed-messages/control-labels'
import { type PageMeta, routeMeta } from '../meta'
import { type Input, type SiteData, siteOf } from '../page-data'
import { Faq } from '../sections/faq'
import { ButtonLink, TextLink } from '../sections/links'
import { ImageOrArt } from '../sections/media/image-or-art'
import parts from '../sections/shared.module.css'
import { SocialLinks } from '../sections/social-links'
import { emailHref, phoneHref, printedAddress, whatsappHref } from '../settings'
import { useContent } from '../use-content'
import styles from './contatti.module.css'

export type Data = SiteData & {
  readonly choice: Choice | null
  /** Only in an export for a static host. */
  readonly fileChoices?: FileChoices
}

type PageProps = { readonly data: Data }

/** A static host serves every choice from one file. */
export const isOtherInFiles = true

export function slice(input: Input, key: string): Data {
  const site = siteOf(input)
  if (input.isStatic) return { ...site, choice: null, fileChoices: fileChoices(site) }
  return prefillMessage(site, key)
}

/** With a choice the page duplicates the contact page, so search engines do not index it. */
export const meta = (data: Data): PageMeta => ({
  ...routeMeta('contatti', data),
  noindex: data.choice !== null,
})

export function Page({ data }: PageProps) {
  const { settings, choice, profiles = [] } = data
  const hero = useContent('contatti.hero')
  const words = useContent('contatti.ways')
  const links = words.links.filter((link) => link.labelLink !== '')
  const { phone, phoneTitle, phoneHint, email, emailTitle, emailHint } = words
  const ways = [
    { title: phoneTitle, value: phone, hint: phoneHint, icon: Phone, href: words.phoneLink },
    {
      title: emailTitle,
      value: email,
      hint: emailHint,
      icon: Mail,
      href: letterHref(words.emailLink, data),
    },
  ].filter((way) => way.href !== '')
  const hasAny = ways.length + links.length + profiles.length > 0
  return (
    <>
      <section class={styles.opening}>
        <ImageOrArt
          own={hero.picture}
          sizes="100vw"
          frame={frameByPlace.opening}
          widestPx={widestPxByPlace.opening}
          priority="high"
          drawing={landing}
          seed="contatti"
          width={1600}
          height={900}
          drawn="high"
        />
        <div class={`${parts.wrap} ${styles.hello}`}>
          <h1>{hero.title}</h1>
          {choice ? (
            <SiteDataWithChoice choice={choice} settings={settings} />
          ) : (
            <p class={parts.lead}>{hero.subtitle}</p>
          )}
        </div>
      </section>
      {hasAny ? (
        <section class={parts.wrap} aria-label={hero.title}>
          <ul class={styles.cards}>
            {ways.map((way) => (
              <li key={way.title}>
                <CardHead icon={way.icon} title={way.title} />
                <p class={styles.value}>
                  <a href={way.href}>
                    <AddressText text={way.value} />
                  </a>
                </p>
                <p class={parts.soft}>{way.hint}</p>
              </li>
            ))}
            {links.length + profiles.length > 0 && (
              <li>
                <CardHead icon={MessageCircle} title={words.socialTitle} />
                <ul class={styles.links}>
                  {links.map((link) => (
                    <li key={link.id} data-paper={printedAddress(link.label, link.labelLink)}>
                      <TextLink href={link.labelLink} isExternal>
                        {link.label}
                      </TextLink>
                    </li>
                  ))}
                  <SocialLinks profiles={profiles} />
                </ul>
                <p class={parts.soft}>{words.socialHint}</p>
              </li>
            )}
          </ul>
          <p class={styles.consultation}>{words.note}</p>
        </section>
      ) : (
        <div class={parts.wrap}>
          <p class={styles.empty}>{words.empty}</p>
        </div>
      )}
      <Faq />
    </>
  )
}

/** An email link to the practitioner prefills the message for the choice. */
function letterHref(href: string, { settings, choice }: Data): string {
  return choice && href === emailHref(settings) ? emailHref(settings, choice) : href
}

type ChosenProps = { readonly choice: Choice; readonly settings: SiteData['settings'] }

function SiteDataWithChoice({ choice, settings }: ChosenProps) {
  const choices = useContent('contatti.choice')
  const messenger = whatsappHref(settings)
  const ways = [
    { label: choices.email, href: emailHref(settings, choice) },
    { label: choices.call, href: phoneHref(settings) },
  ].filter((way) => way.href !== '')
  return (
    <section class={styles.chosen} aria-label={choiceLabels.region}>
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
