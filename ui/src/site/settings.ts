// What the practitioner tells about herself, as texts and links use it.

import { settingDefaults, type settings } from '../kinds/kinds.gen'
import type { Settings } from './data'

type Table = typeof settings

/** The settings that hold words. */
export type TextSetting = {
  [Name in keyof Table]: Table[Name]['field'] extends { type: 'picture' } ? never : Name
}[keyof Table]

export type Identity = Pick<Settings, TextSetting>

const defaults: Partial<Record<TextSetting, string>> = settingDefaults

/** A setting's value, its default, or '' when it is unknown. */
export function setting(name: TextSetting, identity: Identity): string {
  return identity[name]?.trim() || defaults[name] || ''
}

/** A telephone number as a link dials it; '' when there is none. */
export function phoneHref(identity: Identity): string {
  const phone = setting('phone', identity)
  const digits = phone.replace(/\D/g, '')
  return digits && `tel:${/^\D*\+/.test(phone) ? '+' : ''}${digits}`
}

type Letter = { readonly subject: string; readonly letter: string }

/** The address a mail program opens, with a letter that is begun; '' when there is none. */
export function emailHref(identity: Identity, begun?: Letter | null): string {
  const email = setting('email', identity)
  if (!email || !begun) return email && `mailto:${email}`
  const body = encodeURIComponent(begun.letter.replaceAll('\n', '\r\n'))
  return `mailto:${email}?subject=${encodeURIComponent(begun.subject)}&body=${body}`
}

/** A conversation that starts with the greeting; '' when there is no number. */
export function whatsappHref(identity: Identity): string {
  const digits = setting('whatsapp', identity).replace(/\D/g, '')
  const greeting = encodeURIComponent(setting('whatsappGreeting', identity))
  return digits && `https://wa.me/${digits}?text=${greeting}`
}

/** What one types from a sheet of paper, where the words of a link do not say it themselves. */
export function paperAddress(label: string, href: string): string | undefined {
  const address = href.replace(/^(https?:\/\/|tel:|mailto:)/i, '').replace(/\?.*$/, '')
  const isSaid = [label, label.replace(/[^\d+]/g, '')].some((said) => said.includes(address))
  return isSaid ? undefined : address
}

/** A setting that holds a web address, as a link may use it; '' for anything else. */
export function webHref(name: TextSetting, identity: Identity): string {
  const address = setting(name, identity)
  return /^https?:\/\//i.test(address) ? address : ''
}
