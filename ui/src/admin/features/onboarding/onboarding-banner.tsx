// Whether the onboarding is shown, and the reminders above the content.
import { useCallback, useEffect, useState } from 'preact/hooks'
import { counted } from '../../../lib/plural'
import { SETTING_NAMES, settingSpecs } from '../../api/schema'
import { useSiteStatus } from '../../api/site-status'
import { areaHref } from '../../app/routes'
import { useIsOwner, useSession } from '../../auth/session-store'
import { Button } from '../../ui/button'
import { words } from '../../ui/messages'
import styles from '../../ui/page-layout.module.css'

const POSTPONED_KEY = 'respiro-first-steps-later'

/** Shown after the first account is created, and when the admin opens it from a reminder. */
export function useOnboarding(): { shown: boolean; finish: () => void } {
  const missing = useSiteStatus(
    ({ status }) => (status?.missingSettings.length ?? 0) + (status?.wordsToConfirm ?? 0),
  )
  const open = useSiteStatus((store) => store.stepsOpen)
  const load = useSiteStatus((store) => store.load)
  const isNew = useSession((store) => store.isNew)
  useEffect(() => void load(), [load])
  useEffect(() => {
    if (isNew && missing > 0) useSiteStatus.setState({ stepsOpen: true })
  }, [isNew, missing])
  const finish = useCallback(() => {
    useSession.setState({ isNew: false })
    useSiteStatus.setState({ stepsOpen: false })
    void load()
  }, [load])
  return { shown: open, finish }
}

/** Reminder while claims of the site are not confirmed. */
export function ConfirmReminder() {
  const count = useSiteStatus((store) => store.status?.wordsToConfirm) ?? 0
  if (count === 0) return null
  return (
    <div className={styles.reminder}>
      <p>
        {counted(
          count,
          'Una frase del sito parla di te: controlla che sia vera.',
          '{n} frasi del sito parlano di te: controlla che siano vere.',
        )}
      </p>
      <a href={areaHref('pagine')}>{counted(count, 'Leggila', 'Leggile')}</a>
    </div>
  )
}

/** Reminder until the admin has checked the report of a restore. */
export function RestoredReminder() {
  const isOwner = useIsOwner()
  const restored = useSiteStatus((store) => store.status?.restored) ?? null
  if (restored === null || !isOwner) return null
  return (
    <div className={styles.reminder}>
      <p>{words.restored}.</p>
      <a href={areaHref('backup')}>Guarda che cosa manca</a>
    </div>
  )
}

/** Reminder while required settings are missing; the admin can dismiss it. */
export function SetUpReminder() {
  const missing = useSiteStatus((store) => store.status?.missingSettings) ?? []
  const isOwner = useIsOwner()
  const [away, setAway] = useState(wasPostponed)
  const names = SETTING_NAMES.filter((name) => missing.includes(name))
  if (away || names.length === 0 || !isOwner) return null
  return (
    <div className={styles.reminder}>
      <p>
        {counted(names.length, 'Al sito manca ancora', 'Al sito mancano ancora')}:{' '}
        {names.map((name) => settingSpecs[name].field.label).join(', ')}.
      </p>
      <Button tone="outline" small onClick={() => useSiteStatus.setState({ stepsOpen: true })}>
        Completa adesso
      </Button>
      <Button
        tone="quiet"
        small
        onClick={() => {
          postpone()
          setAway(true)
        }}
      >
        Non ora
      </Button>
    </div>
  )
}

function wasPostponed(): boolean {
  try {
    return localStorage.getItem(POSTPONED_KEY) !== null
  } catch {
    return false
  }
}

function postpone(): void {
  try {
    localStorage.setItem(POSTPONED_KEY, 'yes')
  } catch {
    // Without storage the reminder returns at the next visit.
  }
}
