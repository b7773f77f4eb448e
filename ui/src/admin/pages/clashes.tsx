// Both texts of a block side by side: nothing is chosen for anybody.
import { useContext } from 'preact/hooks'
import { Conflict } from '../conflict'
import type { Word } from './contract'
import { amountText, type Known, shownText } from './text-parts'
import { KnownContext } from './use-known'
import type { AskedSides } from './use-publishing'
import { fieldAt, isGroup, isList, leavesOf } from './value'

export function Clashes({ asked }: { asked: AskedSides | null }) {
  const known = useContext(KnownContext)
  if (asked === null) return null
  const { block, clashes, isAgain } = asked.clashing
  return (
    <Conflict
      what={`«${block.label}»`}
      savedAt={block.updatedAt}
      labelOf={(path) => fieldAt(block.fields, path)?.label ?? block.label}
      question={{
        clashes: clashes.map(({ path, mine, other }) => ({
          name: path,
          mine: wordText(mine, known),
          other: wordText(other, known),
        })),
        same: leavesOf(block.fields, block.value).length - clashes.length,
        isAgain,
      }}
      onAnswer={asked.answer}
    />
  )
}

/** Anything a place can hold, in one text. */
export function wordText(word: Word | undefined, known: Known): string {
  if (word === null || word === undefined) return ''
  if (typeof word !== 'object') return String(word)
  if (isList(word)) {
    return word.map((entry) => wordText(isGroup(entry) ? firstOf(entry) : entry, known)).join('\n')
  }
  if ('cents' in word) return amountText(word)
  if ('path' in word) return wordText(word.path, known)
  if ('text' in word && isList(word.text)) return shownText(word, known)
  if (typeof word.setting === 'string') return shownText({ text: [word] }, known)
  return wordText(firstOf(word), known)
}

function firstOf(entry: { readonly [name: string]: Word }): Word {
  const [first] = Object.entries(entry).filter(([name, word]) => name !== 'id' && word !== '')
  const { title = first?.[1] ?? '' } = entry
  return title
}
