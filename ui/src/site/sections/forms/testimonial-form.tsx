// The testimonial form; it works without a script. With one, the draft stays on the device until it
// is sent, and the form is sent without leaving the page.

import { useEffect, useRef, useState } from 'preact/hooks'
import { classNames } from '../../../lib/class-names'
import { withArticle } from '../../../lib/date-article'
import { PillButton } from '../../../primitives/buttons'
import { testimonial as words } from '../../fixed-messages/testimonial'
import { showToast } from '../../layout/toast-store'
import type { Settings } from '../../page-data'
import { setting } from '../../settings'
import { TestimonialCard } from '../cards/testimonial-card'
import parts from '../shared.module.css'
import { Consent, NameFields, Stars, TextField } from './testimonial-fields'
import styles from './testimonial-form.module.css'
import {
  type FieldFault,
  type FormState,
  fieldOf,
  fieldsWith,
  forgetDraft,
  getLocalStorage,
  isEmpty,
  keepDraft,
  readDraft,
  type Sent,
  type Written,
} from './testimonial-form-state'

type TestimonialFormProps = {
  readonly given: FormState
  readonly settings: Settings
  readonly onSent: (sent: Sent) => void
}

const formId = 'scrivi'

export function TestimonialForm(props: TestimonialFormProps) {
  const { given, settings } = props
  const practitioner = setting('practitioner', settings)
  const { title, text, textUnnamed, activityLine, expiresLine, freedomNote } = words.page
  const by = practitioner === '' ? textUnnamed : text.replace('{practitioner}', () => practitioner)
  return (
    <section class={styles.page}>
      <div class={classNames(parts.wrap, styles.inside)}>
        <header>
          <h1>{title}</h1>
          <p class={parts.lead}>{by}</p>
          {given.activity !== '' && (
            <p>{activityLine.replace('{activity}', () => given.activity)}</p>
          )}
          <p class={parts.note}>{freedomNote}</p>
        </header>
        <FormItself {...props} />
        <p class={parts.soft}>
          {expiresLine.replace('{date}', () => withArticle('al', given.until))}
        </p>
      </div>
    </section>
  )
}

/** Read before the consent; above the fields it pushed the form out of the first screen. */
function Visibility() {
  const { publicTitle, publicText, publicNote, privateTitle, privateText, privateNote } =
    words.visibility
  return (
    <div class={styles.visibility}>
      <section>
        <h2>{publicTitle}</h2>
        <ul>
          {publicText.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <p>{publicNote}</p>
      </section>
      <section>
        <h2>{privateTitle}</h2>
        <ul>
          {privateText.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <p>{privateNote}</p>
      </section>
    </div>
  )
}

function FormItself({ given: first, settings, onSent }: TestimonialFormProps) {
  const [given, setGiven] = useState(first)
  const [isSending, setSending] = useState(false)
  const [written, setWritten] = useState(first.values)
  const form = useRef<HTMLFormElement>(null)
  const summary = useRef<HTMLDivElement>(null)
  const draft = useDraft(form, first, setWritten)
  // The summary keeps its length: the fields must not move under the hand.
  const [corrected, setCorrected] = useState<readonly string[]>([])
  const correct = (field: string) => setCorrected((fields) => [...new Set([...fields, field])])
  const open = { ...given, faults: given.faults.filter((one) => !corrected.includes(fieldOf[one])) }
  const refuse = (next: Partial<FormState>) => {
    setCorrected([])
    setGiven({ ...given, faults: [], trouble: null, minutes: null, ...next })
    requestAnimationFrame(() => summary.current?.focus())
  }
  const send = async (event: SubmitEvent) => {
    event.preventDefault()
    if (form.current === null || isSending) return
    setSending(true)
    const sent = await post(form.current)
    setSending(false)
    if (typeof sent === 'string') refuse({ trouble: sent })
    else if (isForm(sent)) refuse(sent)
    else onSent(sent)
  }
  return (
    <>
      {draft.found !== null && <Found onResume={draft.resume} onRestart={draft.restart} />}
      <form
        ref={form}
        id={formId}
        // Without a script the response opens at the form, which shows its faults.
        action={`#${formId}`}
        method="post"
        noValidate
        hidden={draft.found !== null}
        class={styles.form}
        onSubmit={send}
        onInput={({ target }) => {
          if (form.current === null) return
          if (target instanceof HTMLElement && 'name' in target) correct(String(target.name))
          const now = writtenIn(form.current)
          setWritten(now)
          draft.keep(now)
        }}
      >
        <Summary given={given} element={summary} />
        <NameFields given={open} />
        <Stars given={open} />
        <TextField given={open} length={written.text.length} isLive={draft.isLive} />
        {draft.isLive && <Preview written={written} />}
        <Visibility />
        <Consent given={open} email={setting('email', settings)} />
        <p>
          <PillButton type="submit" isBusy={isSending}>
            {isSending ? words.form.sendingLine : words.form.sendAction}
          </PillButton>
        </p>
        {draft.isLive && <DraftNote draft={draft} isKept={!isEmpty(written)} />}
      </form>
    </>
  )
}

type Draft = ReturnType<typeof useDraft>

/** The form's draft on the device. It is read after hydration only. */
function useDraft(
  form: { readonly current: HTMLFormElement | null },
  first: FormState,
  onFilled: (written: Written) => void,
) {
  const [isLive, setLive] = useState(false)
  const [isKept, setKept] = useState(true)
  const [found, setFound] = useState<Written | null>(null)
  const keep = (written: Written) =>
    setKept(keepDraft(getLocalStorage(), location.pathname, written))
  const forget = () => forgetDraft(getLocalStorage(), location.pathname)
  useEffect(() => {
    setLive(true)
    // Text typed before hydration, or values that the server refused and returned, are newer than
    // any draft.
    const typed = form.current === null ? first.values : writtenIn(form.current)
    onFilled(typed)
    if (!isEmpty(typed)) {
      keep(typed)
      return
    }
    const draft = readDraft(getLocalStorage(), location.pathname)
    // A form that has the focus is in use: hiding it to ask would take the keyboard of a phone away.
    const isUsed = form.current?.contains(document.activeElement) === true
    if (draft !== null && isUsed) fill(draft)
    else setFound(draft)
  }, [])
  const fill = (written: Written) => {
    if (form.current !== null) fillIn(form.current, written)
    onFilled(written)
  }
  return {
    isLive,
    isKept,
    found,
    keep,
    resume: () => {
      if (found !== null) fill(found)
      setFound(null)
    },
    restart: () => {
      forget()
      setFound(null)
    },
    clear: () => {
      forget()
      fill({ name: '', profession: '', rating: '', text: '' })
      showToast(words.draft.clearedToast)
    },
  }
}

function writtenIn(form: HTMLFormElement): Written {
  const data = new FormData(form)
  const text = (name: string) => String(data.get(name) ?? '')
  return {
    name: text('name'),
    profession: text('profession'),
    rating: text('rating'),
    text: text('text'),
  }
}

function fillIn(form: HTMLFormElement, written: Written): void {
  for (const element of form.elements) {
    if (element instanceof HTMLTextAreaElement) element.value = written.text
    if (!(element instanceof HTMLInputElement)) continue
    if (element.name === 'name') element.value = written.name
    if (element.name === 'profession') element.value = written.profession
    if (element.name === 'rating') element.checked = element.value === written.rating
  }
}

/** Returns the response, or the reason why there is none. */
async function post(form: HTMLFormElement): Promise<Sent | 'network' | 'server'> {
  // The form has no file field, so every value is a string.
  const pairs = [...new FormData(form)].map(([name, value]) => [name, String(value)])
  const body = new URLSearchParams(pairs)
  const headers = { accept: 'application/json' }
  const answer = await fetch(location.pathname, { method: 'POST', headers, body }).catch(() => null)
  if (answer === null) return 'network'
  const sent: unknown = await answer.json().catch(() => null)
  return isSent(sent) ? sent : 'server'
}

function isSent(sent: unknown): sent is Sent {
  return typeof sent === 'object' && sent !== null && 'screen' in sent
}

function isForm(sent: Sent): sent is Extract<Sent, FormState> {
  return 'faults' in sent
}

function Found({ onResume, onRestart }: { onResume: () => void; onRestart: () => void }) {
  const { foundTitle, foundText, resumeAction, restartAction } = words.draft
  return (
    <section class={styles.found}>
      <h2>{foundTitle}</h2>
      <p>{foundText}</p>
      <p class={parts.actions}>
        <PillButton onClick={onResume}>{resumeAction}</PillButton>
        <PillButton tone="outline" onClick={onRestart}>
          {restartAction}
        </PillButton>
      </p>
    </section>
  )
}

type SummaryProps = {
  readonly given: FormState
  readonly element: { current: HTMLDivElement | null }
}

function Summary({ given, element }: SummaryProps) {
  const text = summaryOf(given)
  if (text === '') return null
  const fields = fieldsWith(given.faults)
  return (
    <div ref={element} class={styles.summary} role="alert" tabIndex={-1}>
      <p>{text}</p>
      {fields.length > 0 && (
        <ul>
          {fields.map((field) => (
            <li key={field}>
              <a href={`#${field}`}>{fieldLabels[field]}</a>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const fieldLabels = {
  name: words.form.nameLabel,
  profession: words.form.professionLabel,
  rating: words.form.starsLabel,
  text: words.form.bodyLabel,
  consent: words.form.consentLabel,
} as const

function summaryOf({ faults, trouble, minutes }: FormState): string {
  const { limit, limitMany, summary, summaryMany } = words.errors
  if (trouble === 'limit') {
    return minutes === null || minutes <= 1 ? limit : limitMany.replace('{minutes}', `${minutes}`)
  }
  if (trouble !== null) return words.errors[trouble]
  const count = fieldsWith(faults satisfies readonly FieldFault[]).length
  if (count === 0) return ''
  return count === 1 ? summary : summaryMany.replace('{n}', `${count}`)
}

function Preview({ written }: { readonly written: Written }) {
  if (written.text.trim() === '') return null
  const rating = Number(written.rating)
  const item = {
    id: 'anteprima',
    name: written.name.trim(),
    testimonial: written.text.trim(),
    profession: written.profession.trim(),
    rating,
    updatedAt: '',
  }
  return (
    <section class={styles.preview}>
      <h2>{words.form.previewTitle}</h2>
      <TestimonialCard item={item} />
    </section>
  )
}

function DraftNote({ draft, isKept }: { readonly draft: Draft; readonly isKept: boolean }) {
  const { keptNote, noStorageNote, clearAction } = words.draft
  return (
    <div class={styles.draft}>
      <p>{draft.isKept ? keptNote : noStorageNote}</p>
      {draft.isKept && isKept && (
        <PillButton tone="quiet" onClick={draft.clear}>
          {clearAction}
        </PillButton>
      )}
    </div>
  )
}
