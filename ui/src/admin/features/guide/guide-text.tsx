// Renders nodes of the guide.
import { type ComponentChildren, h } from 'preact'
import styles from './guide.module.css'
import type { GuideNode } from './guide-node'

export function GuideText({ nodes }: { nodes: readonly GuideNode[] }) {
  return <div className={styles.text}>{nodes.map(rendered)}</div>
}

function rendered(node: GuideNode): ComponentChildren {
  if (typeof node === 'string') return node
  const { tag, children = [], src, alt, href } = node
  if (src !== undefined) return <img src={src} alt={alt ?? ''} loading="lazy" />
  if (href !== undefined) {
    return (
      <a href={href} target="_blank" rel="noopener noreferrer">
        {children.map(rendered)}
      </a>
    )
  }
  return h(tag, tag === 'th' ? { scope: 'col' } : null, children.map(rendered))
}
