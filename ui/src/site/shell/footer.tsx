// The foot of every page: the certificate, the links, what the law asks for.

import { MessageCircle } from 'lucide'
import { pillClass } from '../../primitives/actions'
import hidden from '../../primitives/hidden.module.css'
import { Icon } from '../../primitives/icon'
import { emailHref, fill, phoneHref, setting, webHref, whatsappHref } from '../content/fill'
import { footer } from '../content/footer'
import { global } from '../content/global'
import type { Settings } from '../data'
import { Certificate } from './certificate'
import { openPreferences } from './consent-store'
import styles from './footer.module.css'

const [siteColumn, legalColumn, contactColumn] = footer.columns

type FooterProps = { readonly settings: Settings }

export function Footer({ settings }: FooterProps) {
  return (
    <footer class={styles.footer}>
      <div class={styles.wrap}>
        <Promotion settings={settings} />
        <div class={styles.columns}>
          <div>
            <a class={styles.brand} href="/">
              {setting('brand', settings)}
            </a>
            <p class={styles.tagline}>{footer.tagline}</p>
          </div>
          <nav aria-labelledby="footer-site">
            <h2 id="footer-site">{siteColumn.title}</h2>
            <ul>
              {siteColumn.links.map(({ label, href }) => (
                <li key={href}>
                  <a href={href}>{label}</a>
                </li>
              ))}
            </ul>
          </nav>
          <nav aria-labelledby="footer-legal">
            <h2 id="footer-legal">{legalColumn.title}</h2>
            <ul>
              {legalColumn.links.map(({ label, href }) => (
                <li key={href}>
                  <a href={href}>{label}</a>
                </li>
              ))}
              <li class={styles.scripted}>
                <button type="button" onClick={openPreferences}>
                  {legalColumn.cookiePreferences}
                </button>
              </li>
            </ul>
          </nav>
          <Contacts settings={settings} />
        </div>
        <div class={styles.fine}>
          <p>{footer.disclaimer}</p>
          <p>{fill(footer.legalNotice, settings)}</p>
          <p>{fill(footer.copyright, settings)}</p>
        </div>
      </div>
    </footer>
  )
}

function Promotion({ settings }: FooterProps) {
  const words = footer.certificate
  const messaging = whatsappHref(settings)
  // Without a number the request goes where the other ways to get in touch are.
  const link = messaging
    ? { href: messaging, target: '_blank', rel: 'noopener' }
    : { href: '/contatti' }
  return (
    <section class={styles.certificate} aria-labelledby="footer-certificate">
      <Certificate />
      <div>
        <h2 id="footer-certificate">{words.title}</h2>
        <p>{fill(words.text, settings)}</p>
        <p class={styles.note}>{words.note}</p>
      </div>
      <a class={pillClass('light')} {...link}>
        <Icon of={MessageCircle} />
        {words.button.label}
        {messaging && <span class={hidden.hidden}>{` (${global.externalLink.newTabHint})`}</span>}
      </a>
    </section>
  )
}

function Contacts({ settings }: FooterProps) {
  const [phone, email, social] = contactColumn.links
  const ways = [
    { label: fill(phone.label, settings), href: phoneHref(settings) },
    { label: fill(email.label, settings), href: emailHref(settings) },
  ].filter((way) => way.href !== '')
  const profile = webHref('socialUrl', settings)
  const socialName = fill(social.label, settings)
  if (ways.length === 0 && !profile) return null
  return (
    <div>
      <h2>{contactColumn.title}</h2>
      <ul>
        {ways.map(({ label, href }) => (
          <li key={href}>
            <a href={href}>{label}</a>
          </li>
        ))}
        {profile && socialName && (
          <li>
            <a href={profile} target="_blank" rel="noopener">
              {socialName}
              <span class={hidden.hidden}>{` (${global.externalLink.newTabHint})`}</span>
            </a>
          </li>
        )}
      </ul>
    </div>
  )
}
