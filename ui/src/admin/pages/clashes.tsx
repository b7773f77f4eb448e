// Both texts of a block side by side: nothing is chosen for anybody.
import { useContext } from 'preact/hooks'
import { Conflict } from '../conflict'
import { choiceName, entryName } from './choice-names'
import type { Field, PictureWord, Word } from './contract'
import { amountText, type Known, shownText } from './text-parts'
import { unreadIn } from './typed-amounts'
import { KnownContext } from './use-known'
import type { AskedSides } from './use-publishing'
import { fieldAt, isGroup, isList, leavesOf } from './value'
import { fill, wording } from './wording'

export function Clashes({ asked }: { asked: AskedSides | null }) {
  const known = useContext(KnownContext)
  if (asked === null) return null
  const { block, clashes, isAgain } = asked.clashing
  const text = (path: string, word: Word) => wordText(word, known, fieldAt(block.fields, path))
  return (
    <Conflict
      what={`«${block.label}»`}
      savedAt={block.updatedAt}
      labelOf={(path) => fieldAt(block.fields, path)?.label ?? block.label}
      question={{
        clashes: clashes.map(({ path, mine, other }) => ({
          name: path,
          mine: text(path, mine),
          other: text(path, other),
        })),
        same: leavesOf(block.fields, block.value).length - clashes.length,
        isAgain,
      }}
      pictureOf={(path, side) => {
        const clash = clashes.find((one) => one.path === path)
        return pictureIn(clash?.[side])?.path ?? null
      }}
      onAnswer={asked.answer}
    />
  )
}

/** Anything a place can hold, in one text. */
export function wordText(word: Word | undefined, known: Known, field?: Field): string {
  if (word === null || word === undefined) return ''
  if (field?.type === 'choice' && typeof word === 'string') return choiceName(word)
  if (field?.type === 'entry') return entryName(field, word, known.blocks)
  if (typeof word !== 'object') return String(word)
  if (isList(word)) {
    return word.map((entry) => wordText(isGroup(entry) ? firstOf(entry) : entry, known)).join('\n')
  }
  if ('cents' in word) return unreadIn(word) ?? amountText(word)
  const picture = pictureIn(word)
  if (picture !== null) return pictureText(picture)
  if ('text' in word && isList(word.text)) return shownText(word, known)
  if (typeof word.setting === 'string') return shownText({ text: [word] }, known)
  return wordText(firstOf(word), known)
}

export function pictureIn(word: Word | undefined): PictureWord | null {
  return isGroup(word) && 'focusX' in word ? (word as unknown as PictureWord) : null
}

/** What is said of it: which one it is, nobody reads. */
function pictureText({ alt, decorative, focusX, focusY }: PictureWord): string {
  const { altMissing, decorative: isDecorative, point } = wording.picture
  const said = decorative ? isDecorative : alt || altMissing
  if (focusX === 50 && focusY === 50) return said
  return `${said}\n${fill(point, { x: focusX, y: focusY })}`
}

function firstOf(entry: { readonly [name: string]: Word }): Word {
  const [first] = Object.entries(entry).filter(([name, word]) => name !== 'id' && word !== '')
  const { title = first?.[1] ?? '' } = entry
  return title
}
