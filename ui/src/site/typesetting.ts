// Sets the texts of all elements that the site draws, in the renderer and in the browser alike.

import { type ComponentChildren, Fragment, options, type VNode } from 'preact'
import { isPlain, typeset } from '../lib/typography'

/** Attributes that people read or hear. */
const readAttributes = ['alt', 'aria-label', 'title', 'placeholder'] as const

type Props = { children?: ComponentChildren } & Partial<
  Record<(typeof readAttributes)[number], unknown>
>

function setAll(children: ComponentChildren): ComponentChildren {
  if (typeof children === 'string') return typeset(children)
  return Array.isArray(children) ? children.map(setAll) : children
}

export function startTypesetting(): void {
  const former = options.vnode
  options.vnode = (vnode: VNode) => {
    const { type } = vnode
    if (type === Fragment || (typeof type === 'string' && !isPlain(type))) {
      const props = vnode.props as Props
      if (props.children) props.children = setAll(props.children)
      for (const name of readAttributes) {
        const text = props[name]
        if (typeof text === 'string') props[name] = typeset(text)
      }
    }
    former?.(vnode)
  }
}
