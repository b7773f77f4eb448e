// One question with a safe answer that has the focus.

import { type IconNode, Trash2 } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from './button'
import styles from './confirm-dialog.module.css'
import { Dialog } from './dialog'
import { words } from './messages'

type ConfirmProps = {
  question: string
  children?: ComponentChildren
  /** Small picture of what it is about. */
  picture?: string | null
  confirm: string
  cancel?: string
  busyLabel?: string
  icon?: IconNode
  tone?: 'danger' | 'primary'
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

export function Confirm(props: ConfirmProps) {
  const { question, children, picture = null, confirm, cancel = words.cancel, onClose } = props
  const { icon = Trash2, tone = 'danger', busyLabel = confirm } = props
  const [busy, setBusy] = useState(false)
  const answer = async () => {
    setBusy(true)
    await props.onConfirm()
    setBusy(false)
  }
  const footer = (
    <>
      <Button tone="outline" onClick={onClose} isSafe>
        {cancel}
      </Button>
      <Button tone={tone} icon={icon} busy={busy} onClick={() => void answer()}>
        {busy ? busyLabel : confirm}
      </Button>
    </>
  )
  return (
    <Dialog title={question} onClose={onClose} footer={footer} size="small" alert>
      <div className={styles.body}>
        {picture === null ? null : <img src={picture} alt="" className={styles.picture} />}
        <div>{children}</div>
      </div>
    </Dialog>
  )
}
