// Footer of every page: certificate, links, legal texts.

import { MessageCircle } from 'lucide'
import { AddressText, pillClass } from '../../primitives/buttons'
import hidden from '../../primitives/hidden.module.css'
import { Icon } from '../../primitives/icon'
import { PictureImage } from '../../primitives/picture'
import { labels } from '../fixed-messages/control-labels'
import type { Settings } from '../page-data'
import { SocialLinks } from '../sections/social-links'
import { printedAddress, setting } from '../settings'
import type { SocialProfile } from '../social-profiles'
import { useContent } from '../use-content'
import { Certificate } from './certificate'
import { openPreferences } from './consent-store'
import styles from './footer.module.css'

type FooterProps = {
  readonly settings: Settings
  readonly profiles: readonly SocialProfile[] | undefined
}

export function Footer({ settings, profiles = [] }: FooterProps) {
  const words = useContent('footer.links')
  const legal = useContent('footer.legal')
  const { open } = useContent('cookies.preferences')
  return (
    <footer class={styles.footer}>
      <div class={styles.wrap}>
        <Promotion />
        <div class={styles.columns}>
          <div>
            <a class={styles.brand} href="/">
              {setting('brand', settings)}
            </a>
            <p class={styles.tagline}>{words.tagline}</p>
          </div>
          <nav aria-labelledby="footer-site">
            <h2 id="footer-site">{words.siteTitle}</h2>
            <ul>
              {words.site.map(({ id, label, labelLink: href }) => (
                <li key={id}>
                  <a href={href}>{label}</a>
                </li>
              ))}
            </ul>
          </nav>
          <nav aria-labelledby="footer-legal">
            <h2 id="footer-legal">{words.legalTitle}</h2>
            <ul>
              {words.legal.map(({ id, label, labelLink: href }) => (
                <li key={id}>
                  <a href={href}>{label}</a>
                </li>
              ))}
              <li class={styles.scripted}>
                <button type="button" onClick={openPreferences}>
                  {open}
                </button>
              </li>
            </ul>
          </nav>
          <Contacts profiles={profiles} />
        </div>
        <div class={styles.fine}>
          <p>{legal.disclaimer}</p>
          <p>{legal.notice}</p>
          <p>{legal.copyright}</p>
        </div>
      </div>
    </footer>
  )
}

function Promotion() {
  const words = useContent('footer.certificate')
  if (words === null) return null
  const { picture } = words.picture
  // Without a number the link leads to the contact page.
  const href = words.ctaLink || '/contatti'
  const isExternal = /^https?:/i.test(href)
  return (
    <section class={styles.certificate} aria-labelledby="footer-certificate">
      {picture ? (
        <PictureImage picture={picture} sizes="10rem" frame={4 / 3} isWhole />
      ) : (
        <Certificate />
      )}
      <div>
        <h2 id="footer-certificate">{words.title}</h2>
        <p>{words.text}</p>
        {words.note && <p class={styles.note}>{words.note}</p>}
      </div>
      <a
        class={pillClass('light')}
        href={href}
        {...(isExternal && { target: '_blank', rel: 'noopener' })}
      >
        <Icon of={MessageCircle} />
        {words.cta}
        {isExternal && <span class={hidden.hidden}>{` (${labels.newTab})`}</span>}
      </a>
    </section>
  )
}

function Contacts({ profiles }: { readonly profiles: readonly SocialProfile[] }) {
  const words = useContent('footer.links')
  const ways = words.contacts.filter(({ label, labelLink }) => label !== '' && labelLink !== '')
  if (ways.length + profiles.length === 0) return null
  return (
    <div>
      <h2>{words.contactTitle}</h2>
      <ul>
        {ways.map(({ id, label, labelLink: href }) => (
          <li key={id} data-paper={printedAddress(label, href)}>
            {/^https?:/i.test(href) ? (
              <a href={href} target="_blank" rel="noopener">
                {label}
                <span class={hidden.hidden}>{` (${labels.newTab})`}</span>
              </a>
            ) : (
              <a href={href}>
                <AddressText text={label} />
              </a>
            )}
          </li>
        ))}
        <SocialLinks profiles={profiles} />
      </ul>
    </div>
  )
}
