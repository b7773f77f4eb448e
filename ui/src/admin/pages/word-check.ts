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
const FORMS = anyOf(forms.map(({ form }) => form))
const NEGATION = anyOf(list.notMarked.negations)
const PHRASES = list.notMarked.phrases

/** Where a sentence ends: a denial holds no further. */
const SENTENCE = /[.!?;:\n]/
/** 'Perché non provare …?' denies nothing. */
const INVITES = /perch[ée]\s+non(?!\p{L})/giu

/** Whole words, with any blank between two. */
function anyOf(words: readonly string[]): RegExp {
  const all = words.map((word) => word.replaceAll(' ', '\\s+')).join('|')
  return new RegExp(`(?<!${LETTER})(?:${all})(?!${LETTER})`, 'giu')
}

/** Letters as the list has them, one for one. */
function plain(text: string): string {
  return text.toLowerCase().replace(/\s/g, ' ')
}

export function concernsIn(text: string): readonly Concern[] {
  return [...text.matchAll(FORMS)].flatMap((found) => {
    const [word] = found
    const entry = byForm.get(plain(word).replace(/ +/g, ' '))
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

/** A comma ends a denial, but not the list of what it denies: 'Non è una diagnosi, una terapia'. */
function isDenied(text: string, index: number): boolean {
  const before = text.slice(0, index).split(SENTENCE).at(-1) ?? ''
  const isAsked = text.slice(index).match(SENTENCE)?.[0] === '?'
  const clauses = (isAsked ? before.replace(INVITES, '') : before).split(',')
  let denies = false
  clauses.forEach((clause, place) => {
    const former = clauses[place - 1] ?? ''
    const goesOn = denies && former.search(FORMS) >= 0 && !/^\s*(?:ma|però)\s/i.test(clause)
    denies = goesOn || clause.search(NEGATION) >= 0
  })
  return denies
}

function isInPhrase(text: string, index: number, word: string): boolean {
  const lower = plain(text)
  return PHRASES.some((phrase) => {
    const offset = phrase.indexOf(plain(word))
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
