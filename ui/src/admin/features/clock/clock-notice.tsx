// Asks whether the date of the server is right, while the program does not trust it.
import { useState } from 'preact/hooks'
import { ROME } from '../../../lib/panel-date-format'
import { call } from '../../api/client'
import { attempt } from '../../api/item-actions'
import { type ClockDoubt, useSiteStatus } from '../../api/site-status'
import { Button } from '../../ui/button'
import { words as panelWords } from '../../ui/messages'
import styles from '../../ui/page-layout.module.css'

const words = {
  title: 'La data del server',
  question: (day: string) => `Oggi è ${day}: è giusto?`,
  reason: (day: string) =>
    `L’orologio del server ha fatto un salto: secondo i conti del sito sarebbe ${day}. Finché non è sicuro, newsletter e uscite in programma aspettano, e da cestino e backup non viene tolto niente.`,
  otherwise:
    'Se la data è sbagliata, avvisa chi gestisce il server: quando torna giusta tutto riprende da solo.',
  confirmAction: 'Sì, è giusto',
} as const

const DAY = new Intl.DateTimeFormat('it-IT', {
  timeZone: ROME,
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})

export function ClockNotice({ clock }: { clock: ClockDoubt }) {
  const load = useSiteStatus((store) => store.load)
  const [busy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    const body = { systemTime: clock.systemTime }
    const isDone = await attempt(panelWords.toasts.update, () =>
      call('POST', '/api/admin/clock', body),
    )
    await load()
    setBusy(false)
    // The focused button disappears with the notice: the focus goes to the heading of the area.
    if (isDone) document.querySelector<HTMLElement>('h1')?.focus()
  }
  return (
    <section className={styles.reminder} aria-label={words.title}>
      <div className={styles.reminderText}>
        <p>
          <strong>{words.question(DAY.format(new Date(clock.systemTime)))}</strong>
        </p>
        <p>{words.reason(DAY.format(new Date(clock.plausibleTime)))}</p>
        <p>{words.otherwise}</p>
      </div>
      <Button tone="outline" busy={busy} onClick={() => void confirm()}>
        {words.confirmAction}
      </Button>
    </section>
  )
}
