// Reads the practitioner's settings for texts and links.

import { settingDefaults, type settings } from '../kinds/kinds.gen'
import type { Settings } from './page-data'

type Table = typeof settings

/** The settings that hold text. */
export type TextSetting = {
  [Name in keyof Table]: Table[Name]['field'] extends { type: 'picture' } ? never : Name
}[keyof Table]

export type Identity = Pick<Settings, TextSetting>

const defaults: Partial<Record<TextSetting, string>> = settingDefaults

/** Returns the value of a setting, its default, or '' when it is unknown. */
export function setting(name: TextSetting, identity: Identity): string {
  return identity[name]?.trim() || defaults[name] || ''
}

/** Returns the `tel:` link of the telephone number; '' when there is none. */
export function phoneHref(identity: Identity): string {
  const phone = setting('phone', identity)
  const digits = phone.replace(/\D/g, '')
  return digits && `tel:${/^\D*\+/.test(phone) ? '+' : ''}${digits}`
}

type Letter = { readonly subject: string; readonly letter: string }

/** Returns the `mailto:` link, which may prefill a message; '' when there is no address. */
export function emailHref(identity: Identity, begun?: Letter | null): string {
  const email = setting('email', identity)
  if (!email || !begun) return email && `mailto:${email}`
  const body = encodeURIComponent(begun.letter.replaceAll('\n', '\r\n'))
  return `mailto:${email}?subject=${encodeURIComponent(begun.subject)}&body=${body}`
}

/** Returns a WhatsApp link that prefills the greeting; '' when there is no number. */
export function whatsappHref(identity: Identity): string {
  const digits = setting('whatsapp', identity).replace(/\D/g, '')
  const greeting = encodeURIComponent(setting('whatsappGreeting', identity))
  return digits && `https://wa.me/${digits}?text=${greeting}`
}

/**
 * Returns the address to print beside a link; undefined when its label already contains the
 * address.
 */
export function printedAddress(label: string, href: string): string | undefined {
  const address = href.replace(/^(https?:\/\/|tel:|mailto:)/i, '').replace(/\?.*$/, '')
  const isSaid = [label, label.replace(/[^\d+]/g, '')].some((said) => said.includes(address))
  return isSaid ? undefined : address
}

/** Returns a setting that holds an `http` or `https` address; '' for anything else. */
export function webHref(name: TextSetting, identity: Identity): string {
  const address = setting(name, identity)
  return /^https?:\/\//i.test(address) ? address : ''
}
