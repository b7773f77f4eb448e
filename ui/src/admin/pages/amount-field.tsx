// A price, typed as one says it: `95`, `95,50`, `1.200`, `1'200`.
import fields from '../fields/fields.module.css'
import type { ControlProps } from '../fields/shell'
import { TextField } from '../fields/text-field'
import type { Group, Word } from './contract'
import styles from './form.module.css'
import { amountText, typedAmount } from './text-parts'
import { amountProblem, useTypedAmounts } from './typed-amounts'
import { equal, isGroup } from './value'
import { wording } from './wording'

type AmountFieldProps = ControlProps & { word: Word; onWord: (word: Word) => void }

const { amount: own } = wording

export function AmountField({ word, onWord, ...control }: AmountFieldProps) {
  const amount = isGroup(word) ? word : { cents: 0, currency: 'EUR' }
  const typed = useTypedAmounts((all) => all[control.id])
  const text = typed !== undefined && equal(typed.of, word) ? typed.text : numberText(amount)
  const problem = amountProblem(text) ?? control.problem
  const put = (next: string, changed: Word) => {
    useTypedAmounts.setState({ [control.id]: { text: next, of: changed } })
    if (!equal(changed, word)) onWord(changed)
  }
  const currency = typeof amount.currency === 'string' ? amount.currency : 'EUR'
  const change = (next: string) => {
    const read = amountProblem(next) === null ? typedAmount(next) : null
    // A sign that is typed says the currency: 'CHF 120' over euros went out as 120 €.
    const changed = read && { ...amount, cents: read.cents, currency: read.currency ?? currency }
    put(next, changed ?? word)
  }
  const choose = (code: string) => {
    const changed = { ...amount, currency: code }
    // The sign that was typed is of the former one.
    put(amountProblem(text) === null ? numberText(changed) : text, changed)
  }
  return (
    <div className={styles.amount}>
      <TextField {...control} value={text} max={undefined} problem={problem} onChange={change} />
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

function numberText(amount: Group): string {
  return amountText(amount).replace(/[^\d.,-]/g, '')
}
