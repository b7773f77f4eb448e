// Moves a row to a typed position, because dragging past hundreds of rows is not practical.

import { useState } from 'preact/hooks'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { TextField } from '../../ui/fields/text-field'
import { words } from '../../ui/messages'
import { itemMessages } from './messages'

type PositionDialogProps = {
  title: string
  /** Counted from 1. */
  position: number
  total: number
  onMove: (position: number) => void
  onClose: () => void
}

export function MoveDialog(props: PositionDialogProps) {
  const { title, position, total, onMove, onClose } = props
  const [text, setText] = useState(String(position))
  const wanted = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0
  const isWrong = wanted < 1 || wanted > total
  const done = (event: Event) => {
    event.preventDefault()
    if (isWrong) return
    onClose()
    onMove(wanted)
  }
  const footer = (
    <>
      <Button tone="outline" onClick={onClose}>
        {words.cancel}
      </Button>
      <Button submit form="position" disabled={isWrong}>
        {itemMessages.move.action}
      </Button>
    </>
  )
  return (
    <Dialog title={itemMessages.move.title} onClose={onClose} footer={footer} size="small">
      <form id="position" onSubmit={done}>
        <TextField
          id="position-number"
          label={itemMessages.move.label(title, total)}
          value={text}
          onChange={setText}
          numeric
          {...(isWrong ? { problem: itemMessages.move.wrong(total) } : {})}
        />
      </form>
    </Dialog>
  )
}
