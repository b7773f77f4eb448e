// State of the form of one item: its values, saving and closing, and which panels are open.
import { useEffect, useState } from 'preact/hooks'
import { openLayer } from '../../../lib/dialog-history'
import { fieldErrorsOf, reasonOf } from '../../api/client'
import { setPublished } from '../../api/item-actions'
import { changeItem, createItem } from '../../api/items-store'
import {
  bodyOf,
  formValues,
  type Item,
  type Kind,
  kindSpecs,
  problemsOf,
  type Values,
} from '../../api/schema'
import { useConflict } from '../../conflicts/conflict-dialog'
import { conflictMessages } from '../../conflicts/messages'
import type { ChooseFields } from '../../conflicts/save-with-merge'
import { type Form, useForm, useLeaveGuard } from '../../drafts/use-form'
import { useSaveKey } from '../../hooks/use-keys'
import { usePendingUploads } from '../../hooks/use-pending-uploads'
import { usePersistedDisclosure } from '../../hooks/use-persisted-disclosure'
import { focusFirstProblem } from '../../ui/fields/focus-first-problem'
import { words } from '../../ui/messages'
import { toastDone, toastFailed } from '../../ui/toast-store'
import { articleField } from './article-layout'
import { formMessages } from './form-messages'
import { heldProblems } from './load-publish-check'
import { type Scheduling, useScheduling } from './schedule-field'

const SIDE_KEY = 'respiro-article-side'

export type EditorProps = {
  kind: Kind
  item: Item | null
  /** Reasons why the switch of the list did not publish the item, by field name. */
  held?: Problems | undefined
  onClose: () => void
  /** Called after a published item was changed. */
  onChanged?:
    | ((change: { kind: Kind; id: string; before: Values; after: Values }) => void)
    | undefined
}

type Problems = Readonly<Record<string, string>>

export type ItemEditorState = ReturnType<typeof useItemEditor>

export function useItemEditor(
  { kind, item, held, onClose, onChanged }: EditorProps,
  showDetails: () => void,
) {
  const form = useForm(
    `${kind}/${item?.id ?? 'new'}`,
    formValues(kind, item),
    item?.updatedAt ?? null,
  )
  const { uploading, tell } = usePendingUploads()
  const refuse = (problems: Problems) => {
    form.setProblems(problems)
    const names = Object.keys(problems)
    const written = articleField(kind)
    // The other fields of an article stand in a panel, which may be closed.
    const isAside = (name: string) => name !== written && name !== 'title'
    if (written !== null && names.length > 0 && names.every(isAside)) showDetails()
    if (names.length > 0) focusFirstProblem()
  }
  const planning = useScheduling(kind, item, {
    problems: () => heldProblems(kind, form.values, item),
    refuse,
  })
  useEffect(() => {
    if (held !== undefined) refuse(held)
  }, [held])
  const saving = useSaveItem({ kind, item, form, planning, refuse, onClose, onChanged })
  const closing = useClosing(form, uploading, onClose)
  useLeaveGuard(uploading || saving.busy)
  const cannotPublish = uploading || (item === null && hasEmptyRequired(kind, form.values))
  const cannotSave = cannotPublish || (item !== null && !form.dirty)
  const submit = () => {
    if (!cannotSave && !saving.busy) void saving.save({})
  }
  useSaveKey(cannotSave || saving.busy ? null : submit)
  return { form, onBusy: tell, planning, saving, closing, cannotPublish, cannotSave, submit }
}

export type EditorPanels = ReturnType<typeof useEditorPanels>

/** State of the panes beside the form: the preview, and the fields around the text of an article. */
export function useEditorPanels() {
  const [previewing, setPreviewing] = useState(false)
  const [details, setDetails] = useState(false)
  const side = usePersistedDisclosure(SIDE_KEY)
  useLayerOnPhone(previewing, () => setPreviewing(false))
  useLayerOnPhone(details, () => setDetails(false))
  return {
    previewing,
    details,
    side,
    togglePreview: () => setPreviewing(!previewing),
    toggleDetails: () => setDetails(!details),
    showDetails: () => setDetails(true),
  }
}

/** On a narrow screen the open panel replaces the form, so Back has to close the panel first. */
function useLayerOnPhone(open: boolean, close: () => void): void {
  useEffect(() => {
    const isNarrow = window.matchMedia('(width < 60rem)').matches
    return open && isNarrow ? openLayer(close) : undefined
  }, [open])
}

type SaveParts = {
  kind: Kind
  item: Item | null
  form: Form
  planning: Scheduling
  /** Marks the fields and moves the focus to the first one. */
  refuse: (problems: Problems) => void
  onClose: () => void
  onChanged: EditorProps['onChanged']
}

function useSaveItem(parts: SaveParts) {
  const { kind, item, form, planning, refuse, onClose, onChanged } = parts
  const own = formMessages[kind]
  const [busy, setBusy] = useState(false)
  const conflict = useConflict<Item>()

  const save = async (extra: Values) => {
    const values = { ...form.values, ...extra }
    const problems = problemsOf(kind, values, words.problems)
    refuse(problems)
    if (Object.keys(problems).length > 0) return
    setBusy(true)
    // The schedule publishes what is saved now.
    const isPublishing = values.published === true || planning.plan.publishAt !== null
    if (own.publishButton !== undefined && isPublishing) {
      const held = await heldProblems(kind, values, item)
      if (Object.keys(held).length > 0) {
        setBusy(false)
        refuse(held)
        return
      }
    }
    try {
      if (item === null) {
        const made = await createItem(kind, newBody(kind, values), form.creationKey())
        await planning.sendFor(made.id)
      } else if (!(await saveChanges(kind, item, form, values, conflict.choose))) {
        toastDone(conflictMessages.laterDone)
        setBusy(false)
        return
      }
      form.saved()
      reportSaved(kind, item, form, extra.published === true)
      onClose()
      if (item !== null && values.published === true) {
        onChanged?.({ kind, id: item.id, before: formValues(kind, item), after: values })
      }
    } catch (error) {
      toastFailed(item === null ? own.addFailed : words.toasts.update, reasonOf(error))
      setBusy(false)
      refuse(fieldErrorsOf(error))
    }
  }
  return { busy, save, conflict }
}

/** Success toast. Its 'Annulla' reverts `published` if the publish button was `pressed` or nothing else changed. */
function reportSaved(kind: Kind, item: Item | null, form: Form, pressed: boolean): void {
  const messages = formMessages[kind]
  if (item === null) {
    toastDone(messages.added(1))
    return
  }
  const alone = form.changed.length === 1 && form.changed[0] === 'published'
  const undo = pressed || alone ? () => void setPublished(kind, item.id, item.published) : null
  toastDone(pressed ? messages.published : messages.updated, undo)
}

/** Returns false when the admin postpones the choice between the two texts of a conflict. */
async function saveChanges(
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
