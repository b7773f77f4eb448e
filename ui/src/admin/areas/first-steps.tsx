// The first start: three short steps for what the site cannot do without; all of it can be done later.
import { ArrowRight } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { call } from '../api'
import { Doorway } from '../doorway'
import { Button } from '../parts/button'
import { Icon } from '../parts/icon'
import { FIRST_STEPS } from '../settings-wording'
import signIn from '../sign-in.module.css'
import { useForm } from '../use-form'
import { words } from '../words'
import { SettingField, type Settings, saveSettings, settingValues } from './settings-area'
import { useStatus } from './status'

const POSTPONED_KEY = 'respiro-first-steps-later'

/** Shown once per browser, while something is missing. */
export function useFirstSteps(): { shown: boolean; finish: () => void } {
  const missing = useStatus((store) => store.status?.missingSettings ?? null)
  const load = useStatus((store) => store.load)
  const [done, setDone] = useState(wasPostponed)
  useEffect(() => void load(), [load])
  const finish = () => {
    setDone(true)
    postpone()
    void load()
  }
  // Somebody who has begun is not thrown out when the last field is saved.
  const [begun, setBegun] = useState(false)
  const needed = missing !== null && missing.length >= FIRST_STEPS.length
  useEffect(() => {
    if (needed && !done) setBegun(true)
  }, [needed, done])
  return { shown: begun && !done, finish }
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
  const [busy, setBusy] = useState(false)
  const names = FIRST_STEPS.flatMap((one) => one.names)
  const form = useForm('first-steps', settingValues(settings, names), null)
  const step = FIRST_STEPS[index]
  if (step === undefined) return null
  const last = index === FIRST_STEPS.length - 1

  const go = async () => {
    setBusy(true)
    const saved = await saveSettings(form)
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
        <Button submit busy={busy}>
          {busy ? words.saving : last ? 'Apri il pannello' : 'Continua'}
          {busy ? null : <Icon of={ArrowRight} />}
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
