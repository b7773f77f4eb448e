// Renders parsed rich text: paragraphs, line breaks, nested lists, bold, italic, links.

import type { Block, Inline } from '../content/schema'
import { NewTab } from './links'

export function RichText({ blocks }: { readonly blocks: readonly Block[] }) {
  return <>{blocks.map(drawn)}</>
}

function drawn(block: Block, index: number) {
  const key = `${index}`
  if ('p' in block) return <p key={key}>{inlines(block.p)}</p>
  const items = ('ul' in block ? block.ul : block.ol).map((item, place) => (
    <li key={`${place}`}>{point(item)}</li>
  ))
  if ('ul' in block) return <ul key={key}>{items}</ul>
  return (
    <ol key={key} start={block.start}>
      {items}
    </ol>
  )
}

/** A list item with a single paragraph, rendered without the `p` element. */
function point(blocks: readonly Block[]) {
  const [first, ...others] = blocks
  if (first === undefined || !('p' in first) || others.some((block) => 'p' in block)) {
    return <RichText blocks={blocks} />
  }
  return (
    <>
      {inlines(first.p)}
      {others.map(drawn)}
    </>
  )
}

function inlines(parts: readonly Inline[]) {
  return parts.map((part, index) => {
    const key = `${index}`
    if (typeof part === 'string') return part
    if ('br' in part) return <br key={key} />
    if ('b' in part) return <strong key={key}>{inlines(part.b)}</strong>
    if ('i' in part) return <em key={key}>{inlines(part.i)}</em>
    if (!/^https?:/i.test(part.a)) {
      return (
        <a href={part.a} key={key}>
          {inlines(part.of)}
        </a>
      )
    }
    return (
      <a href={part.a} key={key} target="_blank" rel="noopener">
        {inlines(part.of)}
        <NewTab />
      </a>
    )
  })
}
