// Shows the draft for a link that is no longer valid; the draft stays on the device and can be
// copied.

import { useEffect, useState } from 'preact/hooks'
import { PillButton } from '../../../primitives/buttons'
import { testimonial } from '../../fixed-messages/testimonial'
import { showToast } from '../../layout/toast-store'
import styles from './testimonial-form.module.css'
import { getLocalStorage, readDraft } from './testimonial-form-state'

const words = testimonial.left

export function ExpiredLinkDraft() {
  const [text, setText] = useState('')
  useEffect(() => setText(readDraft(getLocalStorage(), location.pathname)?.text ?? ''), [])
  if (text === '') return null
  return (
    <div class={styles.left}>
      <p>{words.draftText}</p>
      <blockquote>{text}</blockquote>
      <PillButton
        tone="outline"
        onClick={async () => {
          await navigator.clipboard.writeText(text)
          showToast(words.copiedToast)
        }}
      >
        {words.copyAction}
      </PillButton>
    </div>
  )
}
