// Says beside a form or page why its draft is not on the server yet, and who else is editing it.
import { CloudOff, Users } from 'lucide'
import { useEffect } from 'preact/hooks'
import { withArticle } from '../../lib/date-article'
import { dayText, timeText } from '../../lib/panel-date-format'
import { Icon } from '../../primitives/icon'
import styles from '../ui/item-form.module.css'
import { type OtherDraft, type Refusal, refreshDraftList, useDraftSync } from './draft-sync'

/** The reason, and what the admin can do. */
const refusals: Readonly<Record<Refusal, readonly [reason: string, advice: string]>> = {
  offline: [
    'Manca la connessione: la bozza resta in questo browser',
    'Parte da sola appena torna.',
  ],
  signedOut: [
    'Sessione scaduta: la bozza resta in questo browser',
    'Accedi di nuovo: parte da sola.',
  ],
  tooLarge: [
    'Bozza troppo grande: resta in questo browser',
    'Dividi il testo o pubblicalo presto.',
  ],
  full: [
    'Il sito non ha più spazio: la bozza resta in questo browser',
    'Riprova da sola. Avvisa chi gestisce il sito.',
  ],
  tooMany: [
    'Hai troppe bozze: questa resta in questo browser',
    'Pubblica o scarta quelle che non ti servono.',
  ],
}

/** The reason alone, beside the button that publishes; null while the server stores the drafts. */
export function useRefusalText(): string | null {
  const refusal = useDraftSync((store) => store.refusal)
  return refusal === null ? null : refusals[refusal][0]
}

/** A row with reason and advice. */
export function DraftRefusal() {
  const refusal = useDraftSync((store) => store.refusal)
  if (refusal === null) return null
  const [reason, advice] = refusals[refusal]
  return (
    <div className={styles.offer} role="status">
      <Icon size={20} of={CloudOff} />
      <p>
        {reason}. {advice}
      </p>
    </div>
  )
}

const POLL_MS = 60_000
/** A draft that was changed within this time is being written now. */
const ACTIVE_MS = 15 * 60_000

/** Names the other persons and the other devices that edit the same thing. */
export function DraftsElsewhere({ isSame }: { isSame: (subject: string) => boolean }) {
  const drafts = useDraftSync((store) => store.drafts)
  const others = useDraftSync((store) => store.others)
  useEffect(() => {
    const look = () => {
      if (!document.hidden) void refreshDraftList()
    }
    const timer = setInterval(look, POLL_MS)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  const persons = others.filter(({ subject }) => isSame(subject))
  const devices = drafts.filter(
    ({ place, isThisDevice, savedAt }) =>
      !isThisDevice && isSame(place.split('@')[0] ?? '') && isActive(savedAt),
  )
  const lines = [
    ...firstOf(persons, ({ account }) => account).map(personText),
    ...firstOf(devices, ({ device }) => device).map(
      ({ device, begunAt }) =>
        `Stai scrivendo qui anche da ${device}, ${sinceText(begunAt)}: continua da una parte sola.`,
    ),
  ]
  if (lines.length === 0) return null
  return (
    <div className={styles.offer} role="status">
      <Icon size={20} of={Users} />
      <p>{lines.join(' ')}</p>
    </div>
  )
}

function isActive(savedAt: string): boolean {
  return Date.now() - Date.parse(savedAt) < ACTIVE_MS
}

export function personText({ account, begunAt, savedAt }: Omit<OtherDraft, 'subject'>): string {
  return isActive(savedAt)
    ? `${nameOf(account)} sta modificando, ${sinceText(begunAt)}.`
    : `${nameOf(account)} ha qui una bozza ${withArticle('del', dayText(savedAt))}.`
}

/** `anna.rossi@example.it` is Anna: an account has no other name. */
function nameOf(account: string): string {
  const name = /^\p{L}+/u.exec(account)?.[0] ?? account
  return name.charAt(0).toUpperCase() + name.slice(1)
}

function sinceText(moment: string): string {
  if (dayText(moment) !== dayText(new Date().toISOString()))
    return withArticle('dal', dayText(moment))
  const time = timeText(new Date(moment)).replace(/^0/, '')
  return time.startsWith('1:') ? `dall’${time}` : `dalle ${time}`
}

/** One of each name, the earliest. */
function firstOf<T extends { readonly begunAt: string }>(
  all: readonly T[],
  name: (one: T) => string,
): readonly T[] {
  const sorted = [...all].sort((one, other) => one.begunAt.localeCompare(other.begunAt))
  return sorted.filter((one) => sorted.find((first) => name(first) === name(one)) === one)
}
