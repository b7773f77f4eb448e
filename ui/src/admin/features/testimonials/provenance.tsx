// Private part of the testimonial form: the text as received, the consent, and the withdrawal of the
// testimonial.

import { Download, Undo2 } from 'lucide'
import { useState } from 'preact/hooks'
import { testimonialLimits } from '../../../kinds/lazy-constants.gen'
import { dayText, momentText } from '../../../lib/panel-date-format'
import { call } from '../../api/client'
import { attempt, setPublished } from '../../api/item-actions'
import { useItems } from '../../api/items-store'
import type { Item } from '../../api/schema'
import { useLoad } from '../../api/use-load'
import type { Form } from '../../drafts/use-form'
import { findMedicalTerms } from '../../lint/medical-terms'
import { Button, ButtonLink } from '../../ui/button'
import { Confirm } from '../../ui/confirm-dialog'
import { TextareaField } from '../../ui/fields/textarea-field'
import { words as panelWords } from '../../ui/messages'
import { toastDone } from '../../ui/toast-store'
import { inviteMessages } from './messages'
import styles from './testimonials.module.css'

const words = inviteMessages.provenance
const received = inviteMessages.received
const KIND = 'course-testimonials'

type Kept = {
  readonly origin: 'link' | 'hand' | 'import' | null
  readonly receivedAt: string | null
  readonly requestedAt: string | null
  readonly activity: string
  readonly consentText: string
  readonly consentVersion: string
  readonly consentedAt: string | null
  readonly received: { readonly testimonial?: string; readonly name?: string }
  readonly note: string
  readonly settledAt: string | null
}

type ProvenanceProps = { item: Item; form: Form; onClose: () => void }

const pathOf = (item: Item) => `/api/admin/${KIND}/${item.id}`

/** Says above the form that the testimonial is new, with the buttons that settle it. */
export function ReceivedTestimonial({ item, form, onClose }: ProvenanceProps) {
  const path = pathOf(item)
  const { value: kept } = useLoad<Kept>(`${path}/provenance`)
  const isNew = kept?.origin === 'link' && kept.settledAt === null && !item.published
  return isNew ? <News item={item} path={path} isChanged={form.dirty} onClose={onClose} /> : null
}

export function Provenance({ item, form, onClose }: ProvenanceProps) {
  const path = pathOf(item)
  const { value: kept, reload } = useLoad<Kept>(`${path}/provenance`)
  const [asking, setAsking] = useState(false)
  if (kept === null) return null
  return (
    <section className={styles.provenance} aria-label={words.title}>
      {kept.origin === 'link' ? <Original kept={kept} form={form} /> : null}
      <details>
        <summary>{words.title}</summary>
        <p className={styles.soft}>{words.text}</p>
        <Facts kept={kept} />
        {kept.origin === 'link' ? null : (
          <Note key={kept.note} path={path} note={kept.note} onSaved={reload} />
        )}
        <div className={styles.buttons}>
          <ButtonLink href={`${path}/provenance`} icon={Download} download>
            {words.download}
          </ButtonLink>
          <Button tone="danger" onClick={() => setAsking(true)}>
            {words.withdraw}
          </Button>
        </div>
      </details>
      {asking ? (
        <Confirm
          question={words.withdrawTitle}
          confirm={words.withdrawConfirm}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            const done = await attempt(panelWords.toasts.update, () =>
              call('POST', `${path}/withdraw`),
            )
            setAsking(false)
            if (!done) return
            toastDone(words.withdrawn)
            await useItems.getState().load(KIND)
            onClose()
          }}
        >
          <p>{words.withdrawText}</p>
        </Confirm>
      ) : null}
    </section>
  )
}

type NewsProps = { item: Item; path: string; isChanged: boolean; onClose: () => void }

function News({ item, path, isChanged, onClose }: NewsProps) {
  const keep = async () => {
    if (await attempt(panelWords.toasts.update, () => call('POST', `${path}/keep`))) {
      await useItems.getState().load(KIND)
      onClose()
    }
  }
  return (
    <div className={styles.news}>
      <p>
        <b>{received.title}</b>
      </p>
      <p>{received.text}</p>
      <div className={styles.buttons}>
        {/* Disabled with unsaved changes, which only the form's own button saves. */}
        <Button
          disabled={isChanged}
          onClick={async () => {
            await setPublished(KIND, item.id, true)
            onClose()
          }}
        >
          {received.publish}
        </Button>
        <Button tone="outline" onClick={() => void keep()}>
          {received.keep}
        </Button>
      </div>
    </div>
  )
}

/** The text as received, when the admin has edited it, with warnings about medical terms and promises. */
function Original({ kept, form }: { kept: Kept; form: Form }) {
  const came = kept.received.testimonial ?? ''
  const now = String(form.values.testimonial ?? '')
  const isEdited = came !== '' && now.trim() !== came
  return (
    <>
      {speaksOfHealth(now) ? <p className={styles.hint}>{received.health}</p> : null}
      {promises(now) ? <p className={styles.hint}>{received.claim}</p> : null}
      <p className={styles.soft}>{`${received.noEdit} ${received.stars}`}</p>
      {isEdited ? (
        <div className={styles.original}>
          <p className={styles.hint}>{received.edited}</p>
          <p>
            <b>{received.original}</b>
          </p>
          <blockquote>{came}</blockquote>
          <Button tone="outline" small icon={Undo2} onClick={() => form.set({ testimonial: came })}>
            {received.originalAction}
          </Button>
        </div>
      ) : null}
    </>
  )
}

const DRUGS = /(?<!\p{L})(\p{L}*farmac|medicin)/iu

/** Whether the text mentions a drug or a medical term. Health data must not be published, about anyone. */
function speaksOfHealth(text: string): boolean {
  return DRUGS.test(text) || findMedicalTerms(text).some(({ about }) => about !== 'promise')
}

function promises(text: string): boolean {
  return findMedicalTerms(text).some(({ about }) => about === 'promise')
}

function Facts({ kept }: { kept: Kept }) {
  const day = (at: string | null) => (at === null ? words.unknown : dayText(at))
  const isByLink = kept.origin === 'link'
  const facts: readonly (readonly [string, string])[] = [
    [words.way, kept.origin === null ? words.unknown : words.ways[kept.origin]],
    ...(isByLink
      ? ([
          [words.received, day(kept.receivedAt)],
          [words.link, day(kept.requestedAt)],
          [words.activity, kept.activity || words.activityUnknown],
          [words.consentAt, kept.consentedAt === null ? '' : momentText(kept.consentedAt)],
          [words.consent, `${words.version(kept.consentVersion)}. ${kept.consentText}`],
        ] as const)
      : ([[words.consent, words.noConsent]] as const)),
  ]
  return (
    <dl className={styles.facts}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

type NoteProps = { path: string; note: string; onSaved: () => Promise<void> }

function Note({ path, note, onSaved }: NoteProps) {
  const [text, setText] = useState(note)
  const save = async () => {
    const saved = attempt(panelWords.toasts.update, () =>
      call('PUT', `${path}/provenance`, { note: text }),
    )
    if (await saved) {
      toastDone(words.noteSaved)
      await onSaved()
    }
  }
  return (
    <div className={styles.form}>
      <TextareaField
        id="provenance-note"
        label={words.note}
        help={words.noteHint}
        value={text}
        max={testimonialLimits.note}
        onChange={setText}
      />
      <Button tone="outline" small disabled={text === note} onClick={() => void save()}>
        {words.noteSave}
      </Button>
    </div>
  )
}
