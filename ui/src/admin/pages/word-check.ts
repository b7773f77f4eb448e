// Words of medicine and of promise in what she writes: a quiet mark, a reason, another wording.
import list from './word-list.json'

type Why = keyof typeof list.why

export type Concern = {
  readonly id: string
  /** The word as it stands in the text. */
  readonly word: string
  readonly index: number
  readonly alternatives: readonly string[]
  /** What the word is taken for. */
  readonly about: Why
  readonly title: string
  readonly why: string
}

const LETTER = '[\\p{L}\\p{N}]'

/** Longer forms first, so that `eliminare lo stress` is not taken for a part of it. */
const forms = list.words
  .flatMap((entry) => entry.forms.map((form) => ({ form, entry })))
  .sort((one, other) => other.form.length - one.form.length)

const byForm = new Map(forms.map(({ form, entry }) => [form, entry]))
const FORMS = new RegExp(
  `(?<!${LETTER})(?:${forms.map(({ form }) => form).join('|')})(?!${LETTER})`,
  'giu',
)
const NEGATION = new RegExp(
  `(?<!${LETTER})(?:${list.notMarked.negations.join('|')})(?!${LETTER})`,
  'iu',
)
const PHRASES = list.notMarked.phrases

/** Where a clause ends: a denial holds no further. */
const CLAUSE = /[.!?;:\n]/

export function concernsIn(text: string): readonly Concern[] {
  return [...text.matchAll(FORMS)].flatMap((found) => {
    const [word] = found
    const entry = byForm.get(word.toLowerCase())
    if (entry === undefined || isDenied(text, found.index) || isInPhrase(text, found.index, word)) {
      return []
    }
    const { title, text: why } = list.why[entry.why as Why]
    const { id, alternatives } = entry
    return [
      {
        id,
        word,
        index: found.index,
        alternatives,
        about: entry.why as Why,
        title: title.replace('{word}', word),
        why,
      },
    ]
  })
}

function isDenied(text: string, index: number): boolean {
  const before = text.slice(0, index).split(CLAUSE).at(-1) ?? ''
  return NEGATION.test(before)
}

function isInPhrase(text: string, index: number, word: string): boolean {
  const lower = text.toLowerCase()
  return PHRASES.some((phrase) => {
    const offset = phrase.indexOf(word.toLowerCase())
    return offset >= 0 && lower.startsWith(phrase, index - offset)
  })
}

/** Another word in its place, which begins with a capital where the former did. */
export function fitting({ word }: Concern, other: string): string {
  const capital = word.charAt(0) !== word.charAt(0).toLowerCase()
  return capital ? other.charAt(0).toUpperCase() + other.slice(1) : other
}

/** The text with another word in that place. */
export function replaced(text: string, concern: Concern, other: string): string {
  const { word, index } = concern
  return text.slice(0, index) + fitting(concern, other) + text.slice(index + word.length)
}
