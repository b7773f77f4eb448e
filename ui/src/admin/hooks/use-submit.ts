// Submits a short form: one request at a time; the error stays until the next attempt.
import { useState } from 'preact/hooks'
import { fieldErrorsOf, reasonOf } from '../api/client'
import { words } from '../ui/messages'

export function useSubmit(send: () => Promise<void>) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const submit = async () => {
    setBusy(true)
    setError(null)
    try {
      await send()
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
  }
  const onSubmit = (event: Event) => {
    event.preventDefault()
    if (!busy) void submit()
  }
  return { busy, error, problems: fieldErrorsOf(error), onSubmit }
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
