// In the place of a text's editor, which comes with its form, where that did not arrive.
import { RotateCcw } from 'lucide'
import { Button } from '../parts/button'
import { richWords } from '../rich-text/words'

export function NotLoaded({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert">
      <p>{richWords.failed}</p>
      <Button tone="outline" small icon={RotateCcw} onClick={onRetry}>
        {richWords.retry}
      </Button>
    </div>
  )
}
