// Shows a new personal link, which is shown only once, to copy or to send with its message.

import { Copy, Mail, MessageCircle, Share2 } from 'lucide'
import { useState } from 'preact/hooks'
import { testimonialLimits } from '../../../kinds/lazy-constants.gen'
import { call, reasonOf } from '../../api/client'
import { useLoad } from '../../api/use-load'
import { Button, ButtonLink } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { TextField } from '../../ui/fields/text-field'
import { TextareaField } from '../../ui/fields/textarea-field'
import { toastDone, toastFailed } from '../../ui/toast-store'
import {
  type CreatedInvite,
  letter,
  mailHref,
  messengerHref,
  REQUESTS_PATH,
  SUBJECT,
  shortMessage,
} from './invites-api'
import { inviteMessages } from './messages'
import styles from './testimonials.module.css'

const words = inviteMessages.send

type Settings = { readonly practitioner: string | null; readonly brand: string | null }
type SendProps = { made: CreatedInvite; mails: boolean; onClose: () => void }

export function ShareInviteDialog(props: SendProps) {
  const { made, onClose } = props
  const settings = useLoad<Settings>('/api/admin/settings')
  const { practitioner, brand } = settings.value ?? { practitioner: null, brand: null }
  const signature = { practitioner: practitioner ?? '', brand: brand ?? '' }
  const isRead = settings.value !== null || settings.error !== null
  return (
    <Dialog title={words.title} onClose={onClose}>
      <div className={styles.form}>
        <p>{words.expires(made.request.until)}</p>
        <TextField id="asked-link" label={words.link} value={made.url} onChange={() => undefined} />
        <div className={styles.buttons}>
          <Button icon={Copy} onClick={() => void copy(made.url, words.copied)}>
            {words.copy}
          </Button>
          {'share' in navigator ? (
            <Button
              tone="outline"
              icon={Share2}
              onClick={() => void share({ title: SUBJECT, text: shortMessage(made) })}
            >
              {words.share}
            </Button>
          ) : null}
        </div>
        <p className={styles.soft}>{words.oncePerPerson}</p>
        <ByMessenger made={made} />
        {isRead ? <ByMail {...props} text={letter(made, signature)} /> : null}
      </div>
    </Dialog>
  )
}

function ByMessenger({ made }: { made: CreatedInvite }) {
  const [message, setMessage] = useState(shortMessage(made))
  return (
    <section className={styles.way}>
      <TextareaField
        id="asked-message"
        label={words.message}
        help={words.editHint}
        value={message}
        max={testimonialLimits.message}
        onChange={setMessage}
      />
      <div className={styles.buttons}>
        <ButtonLink href={messengerHref(message)} icon={MessageCircle} isExternal>
          {words.whatsapp}
        </ButtonLink>
        <Button tone="quiet" icon={Copy} onClick={() => void copy(message, words.messageCopied)}>
          {words.copyMessage}
        </Button>
      </div>
    </section>
  )
}

/** Sends the message through the site's mail server if there is one, else through a `mailto:` link. */
function ByMail({ made, mails, text }: SendProps & { text: string }) {
  const [email, setEmail] = useState('')
  const [message, setMessage] = useState(text)
  const [busy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    try {
      const path = `${REQUESTS_PATH}/${made.request.id}/mail`
      const answer = await call<{ sent: boolean; reason?: string }>('POST', path, {
        email,
        message,
      })
      if (answer.sent) toastDone(words.sent)
      else toastFailed(words.unsent, answer.reason ?? null)
    } catch (error) {
      toastFailed(words.unsent, reasonOf(error))
    }
    setBusy(false)
  }
  return (
    <details className={styles.way}>
      <summary>{words.email}</summary>
      <TextareaField
        id="asked-letter"
        label={words.message}
        help={words.editHint}
        value={message}
        max={testimonialLimits.message}
        onChange={setMessage}
      />
      {mails ? (
        <>
          <TextField
            id="asked-email"
            label={words.address}
            type="email"
            value={email}
            onChange={setEmail}
          />
          <Button tone="outline" icon={Mail} busy={busy} onClick={() => void send()}>
            {words.email}
          </Button>
        </>
      ) : (
        <ButtonLink href={mailHref(message)} icon={Mail}>
          {words.email}
        </ButtonLink>
      )}
    </details>
  )
}

async function copy(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toastDone(done)
  } catch {
    toastFailed(words.copyFailed, null)
  }
}

async function share(data: ShareData): Promise<void> {
  try {
    await navigator.share(data)
  } catch {
    // The promise also rejects when the share sheet is closed, which is not an error.
  }
}
