// The control of one field of a block, for every field type. The form is complete: everything that can be
// changed on the page can be changed here.

import { useRef, useState } from 'preact/hooks'
import { settingHref } from '../../../app/routes'
import type { TypingSpan } from '../../../hooks/debounce'
import { parseClipboard } from '../../../rich-text/parse-clipboard'
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
import { TextEditorField } from '../editing/text-editor-field'
import { wording } from '../messages'
import { isFirstPhotograph, pictureBehind } from '../model/block-pictures'
import { choiceLabel, entryChoices } from '../model/choice-labels'
import { choicesOf, isObjectValue, pictureOf } from '../model/field-path'
import type { ChipContext } from '../model/rich-value'
import { AmountField } from './amount-field'
import form from './form.module.css'
import { LinkField } from './link-field'
// biome-ignore lint/suspicious/noImportCycles: a list holds entries, an entry fields, and a field may be a list
import { ListField } from './list-field'
import { useDebouncedText } from './use-debounced-text'

export type ContentFieldProps = {
  id: string
  /** Path of the field in the block. */
  path: string
  field: Field
  word: FieldValue
  known: ChipContext
  problemAt: (path: string) => string | undefined
  /** `typed` is the text after a keystroke; null for an edit that is an undo step of its own. */
  onChange: (path: string, word: FieldValue, typed?: string | null, letters?: TypingSpan) => void
  /** Called with each keystroke; updates the page without re-rendering the panel. */
  onLetter: (path: string, word: FieldValue) => void
  /** Called while typing goes on without a pause; saves the text on the device until `onChange` follows. */
  onUnpaused: (path: string, word: FieldValue) => void
  /** Tracks a field during an upload. The returned function gives its current path; null once it is removed. */
  hold: (path: string) => () => string | null
  /** Changes the list as a whole. */
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
  const none = field.required ? [] : [{ value: '', label: '' }]
  return [...none, ...choicesOf(field)].map(({ value, label }) => ({
    value,
    label: choiceLabel(value, label),
  }))
}

/** Longest text of a single-line input; longer ones get a textarea. */
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
  // A choice is an undo step of its own.
  const chosen = { ...control, onChange: (choice: string) => onChange(path, choice) }
  switch (field.type) {
    case 'richText':
      return <TextEditorField kind="rich" {...control} {...editorProps(props)} />
    case 'line':
    case 'paragraphs':
      return <PlainTextField {...props} control={control} />
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
      return <ChoiceField {...chosen} choices={namedChoices(field)} />
    case 'entry':
      return <ChoiceField {...chosen} choices={entryChoices(field, word, known.blocks)} />
    case 'picture':
      return <PictureWordField {...props} />
    case 'list':
      return <ListField {...props} />
  }
}

function editorProps({ path, word, known, onChange, onLetter, onUnpaused }: ContentFieldProps) {
  return {
    word,
    known,
    onWord: (next: FieldValue, typed: string | null, span?: TypingSpan) =>
      onChange(path, next, typed, span),
    onLetter: (next: FieldValue) => onLetter(path, next),
    onUnpaused: (next: FieldValue) => onUnpaused(path, next),
  }
}

type PlainTextProps = ContentFieldProps & { control: ControlProps }

/** A field whose last chip is deleted keeps its editor while it has the focus. */
function PlainTextField({ control, ...props }: PlainTextProps) {
  const { field, word } = props
  const hadChips = useRef(false)
  const isFocused = document.activeElement?.id === control.id
  hadChips.current = isObjectValue(word) || (hadChips.current && isFocused)
  const kind = field.type === 'line' ? 'line' : 'paragraphs'
  return hadChips.current ? (
    <TextEditorField kind={kind} {...control} {...editorProps(props)} />
  ) : (
    <NativeTextField {...props} control={control} />
  )
}

function NativeTextField({ control, ...props }: PlainTextProps) {
  const { field, path, word } = props
  const [value, onInput] = useDebouncedText({
    value: typeof word === 'string' ? word : '',
    onFlush: (text, span) => props.onChange(path, text, text, span),
    onInput: (text) => props.onLetter(path, text),
    onPending: (text) => props.onUnpaused(path, text),
  })
  const own = { ...control, value, onChange: onInput }
  if (field.type === 'line' && (field.max ?? 0) <= LINE_MAX) return <TextField {...own} />
  const onPaste = field.type === 'paragraphs' ? pasteParagraphs : undefined
  return <TextareaField {...own} max={field.max ?? LINE_MAX} onPaste={onPaste} />
}

/** Pastes paragraphs with an empty line between them; single line breaks merged them into one paragraph. */
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
  const [uploaded, setUploaded] = useState('')
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
        crops={() => siteCropsOf(id)}
        onChange={(next, filename, alt) => {
          const there = held.current()
          const isSame = alt === null && picture !== null
          const kept = isSame ? picture : { ...pictureOf(next), alt: alt ?? '' }
          setUploaded(filename === '' ? '' : next)
          if (there === null) toastFailed(words.toasts.upload, wording.refusals.gone)
          else onChange(there, { ...kept, path: next, focusX: 50, focusY: 50 })
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
            uploaded={uploaded === picture.path ? uploaded : undefined}
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
