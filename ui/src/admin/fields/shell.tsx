// Label, hint and error around one control.

import { CircleAlert } from 'lucide'
import type { ComponentChildren } from 'preact'
import { Icon } from '../../primitives/icon'
import { words } from '../words'
import styles from './fields.module.css'

export type ControlProps = {
  id: string
  label: string
  value: string
  onChange: (value: string) => void
  required?: boolean
  optional?: boolean
  placeholder?: string | undefined
  help?: string | undefined
  problem?: string | undefined
}

export function hintId(id: string): string {
  return `${id}-hint`
}

export function problemId(id: string): string {
  return `${id}-problem`
}

/** What a control says of itself to a screen reader. */
export function ariaOf(props: ControlProps) {
  const described = [
    props.help === undefined ? '' : hintId(props.id),
    props.problem === undefined ? '' : problemId(props.id),
  ].filter((id) => id !== '')
  return {
    ...(described.length > 0 ? { 'aria-describedby': described.join(' ') } : {}),
    ...(props.required === true ? { 'aria-required': true as const } : {}),
    ...(props.problem === undefined ? {} : { 'aria-invalid': true as const }),
  }
}

type ShellProps = { control: ControlProps; children: ComponentChildren }

export function Shell({ control, children }: ShellProps) {
  const { id, label, required = false, optional = false, help, problem } = control
  const mark = required ? words.required : optional ? words.optional : null
  return (
    <div className={problem === undefined ? styles.field : `${styles.field} ${styles.invalid}`}>
      <div className={styles.label}>
        <label htmlFor={id}>{label}</label>
        {mark === null ? null : <span aria-hidden="true">{mark}</span>}
      </div>
      {children}
      {help === undefined ? null : (
        <p className={styles.hint} id={hintId(id)}>
          {help}
        </p>
      )}
      {problem === undefined ? null : <Problem id={problemId(id)} text={problem} />}
    </div>
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
