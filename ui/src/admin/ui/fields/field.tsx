// Renders the control for a field of the schema, chosen by its type.

import type { ComponentChildren } from 'preact'
import type { FieldSpec, FieldWording, Value, Values } from '../../api/schema'
import { type Choice, ChoiceField, OpenChoiceField } from './choice-field'
import type { ControlProps } from './field-shell'
import { RichTextField } from './rich-text-field'
import { StarsField } from './stars-field'
import { Switch } from './switch-field'
import { TextField } from './text-field'
import { TextareaField } from './textarea-field'
import { UrlField } from './url-field'

type FieldProps = {
  id: string
  name: string
  spec: FieldSpec
  words: FieldWording
  value: Value
  problem: string | undefined
  onChange: (values: Values) => void
  /** Marks optional fields, in forms where most fields are required. */
  marksOptional?: boolean
  /** For rich text that accepts images. */
  onBusy?: ((busy: boolean) => void) | undefined
  /** A control inside a field of one line. */
  end?: ComponentChildren
}

/** A number field with at most this maximum shows stars. */
const STARS_MAX = 10

export function controlOf({ id, name, spec, words, value, ...props }: FieldProps): ControlProps {
  return {
    id,
    label: words.label,
    value: typeof value === 'string' ? value : '',
    onChange: (text) => props.onChange({ [name]: text }),
    required: spec.required,
    optional: !spec.required && props.marksOptional === true,
    placeholder: words.placeholder,
    help: words.help,
    problem: props.problem,
  }
}

export function Field(props: FieldProps) {
  const { name, spec, words, value } = props
  const control = controlOf(props)
  switch (spec.type) {
    case 'line':
      return <TextField {...control} max={spec.max} end={props.end} />
    case 'lines':
      return <TextareaField {...control} max={spec.max} />
    case 'markdown':
      return <RichTextField {...control} max={spec.max} onBusy={props.onBusy} />
    case 'url':
      return <UrlField {...control} />
    case 'email':
      return <TextField {...control} type="email" />
    case 'price':
    case 'slug':
      return <TextField {...control} isCode />
    case 'choice':
      return <ChoiceField {...control} choices={choicesOf(spec.words)} />
    case 'openChoice':
      return (
        <OpenChoiceField {...control} name={name} choices={choicesOf(spec.words)} max={spec.max} />
      )
    case 'integer':
      return <IntegerField {...props} min={spec.min} max={spec.max} born={spec.default} />
    case 'count':
      return (
        <TextField
          {...control}
          value={value === null ? '' : String(value)}
          numeric
          onChange={(text) => props.onChange({ [name]: countOf(text) })}
        />
      )
    case 'boolean':
      return (
        <Switch
          label={words.label}
          checked={value === true}
          help={words.help}
          onChange={(checked) => props.onChange({ [name]: checked })}
        />
      )
    case 'picture':
    case 'phone':
      // The form renders images itself, because an image spans several fields. Telephone numbers exist
      // among the settings alone, which load later than this file.
      return null
  }
}

function IntegerField(props: FieldProps & { min: number; max: number; born: number }) {
  const { id, name, words, min, max, born, value } = props
  const number = typeof value === 'number' ? value : born
  if (max <= STARS_MAX) {
    const onChange = (stars: number) => props.onChange({ [name]: stars })
    return <StarsField {...{ id, label: words.label, value: number, min, max, onChange }} />
  }
  return (
    <NumberField
      id={id}
      label={words.label}
      value={number}
      help={words.help}
      onChange={(next) => props.onChange({ [name]: next })}
    />
  )
}

type NumberFieldProps = {
  id: string
  label: string
  value: number
  help?: string | undefined
  onChange: (value: number) => void
}

/** An integer; invalid input counts as 0. */
export function NumberField({ id, label, value, help, onChange }: NumberFieldProps) {
  return (
    <TextField
      id={id}
      label={label}
      value={String(value)}
      numeric
      help={help}
      onChange={(text) => onChange(wholeNumber(text))}
    />
  )
}

/** The number that the text states; the text itself while it states none. */
export function countOf(text: string): number | string {
  return /^\s*\d{1,9}\s*$/.test(text) ? Number(text) : text
}

export function wholeNumber(text: string): number {
  const number = Number.parseInt(text, 10)
  return Number.isSafeInteger(number) && number >= 0 ? number : 0
}

function choicesOf(words: readonly string[]): readonly Choice[] {
  return [
    { value: '', label: 'Nessuna scelta' },
    ...words.map((word) => ({ value: word, label: word })),
  ]
}
