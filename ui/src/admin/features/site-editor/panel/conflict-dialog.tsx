// Shows both versions of a block side by side; the admin chooses for each conflict.
import { useContext } from 'preact/hooks'
import { fill } from '../../../../lib/interpolate'
import { timeText } from '../../../../lib/panel-date-format'
import { ConflictDialog } from '../../../conflicts/conflict-dialog'
import type { Block } from '../api/content-api'
import type { ConflictRequest } from '../api/use-publishing'
import { wording } from '../messages'
import { pictureIn } from '../model/format-value'
import type { BlockConflict } from '../model/merge-block'
import { ChipReactContext } from '../model/use-chip-context'
import { conflictLabel, conflictNote, conflictText, sameCount } from './conflict-summary'

export function BlockConflictDialog({ asked }: { asked: ConflictRequest | null }) {
  const known = useContext(ChipReactContext)
  if (asked === null) return null
  const { block, mine, clashes, joined, isAgain, isHere } = asked.clashing
  const at = (place: string) => clashes.find((clash) => clash.place === place)
  const of = <Answer,>(place: string, read: (clash: BlockConflict) => Answer) => {
    const clash = at(place)
    return clash === undefined ? null : read(clash)
  }
  return (
    <ConflictDialog
      what={`«${block.label}»`}
      savedAt={block.updatedAt}
      {...(isHere ? { said: saidHere(block) } : {})}
      labelOf={(place) => of(place, (clash) => conflictLabel(block, clash, known)) ?? block.label}
      noteOf={(place) => of(place, (clash) => conflictNote(block, clash))}
      question={{
        clashes: clashes.map((clash) => ({
          name: clash.place,
          mine: conflictText(block, clash, 'mine', known),
          other: conflictText(block, clash, 'other', known),
        })),
        same: sameCount(block.fields, mine, block.value),
        isAgain,
      }}
      joined={joined}
      pictureOf={(place, side) =>
        of(place, (clash) => (clash.kind === 'word' ? pictureIn(clash[side])?.path : null)) ?? null
      }
      onAnswer={asked.answer}
    />
  )
}

/** For a version that this tab restored over one from another tab: it is no other person's change. */
function saidHere({ label, updatedAt }: Block) {
  const { hereTitle, hereText } = wording.conflict
  const time = updatedAt === null ? '' : timeText(new Date(updatedAt))
  return { title: hereTitle, text: fill(hereText, { what: `«${label}»`, time }) }
}
