// The first start: three short steps for what the site cannot do without; all of it can be done later.
import { ArrowRight } from 'lucide'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { Icon } from '../../primitives/icon'
import { call } from '../api'
import { useConflict } from '../conflict'
import { Doorway } from '../doorway'
import { Button } from '../parts/button'
import { areaHref } from '../routes'
import { useSession } from '../session-store'
import { FIRST_STEPS, settingWords } from '../settings-wording'
import signIn from '../sign-in.module.css'
import { useForm } from '../use-form'
import { words } from '../words'
import styles from './areas.module.css'
import { later } from './later'
import {
  SETTING_NAMES,
  SettingField,
  type Settings,
  SettingsConflict,
  saveSettings,
  settingValues,
} from './settings-area'
import { useStatus } from './status'

const POSTPONED_KEY = 'respiro-first-steps-later'

/** Right after the first account was made, and whenever somebody asks for them. */
export function useFirstSteps(): { shown: boolean; finish: () => void } {
  const missing = useStatus(
    ({ status }) => (status?.missingSettings.length ?? 0) + (status?.wordsToConfirm ?? 0),
  )
  const open = useStatus((store) => store.stepsOpen)
  const load = useStatus((store) => store.load)
  const isNew = useSession((store) => store.isNew)
  useEffect(() => void load(), [load])
  useEffect(() => {
    if (isNew && missing > 0) useStatus.setState({ stepsOpen: true })
  }, [isNew, missing])
  const finish = useCallback(() => {
    useSession.setState({ isNew: false })
    useStatus.setState({ stepsOpen: false })
    void load()
  }, [load])
  return { shown: open, finish }
}

const ConfirmSteps = later<{ onDone: () => void }>(() =>
  import('../pages/confirm-steps').then(({ ConfirmSteps }) => ConfirmSteps),
)

/** A line above the contents while she has not said of each passage that it is true. */
export function ConfirmReminder() {
  const count = useStatus((store) => store.status?.wordsToConfirm) ?? 0
  if (count === 0) return null
  return (
    <div className={styles.reminder}>
      <p>{count === 1 ? 'Al sito manca una conferma.' : `Al sito mancano ${count} conferme.`}</p>
      <a href={areaHref('pagine')}>Conferma adesso</a>
    </div>
  )
}

/** A line above the contents while the site lacks something; it can be sent away. */
export function SetUpReminder() {
  const missing = useStatus((store) => store.status?.missingSettings) ?? []
  const [away, setAway] = useState(wasPostponed)
  const names = SETTING_NAMES.filter((name) => missing.includes(name))
  if (away || names.length === 0) return null
  return (
    <div className={styles.reminder}>
      <p>Al sito mancano ancora: {names.map((name) => settingWords[name].label).join(', ')}.</p>
      <Button tone="outline" small onClick={() => useStatus.setState({ stepsOpen: true })}>
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

export function FirstSteps({ onDone }: { onDone: () => void }) {
  const [settings, setSettings] = useState<Settings | null>(null)
  useEffect(() => {
    call<Settings>('GET', '/api/admin/settings').then(setSettings, onDone)
  }, [onDone])
  return settings === null ? null : <Steps settings={settings} onDone={onDone} />
}

function Steps({ settings, onDone }: { settings: Settings; onDone: () => void }) {
  const [index, setIndex] = useState(0)
  const toConfirm = useStatus((store) => store.status?.wordsToConfirm) ?? 0
  const [busy, setBusy] = useState(false)
  const names = FIRST_STEPS.flatMap((one) => one.names)
  const form = useForm('first-steps', settingValues(settings, names), null)
  const conflict = useConflict<Settings>()
  const step = FIRST_STEPS[index]
  if (step === undefined) return <ConfirmSteps onDone={onDone} />
  const last = index === FIRST_STEPS.length - 1 && toConfirm === 0

  const go = async () => {
    setBusy(true)
    const saved = await saveSettings(form, conflict.choose)
    setBusy(false)
    if (!saved) return
    if (last) onDone()
    else setIndex(index + 1)
  }
  return (
    <Doorway
      title={step.title}
      text={step.text}
      steps={[index + 1, FIRST_STEPS.length]}
      after={
        <Button tone="quiet" onClick={onDone}>
          Lo faccio dopo
        </Button>
      }
    >
      <form
        key={step.title}
        className={signIn.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) void go()
        }}
      >
        {step.names.map((name) => (
          <SettingField key={name} name={name} form={form} />
        ))}
        <SettingsConflict asked={conflict.asked} />
        <Button submit busy={busy}>
          {busy ? words.saving : last ? 'Apri il pannello' : 'Continua'}
          {busy ? null : <Icon size={20} of={ArrowRight} />}
        </Button>
      </form>
    </Doorway>
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
    // Without storage the steps come back at the next visit, which does no harm.
  }
}
