// Submits a short form: one request at a time. The error of a field stays until the field changes, that
// of the form until the next attempt.
import { useState } from 'preact/hooks'
import { fieldErrorsOf, reasonOf } from '../api/client'
import { focusFirstProblem } from '../ui/fields/focus-first-problem'
import { words } from '../ui/messages'

export function useSubmit(send: () => Promise<void>) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [corrected, setCorrected] = useState<readonly string[]>([])
  const submit = async () => {
    setBusy(true)
    setError(null)
    setCorrected([])
    try {
      await send()
    } catch (failure) {
      setError(failure)
      if (Object.keys(fieldErrorsOf(failure)).length > 0) focusFirstProblem()
    }
    setBusy(false)
  }
  // The id of an input ends in the name of its field: `new-password` in `newPassword`.
  const isOpen = ([field]: readonly [string, string]) =>
    !corrected.some((id) => id.endsWith(field.toLowerCase()))
  const problems = Object.fromEntries(Object.entries(fieldErrorsOf(error)).filter(isOpen))
  const onInput = ({ target }: Event) => {
    if (error === null || !(target instanceof HTMLElement)) return
    const id = target.id.replaceAll('-', '').toLowerCase()
    // Later: rendering between `input` and `change` would reset a controlled checkbox.
    setTimeout(() => setCorrected((ids) => [...ids, id]))
  }
  const onSubmit = (event: Event) => {
    event.preventDefault()
    if (!busy) void submit()
  }
  return { busy, error, problems, form: { noValidate: true, onInput, onSubmit } }
}

export function failureText(error: unknown): string {
  return reasonOf(error) ?? words.failed
}

/**
 * Message for the form as a whole; null without an error and when fields show their own messages.
 */
export function formProblem(error: unknown, textOf = failureText): string | null {
  const isSaid = error === null || Object.keys(fieldErrorsOf(error)).length > 0
  return isSaid ? null : textOf(error)
}
