// Decides whether a sentence negates a medical term, or only seems to: 'non solo rilassa ma guarisce'.

const LETTER = '[\\p{L}\\p{N}]'
/** End of a sentence, and of the scope of a negation. */
const SENTENCE = /[.!?;:\n]/
/** 'Perché non provare …?' is an invitation and negates nothing. */
const INVITES = /perch[ée]\s+non(?!\p{L})/giu
/** Adversative conjunctions, which end the scope of a negation. */
const TURN = anyOf(['ma', 'però', 'bensì', 'anzi', 'eppure', 'tuttavia'])
/** Prepositions that negate only the noun or infinitive after them, not the rest of the clause. */
const PARTIAL = /^(?:senza|invece)/i
/** 'Non' with 'only' affirms: 'Non solo una terapia', 'non è soltanto una cura', 'non cura solo il corpo'. */
const ONLY =
  /^(?:[\s*_]+(?!(?:e|ed|o|ma|però|bensì|anzi)\s)[\p{L}'’]+){0,2}[\s*_]+(?:solo|soltanto|solamente|unicamente|semplicemente)(?!\p{L})/iu
/** A comparison with the practitioner affirms: 'Nessuno guarisce come noi'. */
const THAN_US = /(?<!\p{L})(?:come|quanto|meglio\s+di|più\s+di)\s+(?:noi|me|qui)(?!\p{L})/iu
/** With `BEST`, a negated superlative, which affirms: 'Non c'è cura migliore', 'nessuna terapia è più efficace'. */
const IS_THERE = /^\s+(?:c['’](?:è|era)|ci\s+sono|esist|trov|conosc|ho\s|abbiamo\s)/iu
const BEST =
  /(?<!\p{L})(?:miglior|meglio|più\s+(?:efficac|potent|sicur|natural|dolc|fort|bell|grand|rapid|veloc)|come\s+(?:il\s+|la\s+|l['’])?(?:respir|rebirthing|nostr|mi[ao](?!\p{L})))/iu

/** Matches any of the words or phrases as whole words, with any white space inside a phrase. */
export function anyOf(words: readonly string[]): RegExp {
  const all = words.map((word) => word.replaceAll(' ', '\\s+')).join('|')
  return new RegExp(`(?<!${LETTER})(?:${all})(?!${LETTER})`, 'giu')
}

export type Terms = { readonly forms: RegExp; readonly negations: RegExp }
type Found = { readonly word: string; readonly index: number }

/** A comma ends a negation, except in a list of negated terms: 'Non è una diagnosi, una terapia'. */
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

/** Kind of negation: `all` negates the whole clause, `thing` only the named things ('senza …'). */
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

/** Whether the negation affirms what it seems to negate. */
function isHollow(negation: string, rest: string): boolean {
  if (/^non$/i.test(negation) && ONLY.test(rest)) return true
  if (THAN_US.test(rest)) return true
  return (/^nessun/i.test(negation) || IS_THERE.test(rest)) && BEST.test(rest)
}

/** Articles, 'alcun', 'mai', infinitives: the noun they belong to follows. */
const LEADS =
  /^(?:un[oa]?|il|l[oaei']|i|gli|alcun[oa]?|nessun[oa]?|nulla|niente|mai|più|vere?|propri[oa]|a|ad|all[oae]?|agli|ai|da|per|in|con|\p{L}+r(?:e|[mtsv]i|ci|ne|l[oaie]))$/iu
const OF = /^(?:di|d|del|dell[oae]?|dei|degli)$/iu
const OR = /^(?:o|od|oppure|né|nè)$/iu
const AND = /^(?:e|ed)$/iu
const ADJECTIVE = /(?:iv|ic|os|garantit)(?:[oaie]|he)$/iu
const VERB = /^(?:cur|guari|diagnostic|preven|previen)/iu
/** Infinitives and nouns of the stems in `VERB`, which name a thing: 'senza curare'. */
const THING = /(?:r(?:e|[mtsv]i|ci|ne|l[oaie])|cur[ae]|guarigion[ei]|prevenzione)$/iu

/** Whether the word belongs to the named thing: 'Senza farmaci curi' negates only the medicines. */
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
