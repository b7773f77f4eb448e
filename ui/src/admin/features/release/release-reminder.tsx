// Says that a newer version of the program is there. The operator announced it with
// `respiro upgrade --check`; neither panel nor server asks for newer versions.
import { useState } from 'preact/hooks'
import { Button } from '../../ui/button'
import styles from '../../ui/page-layout.module.css'

/** Holds the version that the admin has seen. */
const SEEN_KEY = 'respiro-release-seen'

const words = {
  title: (newer: string) => `C’è la versione ${newer} del programma del sito.`,
  next: (version: string) =>
    `Adesso gira la ${version}. La installa chi gestisce il server, in pochi minuti: testi, foto e iscritti restano come sono.`,
  seenAction: 'Ho capito',
} as const

export function ReleaseReminder({
  version,
  newer,
}: {
  readonly version: string
  readonly newer: string
}) {
  const [seen, setSeen] = useState(readSeen)
  if (seen === newer) return null
  return (
    <div className={styles.reminder}>
      <div className={styles.reminderText}>
        <p>
          <strong>{words.title(newer)}</strong>
        </p>
        <p>{words.next(version)}</p>
      </div>
      <Button
        tone="quiet"
        small
        onClick={() => {
          storeSeen(newer)
          setSeen(newer)
          // The focused button disappears with the reminder.
          document.querySelector<HTMLElement>('h1')?.focus()
        }}
      >
        {words.seenAction}
      </Button>
    </div>
  )
}

function readSeen(): string | null {
  try {
    return localStorage.getItem(SEEN_KEY)
  } catch {
    return null
  }
}

function storeSeen(version: string): void {
  try {
    localStorage.setItem(SEEN_KEY, version)
  } catch {
    // Without storage the reminder returns at the next visit.
  }
}
