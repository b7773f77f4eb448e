// Label, hint and validation message around a control.

import { CircleAlert } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { lengthProblem, lengthWords, NEAR_SHARE, textLength } from '../../../lib/text-length'
import hidden from '../../../primitives/hidden.module.css'
import { Icon } from '../../../primitives/icon'
import { words } from '../messages'
import styles from './fields.module.css'

export type ControlProps = {
  id: string
  label: string
  value: string
  onChange: (value: string) => void
  required?: boolean
  optional?: boolean
  /** Hides the required or optional mark: the control shares its line with another one. */
  unmarked?: boolean
  placeholder?: string | undefined
  help?: string | undefined
  problem?: string | undefined
  /** A control inside the field, at its end. */
  end?: ComponentChildren
  /**
   * Limit of the server in characters. Longer input stays in the field until the user shortens it.
   */
  max?: number | undefined
}

export function hintId(id: string): string {
  return `${id}-hint`
}

export function problemId(id: string): string {
  return `${id}-problem`
}

/** ARIA attributes of a control. */
export function ariaOf(props: ControlProps) {
  const problem = problemOf(props)
  const described = [
    props.help === undefined ? '' : hintId(props.id),
    problem === undefined ? '' : problemId(props.id),
  ].filter((id) => id !== '')
  return {
    ...(described.length > 0 ? { 'aria-describedby': described.join(' ') } : {}),
    ...(props.required === true ? { 'aria-required': true as const } : {}),
    ...(problem === undefined ? {} : { 'aria-invalid': true as const }),
  }
}

/**
 * The placeholder attribute, omitted when empty: an empty one still costs style work on each
 * keystroke.
 */
export function emptyWith(placeholder: string | undefined) {
  return placeholder === undefined || placeholder === '' ? {} : { placeholder }
}

/** The length message has priority: it follows each keystroke, the server's message does not. */
function problemOf({ value, max, problem }: ControlProps): string | undefined {
  return (max === undefined ? null : lengthProblem(value, max)) ?? problem
}

type ShellProps = { control: ControlProps; children: ComponentChildren }

export function FieldShell({ control, children }: ShellProps) {
  const { id, label, required = false, optional = false, unmarked = false, help } = control
  const problem = problemOf(control)
  const mark = unmarked ? null : required ? words.required : optional ? words.optional : null
  return (
    <div className={problem === undefined ? styles.field : `${styles.field} ${styles.invalid}`}>
      <div className={styles.label}>
        <label htmlFor={id}>{label}</label>
        {mark === null ? null : <span aria-hidden="true">{mark}</span>}
      </div>
      {children}
      <Counter {...control} />
      {help === undefined ? null : (
        <p className={styles.hint} id={hintId(id)}>
          {help}
        </p>
      )}
      {problem === undefined ? null : <Problem id={problemId(id)} text={problem} />}
    </div>
  )
}

/** Shown near the limit. Announced to screen readers in steps of ten characters. */
function Counter({ value, max }: ControlProps) {
  const length = max === undefined ? 0 : textLength(value)
  const isShown = max !== undefined && length > max * NEAR_SHARE
  const said = useRef(0)
  // Announces the exact number that is shown, not the rounded one.
  if (Math.ceil(said.current / 10) !== Math.ceil(length / 10)) said.current = length
  const spoken = isShown ? lengthWords.spoken(said.current, max) : ''
  return (
    <>
      {isShown ? (
        <p className={styles.counter} aria-hidden="true">
          <span>{length < max ? lengthWords.near(max - length) : ''}</span>
          <span>{`${length} / ${max}`}</span>
        </p>
      ) : null}
      {max === undefined ? null : (
        <span className={hidden.hidden} role="status">
          {spoken}
        </span>
      )}
    </>
  )
}

export function Problem({ id, text }: { id: string; text: string }) {
  return (
    <p className={styles.problem} id={id}>
      <Icon of={CircleAlert} size={18} />
      {text}
    </p>
  )
}
