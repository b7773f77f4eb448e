// Whether a sentence denies a word of medicine, or only seems to: 'non solo rilassa ma guarisce'.

const LETTER = '[\\p{L}\\p{N}]'
/** Where a sentence ends: a denial holds no further. */
const SENTENCE = /[.!?;:\n]/
/** 'Perché non provare …?' denies nothing. */
const INVITES = /perch[ée]\s+non(?!\p{L})/giu
/** What follows stands against what was denied. */
const TURN = anyOf(['ma', 'però', 'bensì', 'anzi', 'eppure', 'tuttavia'])
/** They deny what they name, and nothing that is said of it. */
const PARTIAL = /^(?:senza|invece)/i
/** 'Non solo una terapia', 'non è soltanto una cura', 'non cura solo il corpo'. */
const ONLY =
  /^(?:[\s*_]+(?!(?:e|ed|o|ma|però|bensì|anzi)\s)[\p{L}'’]+){0,2}[\s*_]+(?:solo|soltanto|solamente|unicamente|semplicemente)(?!\p{L})/iu
/** 'Nessuno guarisce come noi' */
const THAN_US = /(?<!\p{L})(?:come|quanto|meglio\s+di|più\s+di)\s+(?:noi|me|qui)(?!\p{L})/iu
/** 'Non c'è cura migliore', 'nessuna terapia è più efficace' */
const IS_THERE = /^\s+(?:c['’](?:è|era)|ci\s+sono|esist|trov|conosc|ho\s|abbiamo\s)/iu
const BEST =
  /(?<!\p{L})(?:miglior|meglio|più\s+(?:efficac|potent|sicur|natural|dolc|fort|bell|grand|rapid|veloc)|come\s+(?:il\s+|la\s+|l['’])?(?:respir|rebirthing|nostr|mi[ao](?!\p{L})))/iu

/** Whole words, with any blank between two. */
export function anyOf(words: readonly string[]): RegExp {
  const all = words.map((word) => word.replaceAll(' ', '\\s+')).join('|')
  return new RegExp(`(?<!${LETTER})(?:${all})(?!${LETTER})`, 'giu')
}

export type Terms = { readonly forms: RegExp; readonly negations: RegExp }
type Found = { readonly word: string; readonly index: number }

/** A comma ends a denial, but not the list of what it denies: 'Non è una diagnosi, una terapia'. */
export function isNegated(text: string, found: Found, terms: Terms): boolean {
  const [here = ''] = text.slice(found.index).split(SENTENCE)
  const asked = text.slice(found.index + here.length).startsWith('?')
  const start = text.slice(0, found.index).split(SENTENCE).at(-1) ?? ''
  const before = (asked ? start.replace(INVITES, '') : start).split(',')
  const [after = ''] = here.split(',')
  let former: Way = null
  for (const [place, clause] of before.entries()) {
    const isHere = place === before.length - 1
    const last = isHere ? { word: found.word, index: clause.length } : lastOf(clause, terms.forms)
    if (last === null) former = null
    else former = wayIn(isHere ? clause + after : clause, last, former, terms.negations)
  }
  return former !== null
}

/** How a word is denied: with all that is said, or as one of the things that are not there. */
type Way = 'all' | 'thing' | null

function lastOf(clause: string, forms: RegExp): Found | null {
  const last = [...clause.matchAll(forms)].at(-1)
  return last === undefined ? null : { word: last[0], index: last.index }
}

function wayIn(clause: string, { word, index }: Found, former: Way, negations: RegExp): Way {
  const before = clause.slice(0, index)
  const start = [...before.matchAll(TURN)].at(-1)?.index ?? 0
  const part = before.slice(start)
  for (const { 0: negation, index: at } of part.matchAll(negations)) {
    const rest = part.slice(at + negation.length)
    if (PARTIAL.test(negation)) {
      if (isNamed(rest, word)) return 'thing'
    } else if (!isHollow(negation, rest + clause.slice(index))) return 'all'
  }
  if (former === null || start > 0 || before.search(TURN) >= 0) return null
  return former === 'all' || isNamed(part, word) ? former : null
}

/** It says the contrary of what it seems to deny. */
function isHollow(negation: string, rest: string): boolean {
  if (/^non$/i.test(negation) && ONLY.test(rest)) return true
  if (THAN_US.test(rest)) return true
  return (/^nessun/i.test(negation) || IS_THERE.test(rest)) && BEST.test(rest)
}

/** An article, 'alcun', 'mai', an infinitive: what they belong to is still to come. */
const LEADS =
  /^(?:un[oa]?|il|l[oaei']|i|gli|alcun[oa]?|nessun[oa]?|nulla|niente|mai|più|vere?|propri[oa]|a|ad|all[oae]?|agli|ai|da|per|in|con|\p{L}+r(?:e|[mtsv]i|ci|ne|l[oaie]))$/iu
const OF = /^(?:di|d|del|dell[oae]?|dei|degli)$/iu
const OR = /^(?:o|od|oppure|né|nè)$/iu
const AND = /^(?:e|ed)$/iu
const ADJECTIVE = /(?:iv|ic|os|garantit)(?:[oaie]|he)$/iu
const VERB = /^(?:cur|guari|diagnostic|preven|previen)/iu
/** Those of a verb that name a thing: 'senza curare', 'senza effetti curativi'. */
const THING = /(?:r(?:e|[mtsv]i|ci|ne|l[oaie])|cur[ae]|guarigion[ei]|prevenzione)$/iu

/** 'Senza farmaci curi' denies the medicines alone. */
function isNamed(rest: string, word: string): boolean {
  const isAdjective = ADJECTIVE.test(word)
  if (VERB.test(word) && !isAdjective && !THING.test(word)) return false
  let state: 'awaits' | 'named' | 'past' = 'awaits'
  for (const one of rest.match(/\p{L}+/gu) ?? []) {
    if (OR.test(one) || (state === 'named' && (AND.test(one) || OF.test(one)))) state = 'awaits'
    else if (state === 'awaits') state = LEADS.test(one) || OF.test(one) ? 'awaits' : 'named'
    else state = 'past'
  }
  return state === 'awaits' || (state === 'named' && isAdjective)
}
