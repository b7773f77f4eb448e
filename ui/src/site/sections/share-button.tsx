// Shares the page through the system's share sheet, or copies its address.

import { Share2 } from 'lucide'
import { Icon } from '../../primitives/icon'
import { share } from '../fixed-messages/share'
import { showToast } from '../layout/toast-store'
import styles from './share-button.module.css'

type ShareButtonProps = { readonly title: string; readonly url: string }

export function ShareButton({ title, url }: ShareButtonProps) {
  return (
    <button type="button" class={styles.share} onClick={() => shareOrCopy(title, url)}>
      <Icon of={Share2} />
      {share.label}
    </button>
  )
}

async function shareOrCopy(title: string, url: string): Promise<void> {
  try {
    if (navigator.share !== undefined) {
      await navigator.share({ title, url })
    } else {
      await navigator.clipboard.writeText(url)
      showToast(share.copied)
    }
  } catch (error) {
    // Closing the share sheet is not a failure.
    const isGivenUp = error instanceof DOMException && error.name === 'AbortError'
    if (!isGivenUp) showToast(share.failure, true)
  }
}
