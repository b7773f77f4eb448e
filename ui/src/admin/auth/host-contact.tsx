// Name, telephone and e-mail address of the person who runs the server (`--contact`).
import { Mail, Phone } from 'lucide'
import { Icon } from '../../primitives/icon'
import { type Loaded, useLoad } from '../api/use-load'
import styles from './host-contact.module.css'

export type Contact = {
  readonly name: string | null
  readonly phone: string | null
  readonly email: string | null
}

type Ways = { readonly byEmail: boolean; readonly contact: Contact | null }

export function useWaysToGetHelp(): Loaded<Ways> {
  return useLoad<Ways>('/api/auth/forgotten')
}

/** Offers the contact of the host; renders nothing while none is set. */
export function HostHelp() {
  const contact = useWaysToGetHelp().value?.contact ?? null
  if (contact === null) return null
  return (
    <div className={styles.help}>
      <p>Ti serve una persona?</p>
      <ContactCard contact={contact} />
    </div>
  )
}

export function ContactCard({ contact }: { contact: Contact }) {
  const { name, phone, email } = contact
  return (
    <div className={styles.contact}>
      {name === null ? null : <b>{name}</b>}
      {phone === null ? null : (
        <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>
          <Icon of={Phone} size={20} />
          {phone}
        </a>
      )}
      {email === null ? null : (
        <a href={`mailto:${email}`}>
          <Icon of={Mail} size={20} />
          {email}
        </a>
      )}
    </div>
  )
}
