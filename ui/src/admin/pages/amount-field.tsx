// A price, typed as one says it: `95`, `95,50`, `1.200`, `1'200`.
import fields from '../fields/fields.module.css'
import type { ControlProps } from '../fields/shell'
import { TextField } from '../fields/text-field'
import type { Word } from './contract'
import styles from './form.module.css'
import { amountText, centsOf } from './text-parts'
import { amountProblem, useTypedAmounts } from './typed-amounts'
import { equal, isGroup } from './value'
import { wording } from './wording'

type AmountFieldProps = ControlProps & { word: Word; onWord: (word: Word) => void }

const { amount: own } = wording

export function AmountField({ word, onWord, ...control }: AmountFieldProps) {
  const amount = isGroup(word) ? word : { cents: 0, currency: 'EUR' }
  const typed = useTypedAmounts((all) => all[control.id])
  const plain = amountText(amount).replace(/[^\d.,-]/g, '')
  const text = typed !== undefined && equal(typed.of, word) ? typed.text : plain
  const problem = amountProblem(text) ?? control.problem
  const put = (next: string, changed: Word) => {
    useTypedAmounts.setState({ [control.id]: { text: next, of: changed } })
    if (!equal(changed, word)) onWord(changed)
  }
  const change = (next: string) =>
    put(next, amountProblem(next) === null ? { ...amount, cents: centsOf(next) } : word)
  const currency = typeof amount.currency === 'string' ? amount.currency : 'EUR'
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
          onChange={(event) => put(text, { ...amount, currency: event.currentTarget.value })}
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
