// Counts shown below a text: words, reading time and pictures, and the error for a text that is too long.

import { useMemo } from 'preact/hooks'
import { counted } from '../../lib/plural'
import { readingTime } from '../../lib/reading-time'
import { richTextMessages } from './messages'
import styles from './rich-text.module.css'

export function TextStatistics({ markdown }: { markdown: string }) {
  const { counts } = richTextMessages
  const { words, pictures } = useMemo(() => countsOf(markdown), [markdown])
  return (
    <p className={styles.counts}>
      <span>{counted(words, counts.wordsOne, counts.words)}</span>
      <span>{readingTime(words)}</span>
      {pictures === 0 ? null : (
        <span>{counted(pictures, counts.picturesOne, counts.pictures)}</span>
      )}
    </p>
  )
}

function countsOf(markdown: string): { words: number; pictures: number } {
  const pictures = markdown.match(/!\[[^\]]*\]\(\/objects\/uploads\//g)?.length ?? 0
  const bare = markdown.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
  const words = bare.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
  return { words, pictures }
}

export function TooLong({ value, max }: { value: string; max: number }) {
  // A text never has more characters than code units, so most texts need no count.
  const over = value.length <= max ? 0 : [...value].length - max
  if (over <= 0) return null
  return (
    <p className={styles.tooLong} role="alert">
      {counted(over, richTextMessages.tooLongOne, richTextMessages.tooLong)}
    </p>
  )
}
