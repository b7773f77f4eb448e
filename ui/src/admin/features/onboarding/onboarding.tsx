// Onboarding after the first start: short steps for settings, all of which can be postponed.
import { ArrowRight } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { openLayer } from '../../../lib/dialog-history'
import { Icon } from '../../../primitives/icon'
import { call } from '../../api/client'
import { aiAnswers, FIRST_STEPS } from '../../api/setting-messages'
import { useSiteStatus } from '../../api/site-status'
import { AuthLayout } from '../../auth/auth-layout'
import signIn from '../../auth/sign-in.module.css'
import { useConflict } from '../../conflicts/conflict-dialog'
import { DraftRecovery } from '../../drafts/draft-recovery'
import { useForm } from '../../drafts/use-form'
import { Button } from '../../ui/button'
import { lazy } from '../../ui/lazy'
import { words } from '../../ui/messages'
import { useToasts } from '../../ui/toast-store'
import {
  SettingField,
  type Settings,
  SettingsConflict,
  saveSettings,
  settingValues,
  // biome-ignore lint/style/noRestrictedImports: the first steps show fields of the settings form
} from '../settings/settings'

const ClaimsWizard = lazy<{ onDone: () => void }>(() =>
  // biome-ignore lint/style/noRestrictedImports: the first steps end with the review of claims
  import('../site-editor/claims/claims-wizard').then(({ ClaimsWizard }) => ClaimsWizard),
)

export function Onboarding({ onDone }: { onDone: () => void }) {
  const [settings, setSettings] = useState<Settings | null>(null)
  useEffect(() => {
    call<Settings>('GET', '/api/admin/settings').then(setSettings, onDone)
  }, [onDone])
  return settings === null ? null : <Steps settings={settings} onDone={onDone} />
}

/** The current step. The browser's Back returns to the previous one, and from the first to the panel. */
function useSteps(onDone: () => void) {
  const [index, setIndex] = useState(0)
  const layers = useRef<(() => void)[]>([])
  const push = (close: () => void) => {
    const remove = openLayer(() => {
      layers.current.pop()
      remove()
      close()
    })
    layers.current.push(remove)
  }
  useEffect(() => {
    push(onDone)
    return () => {
      for (const remove of layers.current.splice(0)) remove()
    }
  }, [onDone])
  const next = () => {
    push(() => {
      // A refusal is about the step that was left.
      useToasts.getState().dismiss()
      setIndex((now) => now - 1)
    })
    setIndex(index + 1)
  }
  return { index, next }
}

function Steps({ settings, onDone }: { settings: Settings; onDone: () => void }) {
  const { index, next } = useSteps(onDone)
  const toConfirm = useSiteStatus((store) => store.status?.wordsToConfirm) ?? 0
  const [busy, setBusy] = useState(false)
  // What AI crawlers may do is asked once, even if the other steps are opened again.
  const [steps] = useState(() =>
    FIRST_STEPS.filter((one) => one.names.some((name) => name !== 'aiCrawlers' || !settings[name])),
  )
  const names = steps.flatMap((one) => one.names)
  const form = useForm('first-steps', settingValues(settings, names), null)
  const conflict = useConflict<Settings>()
  const step = steps[index]
  const { set } = form
  const isUnanswered = step?.names.includes('aiCrawlers') && form.values.aiCrawlers === ''
  useEffect(() => {
    if (isUnanswered) set({ aiCrawlers: aiAnswers.proposed })
  }, [isUnanswered, set])
  if (step === undefined) return <ClaimsWizard onDone={onDone} />
  const last = index === steps.length - 1 && toConfirm === 0

  const go = async () => {
    setBusy(true)
    const saved = await saveSettings(form, conflict.choose, step.names)
    setBusy(false)
    if (!saved) return
    if (last) onDone()
    else next()
  }
  return (
    <AuthLayout
      title={step.title}
      text={step.text}
      steps={[index + 1, steps.length]}
      isStep
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
        <DraftRecovery form={form} />
        {step.names.map((name) => (
          <SettingField key={name} name={name} form={form} />
        ))}
        <SettingsConflict asked={conflict.asked} />
        <Button submit busy={busy}>
          {busy ? words.saving : last ? 'Apri il pannello' : 'Continua'}
          {busy ? null : <Icon size={20} of={ArrowRight} />}
        </Button>
      </form>
    </AuthLayout>
  )
}
