// The form of a block: all its fields in the order of its definition, and the tools for the block.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { fill } from '../../../../lib/interpolate'
import { Button } from '../../../ui/button'
import { toastDone } from '../../../ui/toast-store'
import type { Block, FieldValue, ObjectValue } from '../api/content-api'
import { emitFieldInput } from '../editing/field-input-events'
import { wording } from '../messages'
import { titleOfEntry } from '../model/choice-labels'
import {
  emptyEntry,
  equal,
  fieldAt,
  fieldId,
  getIn,
  setIn,
  withEntry,
  withMoved,
  withoutEntry,
  withPicturesOf,
} from '../model/field-path'
import {
  blockOf,
  draftOf,
  type Edit,
  edit,
  flushAll,
  persistPendingInput,
  revert,
  usePages,
} from '../model/pages-store'
import type { ChipContext } from '../model/rich-value'
import { trackFieldPath } from '../model/track-field-path'
import { ContentField, type EntriesChange } from './content-field'
import styles from './form.module.css'
import { LinksToHiddenSection } from './link-to-hidden-section'
import { focusAtEnd, scrollPanelToField } from './scroll-panel-to-field'

type BlockFormProps = {
  block: Block
  known: ChipContext
  /** Path of the field that was chosen on the page: it is scrolled to and focused. */
  place: string | null
  focuses: boolean
  onVersions: () => void
}

export function BlockForm({ block, known, place, focuses, onVersions }: BlockFormProps) {
  const draft = useDraft(block)
  const problems = usePages((store) => store.problems)
  const form = useRef<HTMLDivElement>(null)
  usePlaceInView(form, block.id, place, focuses)
  const problemAt = (path: string) => problems[`${block.id}:${path}`]
  const onEntries = entriesChange(block)
  return (
    <div className={styles.form} ref={form} onFocusOut={flushAll}>
      {block.fields.map((field) => (
        <ContentField
          key={field.name}
          id={fieldId(block.id, field.name)}
          path={field.name}
          field={field}
          word={draft.value[field.name] ?? null}
          known={known}
          problemAt={problemAt}
          onChange={(path, word, typed = null, letters) =>
            changeField(block, path, word, typed, letters)
          }
          onLetter={(path, word) => emitFieldInput(block, path, word)}
          onUnpaused={(path, word) => persistPendingInput(block.id, path, word)}
          hold={trackPathIn(block)}
          onEntries={onEntries}
        />
      ))}
      <BlockTools block={block} value={draft.value} hidden={draft.hidden} onVersions={onVersions} />
    </div>
  )
}

/**
 * The draft of the block. A component subscribes to its store only after its first frame; this form takes keystrokes
 * before, and without a new value its fields went back to the former text, which lost the first letters.
 */
function useDraft(block: Block) {
  const [, render] = useState({})
  useLayoutEffect(
    () =>
      usePages.subscribe((store, former) => {
        if (draftOf(store, block) !== draftOf(former, block)) render({})
      }),
    [block],
  )
  return usePages((store) => draftOf(store, block))
}

/** Value with the draft and pending keystrokes. The block that an upload started with may be older. */
function valueNow(block: Block): ObjectValue {
  flushAll()
  return draftOf(usePages.getState(), blockOf(block.id) ?? block).value
}

/** Returns the number of the undo step, for `revert`. */
export function changeField(
  block: Block,
  path: string,
  word: FieldValue,
  typed: string | null,
  letters?: Edit['letters'],
): number {
  const value = setIn(valueNow(block), path, word)
  const what = fieldAt(block.fields, path)?.label ?? block.label
  return edit({ block: block.id, path, what, value, typed, letters })
}

/** Tracks a field during an upload, so that the result arrives at the right path after entries have moved. */
export function trackPathIn(block: Block): (path: string) => () => string | null {
  return (path) => {
    const found = trackFieldPath(valueNow(block), path)
    return () => found(valueNow(block))
  }
}

export function entriesChange(block: Block): EntriesChange {
  return (list, change) => {
    const value = valueNow(block)
    const field = fieldAt(block.fields, list)
    const what = field?.label ?? block.label
    const changed = (): ObjectValue => {
      switch (change.kind) {
        case 'add':
          return withEntry(value, list, change.index, emptyEntry(field?.fields ?? []))
        case 'remove':
          return withoutEntry(value, list, change.index)
        case 'move':
          return withMoved(value, list, change.from, change.to)
      }
    }
    const step = edit({ block: block.id, path: list, what, value: changed() })
    if (change.kind !== 'remove') return
    // No confirmation: the removal is not published yet and can be undone.
    const gone = getIn(value, `${list}[${change.index}]`)
    const { blocks } = usePages.getState()
    const title = titleOfEntry(gone, field?.fields ?? [], wording.entries.new, blocks ?? [])
    toastDone(fill(wording.entries.removed, { title }), () => revert(step))
  }
}

type BlockToolsProps = { block: Block; value: ObjectValue; hidden: boolean; onVersions: () => void }

function BlockTools({ block, value, hidden, onVersions }: BlockToolsProps) {
  const { field } = wording
  const original = withPicturesOf(value, block.fields, block.default)
  const set = (change: { value?: ObjectValue; hidden?: boolean }, what: string) => {
    // On touch screens a button does not blur the field, so its keystrokes have to become the earlier undo step.
    flushAll()
    edit({ block: block.id, path: '', what, ...change })
  }
  return (
    <div className={styles.tools}>
      {hidden ? (
        <>
          <p className={styles.soft}>{field.hidden}</p>
          <LinksToHiddenSection block={block} />
        </>
      ) : null}
      {block.hideable ? (
        <Button
          tone="quiet"
          small
          onClick={() => set({ hidden: !hidden }, hidden ? field.show : field.hide)}
        >
          {hidden ? field.show : field.hide}
        </Button>
      ) : null}
      {equal(value, original) ? null : (
        <Button tone="quiet" small onClick={() => set({ value: original }, field.original)}>
          {field.original}
        </Button>
      )}
      <Button tone="quiet" small onClick={onVersions}>
        {field.versions}
      </Button>
      {block.changed && block.defaultChanged === true ? (
        <>
          <p className={styles.soft}>{field.originalChanged}</p>
          <Button tone="quiet" small onClick={onVersions}>
            {field.originalCompare}
          </Button>
        </>
      ) : null}
    </div>
  )
}

/** Opens the list entries around the chosen field and scrolls to it. */
function usePlaceInView(
  form: { current: HTMLElement | null },
  block: string,
  place: string | null,
  focuses: boolean,
): void {
  useLayoutEffect(() => {
    if (place === null) return
    const field = form.current?.querySelector<HTMLElement>(`#${CSS.escape(fieldId(block, place))}`)
    for (let around = field?.parentElement; around; around = around.parentElement) {
      if (around instanceof HTMLDetailsElement) around.open = true
      if (around === form.current) break
    }
    if (field) scrollPanelToField(field)
    if (focuses && field) focusAtEnd(field)
  }, [form, block, place, focuses])
}
