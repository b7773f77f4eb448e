// Price field: parses what the admin types, such as `95`, `95,50`, `1.200` or `1'200`.
import { useState } from 'preact/hooks'
import type { ControlProps } from '../../../ui/fields/field-shell'
import fields from '../../../ui/fields/fields.module.css'
import { TextField } from '../../../ui/fields/text-field'
import type { FieldValue, ObjectValue } from '../api/content-api'
import { wording } from '../messages'
import { equal, isObjectValue } from '../model/field-path'
import { amountOf, amountProblem, unreadIn } from '../model/invalid-amounts'
import { amountText } from '../model/rich-value'
import styles from './form.module.css'

type AmountFieldProps = ControlProps & {
  word: FieldValue
  /** `typed` is the text after a keystroke; null for an edit that is an undo step of its own. */
  onWord: (word: FieldValue, typed: string | null) => void
}

const { amount: own } = wording

export function AmountField({ word, onWord, ...control }: AmountFieldProps) {
  const amount = isObjectValue(word) ? word : { cents: 0, currency: 'EUR' }
  // Text as typed while it equals the value: '95,5' must not become '95,50' under the caret.
  const [typed, setTyped] = useState<{ text: string; of: FieldValue } | null>(null)
  const unread = unreadIn(word)
  const isAsTyped = typed !== null && equal(typed.of, word)
  const text = unread ?? (isAsTyped ? typed.text : numberText(amount))
  const problem = amountProblem(text) ?? control.problem
  const currency = typeof amount.currency === 'string' ? amount.currency : 'EUR'
  const change = (next: string) => {
    const changed = amountOf(next, amount)
    setTyped({ text: next, of: changed })
    if (!equal(changed, word)) onWord(changed, next)
  }
  // A typed currency sign belongs to the previous currency: the changed value replaces the text by its number.
  const choose = (code: string) => onWord({ ...amount, currency: code }, null)
  return (
    <div className={styles.amount}>
      <TextField
        {...control}
        unmarked
        isCode
        value={text}
        max={undefined}
        problem={problem}
        onChange={change}
      />
      <div className={fields.field}>
        <label className={fields.label} htmlFor={`${control.id}-currency`}>
          {own.currency}
        </label>
        <select
          id={`${control.id}-currency`}
          className={fields.input}
          value={currency}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          {Object.entries(own.currencies).map(([code, label]) => (
            <option key={code} value={code}>
              {label}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}

function numberText(amount: ObjectValue): string {
  return amountText(amount).replace(/[^\d.,-]/g, '')
}
