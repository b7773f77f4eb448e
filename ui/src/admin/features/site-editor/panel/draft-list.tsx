// Lists each unpublished change with its field and both values, and a button to revert it.

import { CalendarClock, Link2, Undo2 } from 'lucide'
import { useContext, useRef, useState } from 'preact/hooks'
import { fill } from '../../../../lib/interpolate'
import { counted } from '../../../../lib/plural'
import { PreviewLinkDialog } from '../../../drafts/preview-link-dialog'
import { Button, IconButton } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import type { Block } from '../api/content-api'
import { sharePageDraft } from '../api/page-draft'
import { numberWord, wording } from '../messages'
import { type Change, idOf, withoutChange } from '../model/draft-diff'
import { homeOf } from '../model/editable-pages'
import { formatValue } from '../model/format-value'
import { allChanges, draftOf, edit, useBlocksAndDrafts, usePages } from '../model/pages-store'
import { stripMarkdown } from '../model/strip-markdown'
import { ChipReactContext } from '../model/use-chip-context'
import { DiscardDialog } from './discard-dialog'
import styles from './draft-list.module.css'
import { PlanDialog } from './plan-dialog'
import { useFocusRestore } from './use-focus-restore'

const { changes: own, discard, plan, share } = wording.editor

export function DraftList({ onClose }: { onClose: () => void }) {
  const store = useBlocksAndDrafts()
  const all = allChanges(store)
  const title = fill(counted(all.length, own.headingOne, own.heading), {
    number: numberWord(all.length, true),
  })
  const [asking, setAsking] = useState(false)
  const [open, setOpen] = useState<'share' | 'plan' | null>(null)
  const close = () => setOpen(null)
  const list = useRef<HTMLUListElement>(null)
  useFocusRestore(list)
  const footer = (
    <>
      {/* On a narrow screen the toolbar has no room for this button. */}
      {all.length > 1 ? (
        <Button tone="quiet" onClick={() => setAsking(true)}>
          {discard.confirm}
        </Button>
      ) : null}
      <Button tone="outline" icon={Link2} onClick={() => setOpen('share')}>
        {share.action}
      </Button>
      <Button tone="outline" icon={CalendarClock} onClick={() => setOpen('plan')}>
        {plan.action}
      </Button>
    </>
  )
  return (
    <Dialog title={title} onClose={onClose} footer={all.length > 0 ? footer : undefined}>
      <p className={styles.soft}>{own.kept}</p>
      <ul className={styles.list} ref={list} tabIndex={-1}>
        {all.map((change) => {
          const block = store.blocks?.find(({ id }) => id === change.block)
          if (block === undefined) return null
          return <Row key={keyOf(change)} change={change} block={block} />
        })}
      </ul>
      {open === 'share' ? (
        <PreviewLinkDialog create={sharePageDraft} note={share.note} onClose={close} />
      ) : null}
      {open === 'plan' ? <PlanDialog onClose={close} /> : null}
      {asking ? (
        <DiscardDialog
          onClose={() => {
            setAsking(false)
            if (allChanges(usePages.getState()).length === 0) onClose()
          }}
        />
      ) : null}
    </Dialog>
  )
}

function Row({ change, block }: { change: Change; block: Block }) {
  const known = useContext(ChipReactContext)
  const isRich = change.field?.type === 'richText'
  const readable = (text: string) => (isRich ? stripMarkdown(text) : text)
  const what = [homeOf(block).label, block.label, change.field?.label]
    .filter((part, index, all) => part !== undefined && part !== all[index - 1])
    .join(' · ')
  return (
    <li>
      <div>
        <b>{what}</b>
        <p>
          {textOf(change, (word) => readable(formatValue(word, known, change.field ?? undefined)))}
        </p>
      </div>
      <IconButton
        label={fill(own.discardOne, { what })}
        icon={Undo2}
        onClick={() => takeBack(change, block)}
      />
    </li>
  )
}

function textOf(change: Change, text: (word: Parameters<typeof formatValue>[0]) => string) {
  switch (change.kind) {
    case 'replaced':
      // Another picture with the same description.
      if (text(change.before) === text(change.after)) return own.replaced
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

/** Includes the entry's id, because removed entries share the path of their list. */
function keyOf(change: Change): string {
  const id = 'entry' in change ? idOf(change.entry) : null
  return `${change.block}:${change.path}:${change.kind}:${id}`
}

function takeBack(change: Change, block: Block): void {
  const draft = withoutChange(block, draftOf(usePages.getState(), block), change)
  const what = change.field?.label ?? block.label
  const path = change.kind === 'replaced' ? change.path : change.path.replace(/\[\d+\]$/, '')
  edit({ block: block.id, path, what, ...draft })
}
