// Replaces a rich-text editor whose chunk failed to load.
import { RotateCcw } from 'lucide'
import { useNewRelease } from '../../hooks/use-new-release'
import { richTextMessages } from '../../rich-text/messages'
import { Button } from '../button'
import { words } from '../messages'

export function RichTextLoadError({ onRetry }: { onRetry: () => void }) {
  const renewed = useNewRelease()
  return (
    <div role="alert">
      <p>{renewed ? words.renewed : richTextMessages.failed}</p>
      <Button
        tone="outline"
        small
        icon={RotateCcw}
        onClick={renewed ? () => location.reload() : onRetry}
      >
        {renewed ? words.reload : richTextMessages.retry}
      </Button>
    </div>
  )
}
