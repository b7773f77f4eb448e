// Asks before all drafts are discarded: names the number of changes and their pages.

import { fill } from '../../../../lib/interpolate'
import { counted } from '../../../../lib/plural'
import { Confirm } from '../../../ui/confirm-dialog'
import { toastDone } from '../../../ui/toast-store'
import { listText, numberWord, wording } from '../messages'
import { homeOf } from '../model/editable-pages'
import { allChanges, discardAll, useBlocksAndDrafts } from '../model/pages-store'

const { discard: own } = wording.editor

export function DiscardDialog({ onClose }: { onClose: () => void }) {
  const store = useBlocksAndDrafts()
  const count = allChanges(store).length
  const changed = (store.blocks ?? []).filter(({ id }) => id in store.drafts)
  const pages = [...new Set(changed.map((block) => homeOf(block).label))]
  return (
    <Confirm
      question={fill(counted(count, own.titleOne, own.title), { number: numberWord(count) })}
      confirm={counted(count, own.confirmOne, own.confirm)}
      cancel={own.cancel}
      onClose={onClose}
      onConfirm={async () => {
        discardAll()
        onClose()
        toastDone(counted(count, own.doneOne, own.done))
      }}
    >
      <p>
        {pages.length === 1
          ? fill(own.textOne, { page: pages[0] ?? '' })
          : fill(own.text, { pages: listText(pages) })}
      </p>
    </Confirm>
  )
}
