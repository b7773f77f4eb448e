// The control of one place of a block, whatever it holds. The form is complete on its own: nothing
// can be changed on the page that cannot be changed here.

import { useRef } from 'preact/hooks'
import { settingHref } from '../../../app/routes'
import type { TypingSpan } from '../../../hooks/debounce'
import { Button } from '../../../ui/button'
import { ChoiceField } from '../../../ui/fields/choice-field'
import { siteCropsOf } from '../../../ui/fields/crop-frames'
import { NumberField } from '../../../ui/fields/field'
import type { ControlProps } from '../../../ui/fields/field-shell'
import { FocalPointPanel } from '../../../ui/fields/focal-point-panel'
import { PictureField } from '../../../ui/fields/picture-field'
import { PictureTexts } from '../../../ui/fields/picture-texts'
import { TextField } from '../../../ui/fields/text-field'
import { TextareaField } from '../../../ui/fields/textarea-field'
import { words } from '../../../ui/messages'
import { toastFailed } from '../../../ui/toast-store'
import type { Field, FieldValue, ImageValue } from '../api/content-api'
import { trackUpload } from '../api/pending-uploads'
import { wording } from '../messages'
import { isFirstPhotograph, pictureBehind } from '../model/block-pictures'
import { choiceLabel, entryChoices } from '../model/choice-labels'
import { choicesOf, isObjectValue, pictureOf } from '../model/field-path'
import { parseClipboard } from '../model/parse-clipboard'
import type { ChipContext } from '../model/rich-value'
import { ChipField } from '../typing/chip-field'
import { useHeldLetters } from '../typing/held-letters'
import { RichWordField } from '../typing/rich-field'
import { AmountField } from './amount-field'
import form from './form.module.css'
import { LinkField } from './link-field'
// biome-ignore lint/suspicious/noImportCycles: a list holds entries, an entry fields, and a field may be a list
import { ListField } from './list-field'

export type ContentFieldProps = {
  id: string
  /** Where it stands in the block. */
  path: string
  field: Field
  word: FieldValue
  known: ChipContext
  problemAt: (path: string) => string | undefined
  /** `typed` is the text after a letter; null for a step of its own. */
  onChange: (path: string, word: FieldValue, typed?: string | null, letters?: TypingSpan) => void
  /** With each letter: the page shows it, and nothing else is drawn. */
  onLetter: (path: string, word: FieldValue) => void
  /** To be kept on the device, and handed on later. */
  onUnpaused: (path: string, word: FieldValue) => void
  /** Where a place is once what takes its time has arrived: null where it is gone. */
  hold: (path: string) => () => string | null
  /** Lists change as a whole. */
  onEntries: EntriesChange
}

export type EntriesChange = (
  list: string,
  change:
    | { readonly kind: 'add'; readonly index: number }
    | { readonly kind: 'remove'; readonly index: number }
    | { readonly kind: 'move'; readonly from: number; readonly to: number },
) => void

function namedChoices(field: Field) {
  return choicesOf(field).map(({ value, label }) => ({ value, label: choiceLabel(value, label) }))
}

/** A line this long is written in a box. */
const LINE_MAX = 140
const ALT_MAX = 300

export function ContentField(props: ContentFieldProps) {
  const { id, path, field, word, known, onChange } = props
  const control = {
    id,
    label: field.label,
    value: typeof word === 'string' ? word : '',
    onChange: (text: string) => onChange(path, text, text),
    required: field.required === true,
    optional: field.required !== true,
    problem: props.problemAt(path),
    max: field.max,
  }
  switch (field.type) {
    case 'richText':
      return <RichWordField {...control} word={word} known={known} {...heldAt(props)} />
    case 'line':
    case 'paragraphs':
      if (isObjectValue(word))
        return <ChipField {...control} word={word} known={known} {...heldAt(props)} />
      return <LettersField {...props} control={control} />
    case 'amount':
      return (
        <AmountField
          {...control}
          word={word}
          onWord={(next, typed) => onChange(path, next, typed)}
        />
      )
    case 'integer':
    case 'year':
      return (
        <NumberField
          id={id}
          label={field.label}
          value={typeof word === 'number' ? word : 0}
          onChange={(next) => onChange(path, next, String(next))}
        />
      )
    case 'link':
      return (
        <LinkField
          {...control}
          word={word}
          known={known}
          onWord={(next) => onChange(path, next, '')}
        />
      )
    case 'choice':
      return <ChoiceField {...control} choices={namedChoices(field)} />
    case 'entry':
      return <ChoiceField {...control} choices={entryChoices(field, word, known.blocks)} />
    case 'picture':
      return <PictureWordField {...props} />
    case 'list':
      return <ListField {...props} />
  }
}

/** Of a field that holds its letters until a pause. */
function heldAt({ path, onChange, onLetter, onUnpaused }: ContentFieldProps) {
  return {
    onWord: (word: FieldValue, typed: string, letters: TypingSpan) =>
      onChange(path, word, typed, letters),
    onLetter: (word: FieldValue) => onLetter(path, word),
    onUnpaused: (word: FieldValue) => onUnpaused(path, word),
  }
}

function LettersField({ control, ...props }: ContentFieldProps & { control: ControlProps }) {
  const { field } = props
  const { max } = control
  const [word, onLetter] = useHeldLetters({ ...heldAt(props), word: props.word, max })
  const own = {
    ...control,
    value: typeof word === 'string' ? word : '',
    onChange: (text: string) => onLetter(text, text),
  }
  if (field.type === 'line' && (field.max ?? 0) <= LINE_MAX) return <TextField {...own} />
  const onPaste = field.type === 'paragraphs' ? pasteParagraphs : undefined
  return <TextareaField {...own} max={field.max ?? LINE_MAX} onPaste={onPaste} />
}

/** An empty line lies between two of them; the ends of their lines alone made one of all. */
function pasteParagraphs(event: ClipboardEvent): void {
  const paragraphs = parseClipboard(event.clipboardData)
  if (paragraphs.length < 2) return
  event.preventDefault()
  document.execCommand('insertText', false, paragraphs.join('\n\n'))
}

function PictureWordField(props: ContentFieldProps) {
  const { id, path, field, word, known, problemAt, onChange, hold } = props
  const picture = isObjectValue(word) ? (word as unknown as ImageValue) : null
  const behind = pictureBehind(id, known)
  const sender = useRef({})
  const held = useRef(() => path as string | null)
  const set = (change: Partial<ImageValue>, typed: string | null = null) => {
    if (picture !== null) onChange(path, { ...picture, ...change }, typed)
  }
  return (
    <div>
      <PictureField
        id={id}
        label={field.label}
        path={picture?.path ?? behind?.path ?? ''}
        required
        problem={problemAt(path)}
        onChange={(next) => {
          const there = held.current()
          if (there === null) toastFailed(words.toasts.upload, wording.refusals.gone)
          else onChange(there, pictureOf(next))
        }}
        onBusy={(busy, failure) => {
          if (busy) held.current = hold(path)
          trackUpload(sender.current, busy, failure)
        }}
        outlives
      />
      {picture !== null || behind === null ? null : (
        <p className={form.soft}>
          {wording.picture.behind}{' '}
          <a href={settingHref(behind.name)}>{wording.field.settingOpen}</a>
        </p>
      )}
      {picture === null ? null : (
        <>
          <FocalPointPanel
            src={picture.path}
            crops={() => siteCropsOf(id)}
            point={{
              x: picture.focusX,
              y: picture.focusY,
              onChange: (focusX, focusY) => set({ focusX, focusY }, ''),
            }}
          />
          <PictureTexts
            id={id}
            values={{ imageAlt: picture.alt ?? '', imageDecorative: picture.decorative }}
            max={ALT_MAX}
            missing={wording.picture.altMissing}
            problem={problemAt(`${path}.alt`)}
            onChange={({ imageAlt, imageDecorative }) => {
              if (typeof imageAlt === 'string') set({ alt: imageAlt }, imageAlt)
              if (typeof imageDecorative === 'boolean') set({ decorative: imageDecorative })
            }}
          />
          {isFirstPhotograph(id, known) ? (
            <p className={form.soft}>{wording.picture.first}</p>
          ) : null}
          <Button tone="quiet" small onClick={() => onChange(path, null)}>
            {behind === null ? wording.picture.drawing : wording.picture.backToSetting}
          </Button>
        </>
      )}
    </div>
  )
}
