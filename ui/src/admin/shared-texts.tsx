// The texts of a batch: for the one picture, or for all of them.
import styles from './editor.module.css'
import { formFields } from './editor-fields'
import { Field } from './fields/field'
import { PictureTexts } from './fields/picture-texts'
import { type Kind, kindSpecs } from './schema'
import type { Form } from './use-form'
import { fieldWording, wording } from './wording'

type SharedTextsProps = { kind: Kind; form: Form; many: boolean }

export function SharedTexts({ kind, form, many }: SharedTextsProps) {
  const own = wording[kind]
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
          const words = fieldWording(kind, name)
          return field === undefined ? null : (
            <div key={name} className={words.size === undefined ? styles.full : styles[words.size]}>
              <Field
                id={name}
                name={name}
                // A picture without a title gets one, so nothing here has to be filled in.
                spec={{ ...field, required: false }}
                words={words}
                value={form.values[name] ?? null}
                problem={form.problems[name]}
                onChange={form.set}
                marksOptional
              />
            </div>
          )
        })}
        {many || alt === undefined ? null : (
          <div className={styles.full}>
            <PictureTexts
              id="batch"
              values={form.values}
              max={alt.type === 'line' ? alt.max : 300}
              onChange={form.set}
            />
          </div>
        )}
      </div>
    </fieldset>
  )
}
