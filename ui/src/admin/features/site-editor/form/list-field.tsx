// List field: entries expand, and are added, removed and reordered by pointer or keyboard.
import { ArrowDown, ArrowUp, GripVertical, Plus, Trash2 } from 'lucide'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { fill } from '../../../../lib/interpolate'
import hidden from '../../../../primitives/hidden.module.css'
import { Icon } from '../../../../primitives/icon'
import { useDragReorder } from '../../../hooks/use-drag-reorder'
import { Button, IconButton } from '../../../ui/button'
import { Problem, problemId } from '../../../ui/fields/field-shell'
import type { FieldValue } from '../api/content-api'
import { wording } from '../messages'
import { titleOfEntry } from '../model/choice-labels'
import { idOf } from '../model/draft-diff'
import { isList, isObjectValue } from '../model/field-path'
// biome-ignore lint/suspicious/noImportCycles: a list holds entries, an entry fields, and a field may be a list
import { ContentField, type ContentFieldProps } from './content-field'
import { type KeyedEntries, keyEntries } from './entry-keys'
import styles from './form.module.css'

const { entries: own } = wording

export function ListField(props: ContentFieldProps) {
  const { field, path, word, onEntries, problemAt, id } = props
  const entries = isList(word) ? word : []
  const list = useRef<HTMLOListElement>(null)
  const [said, setSaid] = useState('')
  const least = field.min ?? 0
  const most = field.max ?? Number.POSITIVE_INFINITY
  const problem = problemAt(path)
  const focusBack = useFocusBack(list, entries)
  const named = useRef<KeyedEntries | null>(null)
  named.current = keyEntries(entries, named.current)
  const { keys } = named.current

  const titleAt = (index: number) =>
    titleOfEntry(entries[index], field.fields ?? [], own.new, props.known.blocks)
  const move = (from: number, to: number, control: string) => {
    if (to < 0 || to >= entries.length || to === from) return
    onEntries(path, { kind: 'move', from, to })
    setSaid(fill(own.moved, { title: titleAt(from), n: to + 1, total: entries.length }))
    focusBack(to, control)
  }
  const remove = (index: number) => {
    onEntries(path, { kind: 'remove', index })
    setSaid(fill(own.removed, { title: titleAt(index) }))
    focusBack(Math.min(index, entries.length - 2), 'grip')
  }
  const add = (index: number) => {
    onEntries(path, { kind: 'add', index })
    setSaid(fill(own.added, { n: index + 1 }))
    focusBack(index, 'first')
  }
  useDragReorder(list, entries.length > 1, styles, (from, to) => move(from, to, 'grip'))

  return (
    <fieldset className={styles.entries} id={id} tabIndex={-1}>
      <legend>{field.label}</legend>
      <ol ref={list}>
        {entries.map((entry, index) => (
          <Entry
            key={keys[index]}
            {...props}
            entry={entry}
            index={index}
            total={entries.length}
            title={titleAt(index)}
            onMove={(to, control) => move(index, to, control)}
            onRemove={entries.length <= least ? null : () => remove(index)}
            onAdd={entries.length >= most ? null : () => add(index + 1)}
          />
        ))}
      </ol>
      {entries.length >= most ? (
        <p className={styles.soft}>{fill(own.most, { n: most })}</p>
      ) : (
        <Button tone="outline" small icon={Plus} onClick={() => add(entries.length)}>
          {own.addShort}
        </Button>
      )}
      {problem === undefined ? null : <Problem id={problemId(id)} text={problem} />}
      <p className={hidden.hidden} aria-live="polite">
        {said}
      </p>
    </fieldset>
  )
}

type EntryProps = ContentFieldProps & {
  entry: FieldValue
  index: number
  total: number
  title: string
  onMove: (to: number, control: string) => void
  onRemove: (() => void) | null
  onAdd: (() => void) | null
}

function Entry(props: EntryProps) {
  const { entry, index, total, title, path, field, onMove, onRemove, onAdd } = props
  const place = `${path}[${index}]`
  // Of its first rendering: an entry must not close when another one is added.
  const [isOpened] = useState(total === 1 || (isObjectValue(entry) && idOf(entry) === null))
  return (
    <li data-entry={index}>
      <div className={styles.row}>
        <button
          type="button"
          className={styles.grip}
          data-move="grip"
          aria-label={fill(own.move, { title })}
          title={own.keysHint}
          onKeyDown={(event) => {
            const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
            if (step === undefined) return
            event.preventDefault()
            onMove(index + step, 'grip')
          }}
        >
          <Icon of={GripVertical} size={18} />
        </button>
        <details className={styles.entry} open={isOpened}>
          <summary>
            <span>{title}</span>
            <small>{fill(own.position, { n: index + 1, total })}</small>
          </summary>
          <div className={styles.fields}>
            {(field.fields ?? []).map((inner) => (
              <ContentField
                key={inner.name}
                {...props}
                id={`${props.id}-${index}-${inner.name}`}
                path={`${place}.${inner.name}`}
                field={inner}
                word={isObjectValue(entry) ? (entry[inner.name] ?? null) : null}
              />
            ))}
            <EntryTools {...{ index, total, title, onMove, onRemove, onAdd }} />
          </div>
        </details>
      </div>
    </li>
  )
}

type EntryToolsProps = Pick<
  EntryProps,
  'index' | 'total' | 'title' | 'onMove' | 'onRemove' | 'onAdd'
>

function EntryTools({ index, total, title, onMove, onRemove, onAdd }: EntryToolsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a frame and a minimum size of its own
    <div className={styles.entryTools} role="group" aria-label={fill(own.tools, { title })}>
      <span data-move="up">
        <IconButton
          label={own.moveUp}
          icon={ArrowUp}
          disabled={index === 0}
          onClick={() => onMove(index - 1, 'up')}
        />
      </span>
      <span data-move="down">
        <IconButton
          label={own.moveDown}
          icon={ArrowDown}
          disabled={index === total - 1}
          onClick={() => onMove(index + 1, 'down')}
        />
      </span>
      <IconButton
        label={fill(own.addAfter, { title })}
        tip={own.addShort}
        icon={Plus}
        disabled={onAdd === null}
        onClick={() => onAdd?.()}
      />
      <IconButton
        label={fill(own.remove, { title })}
        tip={onRemove === null ? own.least : own.removeShort}
        icon={Trash2}
        danger
        disabled={onRemove === null}
        onClick={() => onRemove?.()}
      />
    </div>
  )
}

/**
 * Moves the focus after a change: to the same control after a reorder, to the first field of a new entry, to the
 * list once it is empty.
 */
function useFocusBack(list: { current: HTMLElement | null }, entries: readonly FieldValue[]) {
  const wanted = useRef<{ index: number; control: string } | null>(null)
  useLayoutEffect(() => {
    const focus = wanted.current
    if (focus === null) return
    wanted.current = null
    const row = list.current?.querySelector(`:scope > [data-entry="${focus.index}"]`)
    // An entry may contain lists, whose entries have controls with the same names.
    const controls = [...(row?.querySelectorAll(`[data-move=${focus.control}]`) ?? [])]
    const control = controls.find((one) => one.closest('[data-entry]') === row)
    const target =
      focus.control === 'first'
        ? row?.querySelector('input, textarea, [contenteditable], select')
        : (control?.querySelector('button') ?? control)
    const found = target ?? list.current?.closest('fieldset')
    if (found instanceof HTMLElement) found.focus()
  }, [entries, list])
  return (index: number, control: string) => {
    wanted.current = { index, control }
  }
}
