// The fields of a kind in form order, with the fields of a picture grouped.

import { Info } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { fromLocalInput, localInput } from '../../../lib/rome-time'
import { Icon } from '../../../primitives/icon'
import { kindLabels } from '../../api/kind-labels'
import {
  type FieldSpec,
  type Item,
  type Kind,
  kindSpecs,
  type Picture,
  type Values,
} from '../../api/schema'
import type { Form } from '../../drafts/use-form'
import { cropsOf } from '../../ui/fields/crop-frames'
import { Field, NumberField } from '../../ui/fields/field'
import { FocalPointPanel } from '../../ui/fields/focal-point-panel'
import { PictureField } from '../../ui/fields/picture-field'
import { PictureTexts } from '../../ui/fields/picture-texts'
import { Switch } from '../../ui/fields/switch-field'
import { TextField } from '../../ui/fields/text-field'
import styles from '../../ui/item-form.module.css'
import { lazyAddition } from '../../ui/lazy'
import type { DatePartProps } from './event-date-feedback'
import { FORM_ORDER, fieldWording, formMessages } from './form-messages'
import { listMessages } from './list-messages'
import { itemMessages } from './messages'
import { slugOf } from './slug'

const preview = () => import('./event-date-feedback')
const PickerButton = lazyAddition(() => preview().then(({ PickerButton }) => PickerButton))
const DateExtras = lazyAddition(() => preview().then(({ DateExtras }) => DateExtras))
const PriceReading = lazyAddition(() => preview().then(({ PriceReading }) => PriceReading))

type EditorFieldsProps = {
  kind: Kind
  item: Item | null
  form: Form
  /** Called by each upload field with its name, because several fields upload at the same time. */
  onBusy: (name: string, uploading: boolean) => void
  /** The schedule field. */
  planned?: ComponentChildren
  /** Names of the fields that the form shows elsewhere. */
  without?: readonly string[]
  /** In an article form the picture comes after the texts about the article. */
  pictureLast?: boolean
}

/** Fields that are rendered with the picture, or saved without being shown. */
const NOT_ALONE = ['imageAlt', 'imageDecorative', 'imageFocusX', 'imageFocusY', 'filename']

export function ItemFields(props: EditorFieldsProps) {
  const { kind, item, form, onBusy, planned, without = [], pictureLast = false } = props
  const spec = kindSpecs[kind]
  const own = formMessages[kind]
  const set = useSlugFollowing(kind, item, form)
  return (
    <div className={styles.fields}>
      {formFields(kind, pictureLast).map((name) => {
        const field = spec.fields[name]
        if (field === undefined || without.includes(name)) return null
        if (field.type === 'picture') {
          const busy = (uploading: boolean) => onBusy(name, uploading)
          return (
            <PictureGroup key={name} {...{ kind, name, form }} onBusy={busy} saved={item?.image} />
          )
        }
        return (
          <FieldCell
            key={name}
            {...{ kind, name, form, spec: field, onChange: set, onBusy }}
            saved={item}
          />
        )
      })}
      {spec.dated ? <DateField form={form} /> : null}
      {item === null || spec.dated || own.isMail === true ? null : (
        <div className={styles.third}>
          <NumberField
            id="sortOrder"
            label={itemMessages.order}
            value={typeof form.values.sortOrder === 'number' ? form.values.sortOrder : 0}
            help={own.orderHelp}
            onChange={(sortOrder) => set({ sortOrder })}
          />
        </div>
      )}
      {own.isMail === true || (own.publishButton !== undefined && item === null) ? null : (
        <div className={styles.full}>
          <Switch
            label={kindLabels[kind].status.switch}
            checked={form.values.published === true}
            onChange={(published) => set({ published })}
          />
        </div>
      )}
      {planned}
      {own.note === undefined ? null : <Note text={own.note} />}
    </div>
  )
}

type FieldCellProps = {
  kind: Kind
  name: string
  form: Form
  spec: FieldSpec
  onChange: (values: Values) => void
  marksOptional?: boolean
  /** The item before the form changed it. */
  saved?: Item | null
  onBusy?: (name: string, uploading: boolean) => void
}

/** One field, followed by how a date, time or price was understood. */
export function FieldCell(props: FieldCellProps) {
  const { kind, name, form, spec, onChange, marksOptional = false, saved = null, onBusy } = props
  const [isOpen, setIsOpen] = useState(false)
  const wordsOf = fieldWording(kind, name)
  const { dateTexts: names } = listMessages[kind]
  const part = name === names?.date ? 'date' : name === names?.time ? 'time' : null
  const value = form.values[name] ?? null
  const date: DatePartProps | null =
    names === undefined || part === null
      ? null
      : { part, names, values: form.values, saved, onChange, isOpen, setIsOpen }
  return (
    <>
      <div
        className={wordsOf.size === undefined ? styles.full : styles[wordsOf.size]}
        data-part={part}
      >
        <Field
          id={name}
          name={name}
          spec={spec}
          words={wordsOf}
          value={value}
          problem={form.problems[name]}
          onChange={onChange}
          marksOptional={marksOptional}
          onBusy={(uploading) => onBusy?.(name, uploading)}
          end={date === null ? null : <PickerButton {...date} />}
        />
        {spec.type === 'price' ? <PriceReading text={`${value ?? ''}`} /> : null}
      </div>
      {date === null ? null : <DateExtras {...date} />}
    </>
  )
}

export function Note({ text }: { text: string }) {
  return (
    <p className={styles.note}>
      <Icon size={20} of={Info} />
      {text}
    </p>
  )
}

/** Returns the names of the fields that the form shows separately, in form order. */
export function formFields(kind: Kind, pictureLast = false): readonly string[] {
  const { fields } = kindSpecs[kind]
  const names = Object.keys(fields).filter((name) => !NOT_ALONE.includes(name))
  const place = (name: string) => {
    if (pictureLast && fields[name]?.type === 'picture') return FORM_ORDER.length + 1
    const index = FORM_ORDER.indexOf(name)
    return index === -1 ? FORM_ORDER.length : index
  }
  return names.sort((a, b) => place(a) - place(b))
}

type PictureGroupProps = {
  kind: Kind
  saved: Picture | null | undefined
  name: string
  form: Form
  onBusy: (uploading: boolean) => void
}

function PictureGroup({ kind, saved, name, form, onBusy }: PictureGroupProps) {
  const { values, set, problems } = form
  const [uploaded, setUploaded] = useState('')
  const path = typeof values[name] === 'string' ? values[name] : ''
  const alt = kindSpecs[kind].fields.imageAlt
  const number = (value: unknown) => (typeof value === 'number' ? value : 50)
  return (
    <div className={`${styles.full} ${styles.pictureGroup}`}>
      <PictureField
        id={name}
        label={fieldWording(kind, name).label}
        path={path}
        saved={saved}
        required={kindSpecs[kind].fields[name]?.required === true}
        problem={problems[name]}
        onBusy={onBusy}
        crops={(size) => cropsOf(kind, size)}
        takesDrops
        onChange={(imageUrl, filename, imageAlt) => {
          setUploaded(filename === '' ? '' : imageUrl)
          set({
            [name]: imageUrl,
            imageFocusX: 50,
            imageFocusY: 50,
            // The alternative text describes the replaced picture.
            ...(alt === undefined || imageAlt === null ? {} : { imageAlt, imageDecorative: false }),
            ...('filename' in values && filename !== '' ? { filename } : {}),
          })
        }}
      />
      {path === '' || alt === undefined ? null : (
        <>
          <PictureTexts
            id={name}
            values={values}
            max={alt.type === 'line' ? alt.max : 300}
            uploaded={uploaded === path ? path : undefined}
            onChange={set}
          />
          <FocalPointPanel
            src={path}
            crops={(size) => cropsOf(kind, size)}
            wholeNote
            point={{
              x: number(values.imageFocusX),
              y: number(values.imageFocusY),
              onChange: (imageFocusX, imageFocusY) => set({ imageFocusX, imageFocusY }),
            }}
          />
        </>
      )}
    </div>
  )
}

function DateField({ form }: { form: Form }) {
  const moment = typeof form.values.createdAt === 'string' ? form.values.createdAt : ''
  return (
    <div className={styles.half}>
      <TextField
        id="createdAt"
        label="Data di pubblicazione"
        type="datetime-local"
        value={localInput(moment)}
        help="Se lasci vuoto vale il momento in cui salvi."
        problem={form.problems.createdAt}
        onChange={(text) => form.set({ createdAt: fromLocalInput(text) })}
      />
    </div>
  )
}

/** Derives the slug of a new item from its title until the admin types another one. */
export function useSlugFollowing(
  kind: Kind,
  item: Item | null,
  form: Form,
): (values: Values) => void {
  const follows = useRef(item === null)
  const slug = Object.entries(kindSpecs[kind].fields).find(
    ([, field]) => field.type === 'slug',
  )?.[0]
  return (values) => {
    if (slug === undefined) {
      form.set(values)
      return
    }
    if (slug in values) follows.current = values[slug] === ''
    const title = values.title
    const made = follows.current && typeof title === 'string' ? { [slug]: slugOf(title) } : {}
    form.set({ ...values, ...made })
  }
}
