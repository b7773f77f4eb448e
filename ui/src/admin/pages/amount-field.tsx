// A price, typed as one says it: `95`, `95,50`, `1.200`.
import { useState } from 'preact/hooks'
import fields from '../fields/fields.module.css'
import type { ControlProps } from '../fields/shell'
import { TextField } from '../fields/text-field'
import type { Word } from './contract'
import styles from './form.module.css'
import { amountText, centsOf } from './text-parts'
import { equal, isGroup } from './value'
import { wording } from './wording'

type AmountFieldProps = ControlProps & { word: Word; onWord: (word: Word) => void }

const { amount: own } = wording

export function AmountField({ word, onWord, ...control }: AmountFieldProps) {
  const amount = isGroup(word) ? word : { cents: 0, currency: 'EUR' }
  // What is typed on the way to a number, until it is one.
  const [typed, setTyped] = useState<{ text: string; of: Word } | null>(null)
  const plain = amountText(amount).replace(/[^\d.,-]/g, '')
  const text = typed !== null && equal(typed.of, word) ? typed.text : plain
  const cents = centsOf(text)
  const problem = cents === null ? own.invalid : cents < 0 ? own.negative : control.problem
  const change = (next: string) => {
    const read = centsOf(next)
    const changed = read === null || read < 0 ? word : { ...amount, cents: read }
    setTyped({ text: next, of: changed })
    if (!equal(changed, word)) onWord(changed)
  }
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
          onChange={(event) => onWord({ ...amount, currency: event.currentTarget.value })}
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
