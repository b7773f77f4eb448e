// One of a fixed list, by its Italian name where it has one.
import fields from '../fields/fields.module.css'
import { ariaOf, type ControlProps, Shell } from '../fields/shell'
import type { Field } from './contract'
import { choicesOf } from './value'
import { wording } from './wording'

const NAMES: Readonly<Record<string, string>> = {
  ...wording.appearance.icons,
  ...wording.appearance.colors,
}

export function SelectField(props: ControlProps & { field: Field }) {
  const { id, value, onChange, field } = props
  return (
    <Shell control={props}>
      <select
        id={id}
        name={id}
        className={fields.input}
        value={value}
        {...ariaOf(props)}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {choicesOf(field).map((choice) => (
          <option key={choice.value} value={choice.value}>
            {NAMES[choice.value] ?? choice.label}
          </option>
        ))}
      </select>
    </Shell>
  )
}
