// The fields of the testimonial form, each with its faults.

import { Star } from 'lucide'
import { Icon } from '../../../primitives/icon'
import { testimonial } from '../../fixed-messages/testimonial'
import { useContent } from '../../use-content'
import styles from './testimonial-form.module.css'
import { type FieldFault, type FieldName, type FormState, faultsOf } from './testimonial-form-state'

const words = testimonial.form
const errors = testimonial.errors
const stars = [1, 2, 3, 4, 5] as const

type FieldsProps = { readonly given: FormState }

export function NameFields({ given }: FieldsProps) {
  const { fallbackProfession } = useContent('testimonianze.words')
  return (
    <>
      <LineField
        name="name"
        label={words.nameLabel}
        hint={words.nameHint}
        placeholder={words.namePlaceholder}
        autoComplete="name"
        given={given}
      />
      <LineField
        name="profession"
        label={words.professionLabel}
        hint={words.professionHint.replace('{fallback}', () => fallbackProfession)}
        placeholder={words.professionPlaceholder}
        autoComplete="organization-title"
        given={given}
      />
    </>
  )
}

type LineFieldProps = FieldsProps & {
  readonly name: 'name' | 'profession'
  readonly label: string
  readonly hint: string
  readonly placeholder: string
  readonly autoComplete: 'name' | 'organization-title'
}

function LineField({ name, label, hint, placeholder, autoComplete, given }: LineFieldProps) {
  return (
    <div class={styles.field}>
      <label htmlFor={name}>{label}</label>
      <p id={`${name}-hint`}>{hint}</p>
      <input
        id={name}
        name={name}
        autoComplete={autoComplete}
        placeholder={placeholder}
        defaultValue={given.values[name]}
        {...described(name, given)}
      />
      <Faults field={name} given={given} />
    </div>
  )
}

export function Stars({ given }: FieldsProps) {
  return (
    <fieldset
      id="rating"
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a group cannot be invalid, a radio group can
      role="radiogroup"
      class={styles.field}
      tabIndex={-1}
      {...described('rating', given)}
    >
      <legend>{words.starsLabel}</legend>
      <p id="rating-hint">{words.starsHint}</p>
      <div class={styles.stars}>
        {stars.map((star) => (
          <label key={star}>
            <input
              type="radio"
              name="rating"
              value={star}
              aria-label={star === 1 ? words.star : words.stars.replace('{n}', `${star}`)}
              defaultChecked={given.values.rating === `${star}`}
            />
            <Icon of={Star} />
          </label>
        ))}
      </div>
      <Faults field="rating" given={given} />
    </fieldset>
  )
}

type TextFieldProps = FieldsProps & { readonly length: number; readonly isLive: boolean }

export function TextField({ given, length, isLive }: TextFieldProps) {
  const { text: max } = given.longest
  const count = words.lengthLine.replace('{n}', `${length}`).replace('{max}', `${max}`)
  return (
    <div class={styles.field}>
      <label htmlFor="text">{words.bodyLabel}</label>
      <p id="text-hint">{words.bodyHint}</p>
      <textarea
        id="text"
        name="text"
        rows={8}
        placeholder={words.bodyPlaceholder}
        defaultValue={given.values.text}
        {...described('text', given)}
      />
      {isLive && <p class={styles.count}>{count}</p>}
      <Faults field="text" given={given} />
      <p>{words.healthNote}</p>
    </div>
  )
}

export function Consent({ given, email }: FieldsProps & { readonly email: string }) {
  const { consent } = given
  return (
    <div class={styles.field}>
      <label class={styles.consent} key={consent.key}>
        <input
          id="consent"
          type="checkbox"
          name="consent"
          value={consent.key}
          defaultChecked={given.agreed}
          {...described('consent', given)}
        />
        <span>{consent.box}</span>
      </label>
      <Faults field="consent" given={given} email={email} />
      <p id="consent-hint">{consent.declaration}</p>
      <p>{consent.elsewhere}</p>
      <p>
        <a href="/privacy" target="_blank" rel="noopener">
          {words.privacyLink}
        </a>
      </p>
    </div>
  )
}

function described(field: FieldName, given: FormState) {
  const isWrong = faultsOf(field, given.faults).length > 0
  return {
    'aria-describedby': isWrong ? `${field}-hint ${field}-fault` : `${field}-hint`,
    'aria-invalid': isWrong ? ('true' as const) : undefined,
  }
}

type FaultsProps = FieldsProps & { readonly field: FieldName; readonly email?: string }

function Faults({ field, given, email = '' }: FaultsProps) {
  const faults = faultsOf(field, given.faults)
  if (faults.length === 0) return null
  return (
    <p id={`${field}-fault`} class={styles.fault}>
      {faults.map((fault) => sentence(fault, given, email)).join(' ')}
    </p>
  )
}

function sentence(fault: FieldFault, { longest }: FormState, email: string): string {
  const within = (text: string, max: number) => text.replace('{max}', `${max}`)
  switch (fault) {
    case 'nameLong':
      return within(errors.nameLong, longest.name)
    case 'professionLong':
      return within(errors.professionLong, longest.profession)
    case 'bodyLong':
      return within(errors.bodyLong, longest.text)
    case 'consent':
      return email === '' ? errors.consentUnnamed : errors.consent.replace('{email}', () => email)
    default:
      return errors[fault]
  }
}
