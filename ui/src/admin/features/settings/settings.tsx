// The settings form: the identity of the site, each setting with the place where visitors see it.
import { useState } from 'preact/hooks'
import { fieldErrorsOf, reasonOf } from '../../api/client'
import {
  problemOf,
  SETTING_NAMES,
  type SettingName,
  settingSpecs,
  type Value,
  type Values,
} from '../../api/schema'
import { aiAnswers, GROUP_ORDER, GROUPS, settingMessages } from '../../api/setting-messages'
import { useLoad } from '../../api/use-load'
import { ConflictDialog, useConflict } from '../../conflicts/conflict-dialog'
import { conflictMessages } from '../../conflicts/messages'
import { type ChooseFields, saveWithMerge } from '../../conflicts/save-with-merge'
import { useRefusalText } from '../../drafts/draft-notices'
import { DraftRecovery } from '../../drafts/draft-recovery'
import { type Form, useForm, useLeaveGuard } from '../../drafts/use-form'
import { useSaveKey } from '../../hooks/use-keys'
import { usePendingUploads } from '../../hooks/use-pending-uploads'
import { Button } from '../../ui/button'
import { ChoiceField } from '../../ui/fields/choice-field'
import { siteCropsOf } from '../../ui/fields/crop-frames'
import { controlOf, Field } from '../../ui/fields/field'
import { FocalPointPanel } from '../../ui/fields/focal-point-panel'
import { focusFirstProblem } from '../../ui/fields/focus-first-problem'
import { PhoneField } from '../../ui/fields/phone-field'
import { PictureField } from '../../ui/fields/picture-field'
import { lazyAddition } from '../../ui/lazy'
import { words } from '../../ui/messages'
import { Card, PageLayout, WhenLoaded } from '../../ui/page-layout'
import styles from '../../ui/page-layout.module.css'
import { toastDone, toastFailed } from '../../ui/toast-store'
import { ExamplesCard } from './examples'
import { useFocusSettingFromUrl } from './focus-setting-from-url'
import { LinkCheckCard } from './link-check'
import { PersonCard } from './person'
import { RedirectsCard } from './redirects'

const ImportCard = lazyAddition<object>(() =>
  import('./import').then((loaded) => loaded.ImportCard),
)
const CHECK_FIELDS = 'Controlla i campi segnati in rosso.'

export type Settings = Readonly<Record<string, Value | object>>

const SETTING_FIELDS = Object.fromEntries(
  SETTING_NAMES.map((name) => [name, settingSpecs[name].field]),
)

export function SettingsArea() {
  const data = useLoad<Settings>('/api/admin/settings')
  return (
    <PageLayout
      title="Impostazioni"
      text="I dati che compaiono nelle pagine pubbliche. Le modifiche sono visibili appena salvi."
    >
      <WhenLoaded data={data}>{(settings) => <SettingsForm settings={settings} />}</WhenLoaded>
      <ExamplesCard />
      <RedirectsCard />
      <LinkCheckCard />
      <PersonCard />
      <ImportCard />
    </PageLayout>
  )
}

/** `settings` are the initial values; after a save the form goes on from those that the server stored. */
function SettingsForm({ settings }: { settings: Settings }) {
  const form = useForm('settings', settingValues(settings, SETTING_NAMES), null)
  const [busy, setBusy] = useState(false)
  const { uploading, tell } = usePendingUploads()
  const conflict = useConflict<Settings>()
  useLeaveGuard(busy || uploading)

  const save = async () => {
    setBusy(true)
    if (await saveSettings(form, conflict.choose)) toastDone('Impostazioni salvate')
    setBusy(false)
  }
  const blocked = !form.dirty || uploading
  useSaveKey(blocked || busy ? null : () => void save())
  useFocusSettingFromUrl()
  const refusal = useRefusalText()

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!blocked && !busy) void save()
      }}
    >
      <DraftRecovery form={form} />
      {GROUP_ORDER.map((group) => (
        <Card key={group} title={GROUPS[group].title}>
          <p className={styles.soft}>{GROUPS[group].text}</p>
          <div className={group === 'pictures' ? styles.pictures : styles.grid}>
            {SETTING_NAMES.filter(
              (name) => settingSpecs[name].group === group && !isPoint(name),
            ).map((name) => (
              <div key={name} className={isWide(name) ? styles.wideField : undefined}>
                <SettingField name={name} form={form} onBusy={(busy) => tell(name, busy)} />
              </div>
            ))}
          </div>
        </Card>
      ))}
      <SettingsConflict asked={conflict.asked} />
      <div className={styles.saveBar}>
        <p role="status">
          {form.dirty ? (refusal ?? 'Ci sono modifiche da salvare.') : 'Tutto salvato.'}
        </p>
        <Button submit busy={busy} disabled={blocked}>
          {busy ? words.saving : words.saveChanges}
        </Button>
      </div>
    </form>
  )
}

/** Shown while the admin has to choose between two values of a setting. */
export function SettingsConflict({
  asked,
}: Pick<ReturnType<typeof useConflict<Settings>>, 'asked'>) {
  if (asked === null) return null
  return (
    <ConflictDialog
      what="queste impostazioni"
      savedAt={null}
      labelOf={(name) => SETTING_NAMES.filter((one) => one === name).map(labelOf)[0] ?? name}
      question={asked.question}
      onAnswer={asked.answer}
    />
  )
}

function labelOf(name: SettingName): string {
  return settingMessages[name].label
}

/** A long text takes a row of its own. */
function isWide(name: SettingName): boolean {
  return name === 'banner' || settingSpecs[name].field.type === 'lines'
}

/** Focal points are chosen on the picture, not in a field. */
function isPoint(name: SettingName): boolean {
  return /Focus[XY]$/.test(name)
}

type SettingFieldProps = { name: SettingName; form: Form; onBusy?: (busy: boolean) => void }

export function SettingField({ name, form, onBusy = () => undefined }: SettingFieldProps) {
  const spec = settingSpecs[name].field
  const own = settingMessages[name]
  const value = form.values[name] ?? null
  if (spec.type === 'picture') {
    const path = typeof value === 'string' ? value : ''
    const point = pointOf(name, form)
    return (
      <div>
        <PictureField
          id={name}
          label={own.label}
          help={own.help}
          path={path}
          required={false}
          problem={form.problems[name]}
          onBusy={onBusy}
          crops={() => siteCropsOf(name)}
          // The focal point of the previous picture means nothing on the new one.
          onChange={(next) => form.set({ [name]: next, ...(point && pointValues(name, 50, 50)) })}
        />
        <FocalPointPanel src={path} crops={() => siteCropsOf(name)} point={point} />
      </div>
    )
  }
  const onChange = form.set
  const field = { id: name, name, spec, words: own, value, problem: form.problems[name], onChange }
  if (spec.type === 'phone') return <PhoneField {...controlOf(field)} tries={own.tries ?? 'call'} />
  if (name === 'aiCrawlers') {
    const control = controlOf(field)
    const choices = Object.values(aiAnswers).map((answer) => ({ value: answer, label: answer }))
    return <ChoiceField {...control} value={control.value || aiAnswers.unsaid} choices={choices} />
  }
  return <Field {...field} />
}

/** Focal point of a picture setting; undefined when the picture is always shown uncropped. */
function pointOf(name: SettingName, form: Form) {
  if (!(`${name}FocusX` in settingSpecs)) return undefined
  const percent = (side: 'X' | 'Y') => {
    const value = form.values[`${name}Focus${side}`]
    return typeof value === 'number' ? value : 50
  }
  const onChange = (x: number, y: number) => form.set(pointValues(name, x, y))
  return { x: percent('X'), y: percent('Y'), onChange }
}

function pointValues(name: SettingName, x: number, y: number): Values {
  return { [`${name}FocusX`]: x, [`${name}FocusY`]: y }
}

export function settingValues(settings: Settings, names: readonly SettingName[]): Values {
  const plain = (name: string) => {
    const value = settings[name]
    return value === null || value === undefined || typeof value === 'object' ? '' : value
  }
  return Object.fromEntries(names.map((name) => [name, plain(name)]))
}

/**
 * Saves the settings `names`. Returns true when saved; otherwise the form shows the reason. The other
 * values stay unsaved input: the form may show them at another step.
 */
export async function saveSettings(
  form: Form,
  choose: ChooseFields<Settings>,
  names: readonly SettingName[] = SETTING_NAMES,
): Promise<boolean> {
  const problems: Record<string, string> = {}
  for (const name of names) {
    const problem = problemOf(settingSpecs[name].field, form.values[name] ?? null, words.problems)
    if (problem !== null) problems[name] = problem
  }
  form.setProblems(problems)
  const isRefused = Object.keys(problems).length > 0
  if (isRefused) focusFirstProblem()
  // Sent all the same: only the server reads telephone and tax numbers, and all wrong fields are marked at once.
  try {
    const all = SETTING_NAMES.filter((name) => name in form.ground)
    const target = {
      path: '/api/admin/settings',
      fields: SETTING_FIELDS,
      valuesOf: (settings: Settings) => settingValues(settings, all),
    }
    const chosen = all.filter((name) => names.includes(name))
    const typed = Object.fromEntries(chosen.map((name) => [name, form.values[name] ?? null]))
    const sent = { ...form.ground, ...typed }
    const stored = await saveWithMerge(target, form.ground, sent, choose)
    if (stored === null) {
      toastDone(conflictMessages.laterDone)
      return false
    }
    // The server accepts an unchanged value, even if a later release has a stricter rule.
    form.setProblems({})
    form.saved({ sent, stored })
    return true
  } catch (error) {
    form.setProblems({ ...fieldErrorsOf(error), ...problems })
    focusFirstProblem()
    toastFailed(words.toasts.update, isRefused ? CHECK_FIELDS : reasonOf(error))
    return false
  }
}
