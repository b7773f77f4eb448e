// Select field, closed or with a last choice that opens a text.

import { useEffect, useRef, useState } from 'preact/hooks'
import { useItems } from '../../api/items-store'
import { textOf } from '../../api/schema'
import { words as panel } from '../messages'
import { ariaOf, type ControlProps, FieldShell } from './field-shell'
import styles from './fields.module.css'

export type Choice = { readonly value: string; readonly label: string }

export function ChoiceField(props: ControlProps & { choices: readonly Choice[] }) {
  return (
    <FieldShell control={props}>
      <Select {...props} />
    </FieldShell>
  )
}

function Select(props: ControlProps & { choices: readonly Choice[] }) {
  const { id, value, onChange, choices } = props
  return (
    <select
      id={id}
      name={id}
      className={styles.input}
      value={value}
      {...ariaOf(props)}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  )
}

/** Value of the choice that opens a text; a control character, which no typed text contains. */
const OTHER = '\n'

type OpenChoiceProps = ControlProps & { name: string; choices: readonly Choice[] }

/** Offers what the items of the open list have in the same field, too. */
export function OpenChoiceField(props: OpenChoiceProps) {
  const { name, value, choices, onChange } = props
  const lists = useItems((store) => store.lists)
  const [writes, setWrites] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (writes) input.current?.focus()
  }, [writes])
  const used = Object.values(lists).flatMap((list) => list.items.map((item) => textOf(item, name)))
  const known = new Set(choices.map((choice) => choice.value))
  const own = [...new Set(writes ? used : [...used, value])]
    .filter((text) => text !== '' && !known.has(text))
    .sort((one, other) => one.localeCompare(other, 'it'))
  const all = [
    ...choices,
    ...own.map((text) => ({ value: text, label: text })),
    { value: OTHER, label: panel.otherChoice },
  ]
  const choose = (next: string) => {
    setWrites(next === OTHER)
    onChange(next === OTHER ? '' : next)
  }
  return (
    <FieldShell control={props}>
      <Select {...props} value={writes ? OTHER : value} choices={all} onChange={choose} />
      {writes ? (
        <input
          ref={input}
          className={styles.input}
          aria-label={`${props.label}: ${panel.otherChoice}`}
          lang="it"
          spellcheck
          autoComplete="off"
          value={value}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      ) : null}
    </FieldShell>
  )
}
