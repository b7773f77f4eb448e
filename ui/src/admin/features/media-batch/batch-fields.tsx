// Text fields of a batch: of its only picture, or shared by all pictures.

import { type Kind, kindSpecs } from '../../api/schema'
import type { Form } from '../../drafts/use-form'
import { PictureTexts } from '../../ui/fields/picture-texts'
import styles from '../../ui/item-form.module.css'
// biome-ignore lint/style/noRestrictedImports: a batch shows the fields of the item form
import { FieldCell, formFields } from '../items/item-fields'
import { batchMessages } from './messages'

type SharedTextsProps = {
  kind: Kind
  form: Form
  many: boolean
  /** Path of the only picture, once it is uploaded. */
  uploaded: string | undefined
}

export function BatchFields({ kind, form, many, uploaded }: SharedTextsProps) {
  const own = batchMessages[kind]
  const spec = kindSpecs[kind]
  const alt = spec.fields.imageAlt
  const idle = many && own.sharedTexts === 'single'
  const names = formFields(kind).filter((name) => spec.fields[name]?.type !== 'picture')
  return (
    <fieldset className={styles.shared} disabled={idle}>
      <legend>{many ? 'Testi per tutte le immagini' : 'Testi'}</legend>
      {own.multipleHint === undefined ? null : <p className={styles.hint}>{own.multipleHint}</p>}
      <div className={styles.fields}>
        {names.map((name) => {
          const field = spec.fields[name]
          if (field === undefined) return null
          // A picture without a title gets one from its filename, so no field is required.
          const free = { ...field, required: false }
          return (
            <FieldCell
              key={name}
              {...{ kind, name, form, spec: free, onChange: form.set }}
              marksOptional
            />
          )
        })}
        {many || alt === undefined ? null : (
          <div className={styles.full}>
            <PictureTexts
              id="batch"
              values={form.values}
              max={alt.type === 'line' ? alt.max : 300}
              uploaded={uploaded}
              onChange={form.set}
            />
          </div>
        )}
      </div>
    </fieldset>
  )
}
