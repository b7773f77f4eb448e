// The form of one item of any kind, built from the field table of its kind.
import { Eye, EyeOff, Link2, SlidersHorizontal } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { openLayer } from '../../../lib/dialog-history'
import { fieldErrorsOf, reasonOf } from '../../api/client'
import { fieldLabel, wording } from '../../api/collection-messages'
import { setPublished } from '../../api/item-actions'
import { changeItem, createItem } from '../../api/items-store'
import { scheduleLines } from '../../api/schedule'
import {
  bodyOf,
  formValues,
  type Item,
  type Kind,
  kindSpecs,
  pagePath,
  problemsOf,
  titleOf,
  type Values,
} from '../../api/schema'
import { ConflictDialog, useConflict } from '../../conflicts/conflict-dialog'
import { conflictWords } from '../../conflicts/messages'
import type { ChooseFields } from '../../conflicts/save-with-merge'
import { DraftRecovery } from '../../drafts/draft-recovery'
import { type Form, useForm, useLeaveGuard } from '../../drafts/use-form'
import { useSaveKey } from '../../hooks/use-keys'
import { usePendingUploads } from '../../hooks/use-pending-uploads'
import { usePersistedDisclosure } from '../../hooks/use-persisted-disclosure'
import { useItemHighlights } from '../../lint/use-highlights'
import { NO_UNDO_REDO, UndoRedoContext } from '../../rich-text/undo-redo-context'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Confirm } from '../../ui/confirm-dialog'
import { Dialog } from '../../ui/dialog'
import styles from '../../ui/item-form.module.css'
import { lazy } from '../../ui/lazy'
import { words } from '../../ui/messages'
import { toastDone, toastFailed } from '../../ui/toast-store'
import { ArticleLayout, articleField, LazyItemSeoPreview } from './article-layout'
import { ArticleToolbar, DraftSavedAt } from './article-toolbar'
import { unsettledDate } from './date-preview'
import { ItemFields } from './item-fields'
import { ItemPreview } from './item-preview'
import { OpenScheduleDialog, ScheduleField, type Scheduling, useScheduling } from './schedule-field'

// Rarely opened, therefore loaded on demand.
const PreviewLinkDialog = lazy(() =>
  import('./preview-link-dialog').then(({ PreviewLinkDialog }) => PreviewLinkDialog),
)

/** Shows where a testimonial comes from. */
const Provenance = lazy(() =>
  // biome-ignore lint/style/noRestrictedImports: the form of a testimonial shows its provenance
  import('../testimonials/provenance').then(({ Provenance }) => Provenance),
)

const SIDE_KEY = 'respiro-article-side'

type EditorProps = { kind: Kind; item: Item | null; onClose: () => void }

export function ItemEditor({ kind, item, onClose }: EditorProps) {
  const own = wording[kind]
  const form = useForm(
    `${kind}/${item?.id ?? 'new'}`,
    formValues(kind, item),
    item?.updatedAt ?? null,
  )
  const { uploading, tell } = usePendingUploads()
  const [previewing, setPreviewing] = useState(false)
  const [sharing, setSharing] = useState(false)
  const [details, setDetails] = useState(false)
  const [travel, setTravel] = useState(NO_UNDO_REDO)
  const side = usePersistedDisclosure(SIDE_KEY)
  useLayerOfPhone(previewing, () => setPreviewing(false))
  useLayerOfPhone(details, () => setDetails(false))
  const planning = useScheduling(kind, item)
  const saving = useSave({ kind, item, form, planning, onClose })
  const closing = useClosing(form, uploading, onClose)
  useLeaveGuard(uploading || saving.busy)
  const sheet = useRef<HTMLFormElement>(null)
  useItemHighlights(kind, item?.id ?? 'new', sheet)

  const empty = item === null && hasEmptyRequired(kind, form.values)
  const blocked = uploading || empty || (item !== null && !form.dirty)
  const submit = () => void saving.save({})
  useSaveKey(blocked || saving.busy ? null : submit)

  const written = articleField(kind)
  const planned = <ScheduleField kind={kind} item={item} planning={planning} />
  const fields = { kind, item, form, onBusy: tell, planned }

  const isShown = item !== null && own.isMail !== true
  const state = isShown ? <State kind={kind} item={item} /> : null
  const publishes = own.publishButton !== undefined && form.values.published !== true
  const cancel = (
    <Button tone="quiet" onClick={closing.ask}>
      {words.cancel}
    </Button>
  )
  const footer = (
    <>
      <div className={styles.tools}>
        {written === null ? null : <ArticleToolbar travel={travel} side={side} />}
        {own.isMail === true ? null : (
          <Button
            tone="quiet"
            icon={previewing ? EyeOff : Eye}
            pressed={previewing}
            onClick={() => setPreviewing(!previewing)}
          >
            Anteprima
          </Button>
        )}
        {written === null ? null : (
          <span className={styles.narrowOnly}>
            <Button
              tone="quiet"
              icon={SlidersHorizontal}
              pressed={details}
              onClick={() => setDetails(!details)}
            >
              Dettagli
            </Button>
          </span>
        )}
        {item === null || item.published || own.isMail === true ? null : (
          <span className={written === null || details ? '' : styles.wideOnly}>
            <Button tone="quiet" icon={Link2} onClick={() => setSharing(true)}>
              Condividi bozza
            </Button>
          </span>
        )}
      </div>
      {publishes ? (
        <Button
          tone="outline"
          disabled={uploading || empty}
          busy={saving.busy}
          onClick={() => void saving.save({ published: true })}
        >
          {written === null ? (
            own.publishButton
          ) : (
            <Short word="Pubblica" whole={own.publishButton} />
          )}
        </Button>
      ) : null}
      {/* A narrow article form has only the × of the dialog: the save button needs the room. */}
      {written === null ? cancel : <span className={styles.wideOnly}>{cancel}</span>}
      <Button submit form="editor" disabled={blocked} busy={saving.busy}>
        {saving.busy ? words.saving : item === null ? own.addSubmit : words.saveChanges}
      </Button>
    </>
  )

  return (
    <Dialog
      title={item === null ? own.addTitle : own.editTitle}
      aside={
        written === null ? (
          state
        ) : (
          <div className={styles.brief}>
            {state}
            <DraftSavedAt at={form.keptAt} />
          </div>
        )
      }
      onClose={closing.ask}
      size={written === null ? (previewing ? 'wide' : 'large') : 'page'}
      footer={footer}
    >
      <div className={written !== null ? styles.studio : previewing ? styles.split : ''}>
        <form
          ref={sheet}
          id="editor"
          className={written === null ? styles.form : styles.leaves}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (!blocked && !saving.busy) submit()
          }}
        >
          {written === null ? (
            <>
              <DraftRecovery form={form} />
              <ItemFields {...fields} />
              <LazyItemSeoPreview kind={kind} item={item} values={form.values} />
              {own.isAsked === true && item !== null ? (
                <Provenance item={item} form={form} onClose={onClose} />
              ) : null}
            </>
          ) : (
            <UndoRedoContext.Provider value={setTravel}>
              <ArticleLayout
                written={written}
                fields={fields}
                details={details}
                isFolded={previewing || !side.open}
              />
            </UndoRedoContext.Provider>
          )}
        </form>
        {previewing ? <ItemPreview kind={kind} id={item?.id ?? null} values={form.values} /> : null}
      </div>
      {saving.conflict.asked === null || item === null ? null : (
        <ConflictDialog
          what={`«${titleOf(item, words.untitled)}»`}
          savedAt={saving.conflict.asked.question.other.updatedAt}
          labelOf={(name) => fieldLabel(kind, name)}
          question={saving.conflict.asked.question}
          onAnswer={saving.conflict.asked.answer}
        />
      )}
      <OpenScheduleDialog item={item} planning={planning} />
      {closing.asking ? <LeaveDialog onStay={closing.stay} onLeave={onClose} /> : null}
      {sharing && item !== null ? (
        <PreviewLinkDialog
          kind={kind}
          id={item.id}
          unsaved={form.dirty}
          onClose={() => setSharing(false)}
        />
      ) : null}
    </Dialog>
  )
}

/** On a narrow screen the open panel replaces the form, so Back has to close the panel first. */
function useLayerOfPhone(open: boolean, close: () => void): void {
  useEffect(() => {
    const isNarrow = window.matchMedia('(width < 60rem)').matches
    return open && isNarrow ? openLayer(close) : undefined
  }, [open])
}

/** Shows `word` on narrow screens and `whole` on wide ones. */
function Short({ word, whole }: { word: string; whole: string | undefined }) {
  return (
    <>
      <span className={styles.narrowOnly}>{word}</span>
      <span className={styles.wideOnly}>{whole}</span>
    </>
  )
}

function State({ kind, item }: { kind: Kind; item: Item }) {
  const { status, where } = wording[kind]
  const planned = scheduleLines(item.plan, item.published)
  if (!item.published) {
    return (
      <p className={styles.state}>
        <Badge>{status.off}</Badge>
        <span>{['Non compare sul sito', ...planned].join(' · ')}.</span>
      </p>
    )
  }
  return (
    <p className={styles.state}>
      <Badge tone="good">{status.on}</Badge>
      <a href={pagePath(kind, item) ?? where.path} target="_blank" rel="noopener">
        Visibile in {where.label}
      </a>
      <span>{planned.join(' · ')}</span>
    </p>
  )
}

export function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  return (
    <Confirm
      question={words.unsaved}
      confirm="Chiudi senza salvare"
      cancel="Continua a scrivere"
      onClose={onStay}
      onConfirm={async () => onLeave()}
    />
  )
}

type SaveParts = {
  kind: Kind
  item: Item | null
  form: Form
  planning: Scheduling
  onClose: () => void
}

function useSave({ kind, item, form, planning, onClose }: SaveParts) {
  const own = wording[kind]
  const [busy, setBusy] = useState(false)
  const conflict = useConflict<Item>()

  const save = async (extra: Values) => {
    const values = { ...form.values, ...extra }
    const problems = problemsOf(kind, values, words.problems)
    form.setProblems(problems)
    if (Object.keys(problems).length > 0) {
      focusFirstProblem()
      return
    }
    setBusy(true)
    const dates = own.dateTexts
    if (dates !== undefined && values.published === true) {
      const unsettled = await unsettledDate(values, dates, item)
      form.setProblems(unsettled)
      if (Object.keys(unsettled).length > 0) {
        setBusy(false)
        focusFirstProblem()
        return
      }
    }
    try {
      if (item === null) {
        const made = await createItem(kind, newBody(kind, values))
        await planning.sendFor(made.id)
      } else if (!(await write(kind, item, form, values, conflict.choose))) {
        toastDone(conflictWords.laterDone)
        setBusy(false)
        return
      }
      form.saved()
      sayDone(kind, item, form, extra.published === true)
      onClose()
    } catch (error) {
      const fields = fieldErrorsOf(error)
      form.setProblems(fields)
      toastFailed(item === null ? own.toasts.addFailed : words.toasts.update, reasonOf(error))
      setBusy(false)
      if (Object.keys(fields).length > 0) focusFirstProblem()
    }
  }
  return { busy, save, conflict }
}

/** Success toast. Its 'Annulla' reverts `published` if the publish button was `pressed` or nothing else changed. */
function sayDone(kind: Kind, item: Item | null, form: Form, pressed: boolean): void {
  const { toasts } = wording[kind]
  if (item === null) {
    toastDone(toasts.added(1))
    return
  }
  const alone = form.changed.length === 1 && form.changed[0] === 'published'
  const undo = pressed || alone ? () => void setPublished(kind, item.id, item.published) : null
  toastDone(pressed ? toasts.published : toasts.updated, undo)
}

/** Returns false when the admin postpones the choice between the two texts of a conflict. */
async function write(
  kind: Kind,
  item: Item,
  form: Form,
  values: Values,
  choose: ChooseFields<Item>,
): Promise<boolean> {
  return changeItem(kind, item.id, form.ground, withoutEmptyDate(values), choose)
}

function newBody(kind: Kind, values: Values) {
  return bodyOf(withoutEmptyDate(values), kindSpecs[kind].fields)
}

/** Drops an empty date, so that the server sets it. */
function withoutEmptyDate(values: Values): Values {
  const { createdAt, ...rest } = values
  return createdAt === undefined || createdAt === '' ? rest : values
}

/** Closes without a question while the draft is saved in the browser, because nothing is lost then. */
function useClosing(form: Form, uploading: boolean, onClose: () => void) {
  const [asking, setAsking] = useState(false)
  const ask = () => {
    const loses = uploading || (form.dirty && !form.kept)
    if (loses) {
      setAsking(true)
      return
    }
    if (form.dirty) toastDone(words.keptForLater)
    onClose()
  }
  return { asking, ask, stay: () => setAsking(false) }
}

function hasEmptyRequired(kind: Kind, values: Values): boolean {
  return Object.values(problemsOf(kind, values, words.problems)).includes(words.problems.required)
}

export function focusFirstProblem(): void {
  setTimeout(() => {
    const field = document.querySelector('dialog[open] [aria-invalid=true]')
    if (field instanceof HTMLElement) field.focus()
  }, 0)
}
