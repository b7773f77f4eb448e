// Shows the draft for a link that is no longer valid; the draft stays on the device and can be
// copied.

import { useEffect, useRef, useState } from 'preact/hooks'
import { PillButton } from '../../../primitives/buttons'
import { testimonial } from '../../fixed-messages/testimonial'
import { showToast } from '../../layout/toast-store'
import styles from './testimonial-form.module.css'
import { getLocalStorage, readDraft } from './testimonial-form-state'

const words = testimonial.left

export function ExpiredLinkDraft() {
  const [text, setText] = useState('')
  const quote = useRef<HTMLQuoteElement>(null)
  useEffect(() => setText(readDraft(getLocalStorage(), location.pathname)?.text ?? ''), [])
  if (text === '') return null
  return (
    <div class={styles.left}>
      <p>{words.draftText}</p>
      <blockquote ref={quote}>{text}</blockquote>
      <PillButton
        tone="outline"
        onClick={async () => {
          const isCopied = await copy(text, quote.current)
          showToast(isCopied ? words.copiedToast : words.copyByHandToast)
        }}
      >
        {words.copyAction}
      </PillButton>
    </div>
  )
}

/** Copies the text; if the browser refuses, selects it, to be copied by hand. */
async function copy(text: string, element: HTMLElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    if (element !== null) getSelection()?.selectAllChildren(element)
    return false
  }
}
