// A short form's way to the server: sends once at a time, keeps why it failed until the next try.
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
  return reasonOf(error) ?? words.auth.failed
}

/** Why the form was refused as a whole; null for no failure, and when its fields say it themselves. */
export function formProblem(error: unknown, textOf = failureText): string | null {
  const isSaid = error === null || Object.keys(fieldErrorsOf(error)).length > 0
  return isSaid ? null : textOf(error)
}
