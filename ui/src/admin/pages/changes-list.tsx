// Each change that is not published: where, from what to what, and one press to take it back.
import { Undo2 } from 'lucide'
import { IconButton } from '../parts/button'
import { Dialog } from '../parts/dialog'
import type { Change } from './changes'
import styles from './changes.module.css'
import { wordText } from './clashes'
import type { Block } from './contract'
import { allChanges, draftOf, edit, usePages } from './pages-store'
import { homeOf } from './site-pages'
import { at, withAt } from './value'
import { fill, numberWord, wording } from './wording'

const { changes: own } = wording.editor

export function ChangesList({ onClose }: { onClose: () => void }) {
  const store = usePages()
  const all = allChanges(store)
  const title =
    all.length === 1 ? own.headingOne : fill(own.heading, { number: numberWord(all.length, true) })
  return (
    <Dialog title={title} onClose={onClose}>
      <p className={styles.soft}>{own.kept}</p>
      <ul className={styles.list}>
        {all.map((change) => {
          const block = store.blocks?.find(({ id }) => id === change.block)
          if (block === undefined) return null
          return (
            <Row
              key={`${change.block}:${change.path}:${change.kind}`}
              change={change}
              block={block}
            />
          )
        })}
      </ul>
    </Dialog>
  )
}

function Row({ change, block }: { change: Change; block: Block }) {
  const known = { settings: {}, settingLabels: {}, blocks: usePages.getState().blocks ?? [] }
  const what = [homeOf(block).label, block.label, change.field?.label]
    .filter((part, index, all) => part !== undefined && part !== all[index - 1])
    .join(' · ')
  return (
    <li>
      <div>
        <b>{what}</b>
        <p>{textOf(change, (word) => wordText(word, known))}</p>
      </div>
      <IconButton
        label={fill(own.discardOne, { what })}
        icon={Undo2}
        onClick={() => takeBack(change, block)}
      />
    </li>
  )
}

function textOf(change: Change, text: (word: Parameters<typeof wordText>[0]) => string) {
  switch (change.kind) {
    case 'replaced':
      return (
        <>
          <del>{text(change.before)}</del> <ins>{text(change.after)}</ins>
        </>
      )
    case 'added':
      return `${own.added}: ${text(change.entry)}`
    case 'removed':
      return `${own.removed}: ${text(change.entry)}`
    case 'moved':
      return `${text(change.entry)}: ${fill(own.moved, { from: change.from + 1, to: change.to + 1 })}`
    default:
      return own[change.kind]
  }
}

/** A replaced word goes back alone; what changed the shape of a list goes back with the list. */
function takeBack(change: Change, block: Block): void {
  const store = usePages.getState()
  const draft = draftOf(store, block)
  const what = change.field?.label ?? block.label
  if (change.kind === 'hidden' || change.kind === 'shown') {
    edit({ block: block.id, path: '', what, hidden: block.hidden })
    return
  }
  const list = change.path.replace(/\[\d+\]$/, '')
  const path = change.kind === 'replaced' ? change.path : list
  const word = change.kind === 'replaced' ? change.before : (at(block.value, list) ?? null)
  edit({ block: block.id, path, what, value: withAt(draft.value, path, word) })
}
