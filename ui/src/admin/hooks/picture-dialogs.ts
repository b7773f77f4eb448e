// Requests the dialogs about stored pictures; the shell renders them.
import { create } from 'zustand'
import type { StoredPicture } from '../api/pictures'

/** Proportions that a place gives a picture, by the name of that place. */
export type Ratio = { readonly label: string; readonly ratio: number }

/** The proportions that suit a picture of this size. */
export type RatiosOf = (size: {
  readonly width: number
  readonly height: number
}) => readonly Ratio[]

type Request =
  | { readonly is: 'library'; readonly answer: (chosen: StoredPicture | null) => void }
  | {
      readonly is: 'editor'
      readonly path: string
      readonly ratiosOf: RatiosOf
      readonly answer: (path: string | null) => void
    }

export const usePictureDialogs = create<{ readonly request: Request | null }>(() => ({
  request: null,
}))

/** Lets the admin choose a picture of the site; null when she leaves it. */
export function chooseStoredPicture(): Promise<StoredPicture | null> {
  return new Promise((resolve) => ask({ is: 'library', answer: closing(resolve) }))
}

/** Lets the admin crop and turn a picture; null when it stays as it is, else the path of the new one. */
export function cropPicture(path: string, ratiosOf: RatiosOf): Promise<string | null> {
  return new Promise((resolve) => ask({ is: 'editor', path, ratiosOf, answer: closing(resolve) }))
}

function ask(request: Request): void {
  usePictureDialogs.setState({ request })
}

function closing<Answer>(resolve: (answer: Answer) => void): (answer: Answer) => void {
  return (answer) => {
    usePictureDialogs.setState({ request: null })
    resolve(answer)
  }
}
