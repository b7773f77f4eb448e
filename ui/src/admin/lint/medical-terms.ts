// Finds medical terms and promises of healing in a text, with the reason and alternatives.
import { UNSEEN } from '../../lib/invisible-characters'
import { anyOf, isNegated } from './negation'
import list from './terms.json'

type Why = keyof typeof list.why

export type LintMatch = {
  readonly id: string
  /** Matched word as it is written in the text. */
  readonly word: string
  readonly index: number
  readonly alternatives: readonly string[]
  /** Category of the word. */
  readonly about: Why
  readonly title: string
  readonly why: string
}

/** Longer forms first, so that `eliminare lo stress` matches as a whole and not in part. */
const forms = list.words
  .flatMap((entry) => entry.forms.map((form) => ({ form, entry })))
  .sort((one, other) => other.form.length - one.form.length)

const byForm = new Map(forms.map(({ form, entry }) => [form, entry]))
const FORMS = anyOf(forms.map(({ form }) => form))
const TERMS = { forms: FORMS, negations: anyOf(list.notMarked.negations) }
const PHRASES = list.notMarked.phrases

/** Lower case and plain spaces, as in the list. Keeps the length, so that indices stay valid. */
function lowerCaseWithSpaces(text: string): string {
  return text.toLowerCase().replace(/\s/g, ' ')
}

/** Returns the text without invisible characters, and a function that maps its indices to the original text. */
function withoutInvisible(text: string): {
  bare: string
  originalIndex: (index: number) => number
} {
  const bare = text.replace(UNSEEN, '')
  if (bare.length === text.length) return { bare, originalIndex: (index) => index }
  const places = [...text.matchAll(/[^\u00ad\u200b-\u200d\u2060\ufeff]/g)].map(({ index }) => index)
  return { bare, originalIndex: (index) => places[index] ?? text.length }
}

export function findMedicalTerms(text: string): readonly LintMatch[] {
  const { bare, originalIndex } = withoutInvisible(text)
  return [...bare.matchAll(FORMS)].flatMap((found) => {
    const [word] = found
    const entry = byForm.get(lowerCaseWithSpaces(word).replace(/ +/g, ' '))
    const { index } = found
    const isMeant = entry !== undefined && !isInPhrase(bare, index, word)
    if (!isMeant || isNegated(bare, { word, index }, TERMS)) return []
    const { title, text: why } = list.why[entry.why as Why]
    const { id } = entry
    const alternatives = alternativesOf(entry, lowerCaseWithSpaces(word).replace(/ +/g, ' '))
    const from = originalIndex(index)
    return [
      {
        id,
        word: text.slice(from, originalIndex(index + word.length - 1) + 1),
        index: from,
        alternatives,
        about: entry.why as Why,
        title: title.replace('{word}', word),
        why,
      },
    ]
  })
}

type Entry = (typeof list.words)[number]

/** Alternatives in the person, tense and number of the form: `accompagno` for `curo`. */
function alternativesOf(entry: Entry, form: string): readonly string[] {
  const inflected: Readonly<Record<string, readonly string[]>> = entry.inflected ?? {}
  const { stems } = entry
  const ending = form.slice(stems?.of.length)
  // Verbs of the same conjugation.
  const conjugated = stems?.alternatives.map((stem) => stem + ending)
  return inflected[form] ?? conjugated ?? entry.alternatives
}

function isInPhrase(text: string, index: number, word: string): boolean {
  const lower = lowerCaseWithSpaces(text)
  return PHRASES.some((phrase) => {
    const offset = phrase.indexOf(lowerCaseWithSpaces(word))
    return offset >= 0 && lower.startsWith(phrase, index - offset)
  })
}

/** Returns the replacement, with a capital letter if the replaced word has one. */
export function fitting({ word }: LintMatch, other: string): string {
  const capital = word.charAt(0) !== word.charAt(0).toLowerCase()
  return capital ? other.charAt(0).toUpperCase() + other.slice(1) : other
}

/** Returns the text with the match replaced. */
export function replaceMatch(text: string, concern: LintMatch, other: string): string {
  const { word, index } = concern
  return text.slice(0, index) + fitting(concern, other) + text.slice(index + word.length)
}
