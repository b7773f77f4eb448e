// The form of one item of any kind, built from the field table of its kind.
import { useRef, useState } from 'preact/hooks'
import { call } from '../../api/client'
import { kindLabels } from '../../api/kind-labels'
import { scheduleLines } from '../../api/schedule'
import { type Item, type Kind, pagePath, titleOf } from '../../api/schema'
import { ConflictDialog } from '../../conflicts/conflict-dialog'
import { DraftRecovery } from '../../drafts/draft-recovery'
import { useItemHighlights } from '../../lint/use-highlights'
import { NO_UNDO_REDO, type UndoRedo, UndoRedoContext } from '../../rich-text/undo-redo-context'
import { Badge } from '../../ui/badge'
import { Confirm } from '../../ui/confirm-dialog'
import { Dialog } from '../../ui/dialog'
import styles from '../../ui/item-form.module.css'
import { lazy } from '../../ui/lazy'
import { words } from '../../ui/messages'
import { ArticleLayout, articleField, LazyItemSeoPreview } from './article-layout'
import { fieldLabel, formMessages } from './form-messages'
import { DraftSavedAt, EditorFooter } from './item-editor-footer'
import { ItemFields } from './item-fields'
import { ItemPreview } from './item-preview'
import { listMessages } from './list-messages'
import { itemMessages } from './messages'
import { OpenScheduleDialog, ScheduleField } from './schedule-field'
import {
  type EditorPanels,
  type EditorProps,
  type ItemEditorState,
  useEditorPanels,
  useItemEditor,
} from './use-item-editor'

// Rarely opened, therefore loaded on demand.
const PreviewLinkDialog = lazy(() =>
  import('../../drafts/preview-link-dialog').then(({ PreviewLinkDialog }) => PreviewLinkDialog),
)

/** Shows where a testimonial comes from. */
const Provenance = lazy(() =>
  // biome-ignore lint/style/noRestrictedImports: the form of a testimonial shows its provenance
  import('../testimonials/provenance').then(({ Provenance }) => Provenance),
)

/** Offers to publish a testimonial that came by a link. */
const ReceivedTestimonial = lazy(() =>
  // biome-ignore lint/style/noRestrictedImports: a received testimonial is settled above its form
  import('../testimonials/provenance').then(({ ReceivedTestimonial }) => ReceivedTestimonial),
)

export function ItemEditor({ kind, item, held, onClose, onChanged }: EditorProps) {
  const own = formMessages[kind]
  const panels = useEditorPanels()
  const editor = useItemEditor({ kind, item, held, onClose, onChanged }, panels.showDetails)
  const [sharing, setSharing] = useState(false)
  const [travel, setTravel] = useState(NO_UNDO_REDO)
  const sheet = useRef<HTMLFormElement>(null)
  useItemHighlights(kind, item?.id ?? 'new', sheet)
  const { form, closing } = editor
  const { previewing } = panels
  const isArticle = articleField(kind) !== null
  const isShown = item !== null && own.isMail !== true
  const state = isShown ? <State kind={kind} item={item} /> : null
  return (
    <Dialog
      title={item === null ? own.addTitle : own.editTitle}
      aside={
        isArticle ? (
          <div className={styles.brief}>
            {state}
            <DraftSavedAt at={form.keptAt} />
          </div>
        ) : (
          state
        )
      }
      onClose={closing.ask}
      size={isArticle ? 'page' : previewing ? 'wide' : 'large'}
      footer={
        <EditorFooter
          {...{ kind, item, editor, panels, travel }}
          onShare={() => setSharing(true)}
        />
      }
    >
      <div className={isArticle ? styles.studio : previewing ? styles.split : ''}>
        <form
          ref={sheet}
          id="editor"
          className={isArticle ? styles.leaves : styles.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            editor.submit()
          }}
        >
          <FormBody {...{ kind, item, editor, panels, onClose }} onTravel={setTravel} />
        </form>
        {previewing ? <ItemPreview kind={kind} id={item?.id ?? null} values={form.values} /> : null}
      </div>
      <EditorDialogs {...{ kind, item, editor, onClose }} />
      {sharing && item !== null ? (
        <PreviewLinkDialog
          create={() => call('POST', `/api/admin/${kind}/${item.id}/preview-link`)}
          note={
            form.dirty ? 'Mostra l’ultima versione salvata, senza le modifiche di adesso.' : null
          }
          onClose={() => setSharing(false)}
        />
      ) : null}
    </Dialog>
  )
}

type FormBodyProps = EditorProps & {
  editor: ItemEditorState
  panels: EditorPanels
  onTravel: (travel: UndoRedo) => void
}

function FormBody({ kind, item, editor, panels, onTravel, onClose }: FormBodyProps) {
  const { form, onBusy, planning } = editor
  const written = articleField(kind)
  const planned = <ScheduleField kind={kind} item={item} planning={planning} />
  const fields = { kind, item, form, onBusy, planned }
  if (written === null) {
    return (
      <>
        <DraftRecovery form={form} />
        {listMessages[kind].isAsked === true && item?.published === false ? (
          <ReceivedTestimonial item={item} form={form} onClose={onClose} />
        ) : null}
        <ItemFields {...fields} />
        <LazyItemSeoPreview kind={kind} item={item} values={form.values} />
        {listMessages[kind].isAsked === true && item !== null ? (
          <Provenance item={item} form={form} onClose={onClose} />
        ) : null}
      </>
    )
  }
  return (
    <UndoRedoContext.Provider value={onTravel}>
      <ArticleLayout
        written={written}
        fields={fields}
        details={panels.details}
        isFolded={panels.previewing || !panels.side.open}
      />
    </UndoRedoContext.Provider>
  )
}

/** The questions of the form: about a conflict, a schedule, and text that closing would lose. */
function EditorDialogs({ kind, item, editor, onClose }: EditorProps & { editor: ItemEditorState }) {
  const { saving, planning, closing } = editor
  const { asked } = saving.conflict
  return (
    <>
      {asked === null || item === null ? null : (
        <ConflictDialog
          what={`«${titleOf(item, words.untitled)}»`}
          savedAt={asked.question.other.updatedAt}
          labelOf={(name) => fieldLabel(kind, name)}
          question={asked.question}
          onAnswer={asked.answer}
        />
      )}
      <OpenScheduleDialog item={item} planning={planning} />
      {closing.asking ? <LeaveDialog onStay={closing.stay} onLeave={onClose} /> : null}
    </>
  )
}

function State({ kind, item }: { kind: Kind; item: Item }) {
  const { status, where } = kindLabels[kind]
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
      question={itemMessages.unsaved}
      confirm="Chiudi senza salvare"
      cancel="Continua a scrivere"
      onClose={onStay}
      onConfirm={async () => onLeave()}
    />
  )
}
