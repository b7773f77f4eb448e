// Sends a newsletter to an account of the panel as a test.
import { Send } from 'lucide'
import { useState } from 'preact/hooks'
import { call, reasonOf } from '../../api/client'
import { useSession } from '../../auth/session-store'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { toastDone, toastFailed } from '../../ui/toast-store'
import { newsletterMessages } from './messages'
import styles from './newsletter.module.css'
import { sendingPath } from './newsletter-api'

const words = newsletterMessages.test

export function SendTestDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const own = useSession((store) => store.session?.email) ?? ''
  const [email, setEmail] = useState(own)
  const [busy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    try {
      const { sent, reason } = await call<{ sent: boolean; reason?: string }>(
        'POST',
        sendingPath(id, '/test'),
        { email },
      )
      if (sent) {
        toastDone(words.done(email))
        onClose()
      } else {
        toastFailed(words.failed(reason ?? ''), null)
      }
    } catch (error) {
      toastFailed(words.failed(reasonOf(error) ?? ''), null)
    }
    setBusy(false)
  }
  return (
    <Dialog title={words.title} onClose={onClose} size="small">
      <form
        className={styles.fields}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) void send()
        }}
      >
        <label>
          {words.address}
          <input
            type="email"
            value={email}
            onInput={(event) => setEmail(event.currentTarget.value)}
          />
        </label>
        <p className={styles.soft}>{words.hint}</p>
        <Button icon={Send} busy={busy} submit>
          {words.send}
        </Button>
      </form>
    </Dialog>
  )
}
