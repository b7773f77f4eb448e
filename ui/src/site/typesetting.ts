// Sets the texts of all elements that the site draws, in the renderer and in the browser alike.

import { type ComponentChildren, Fragment, options, type VNode } from 'preact'
import { curve, isPlain, typeset, typesetHeading } from '../lib/typography'

/** Attributes that people read or hear. */
const readAttributes = ['alt', 'aria-label', 'title', 'placeholder'] as const

/** An element with this shows a sentence that others compare letter by letter: its spaces stay. */
const literal = 'data-literal'

type Props = { children?: ComponentChildren } & Partial<
  Record<(typeof readAttributes)[number] | typeof literal, unknown>
>

function setAll(children: ComponentChildren, set: (text: string) => string): ComponentChildren {
  if (typeof children === 'string') return set(children)
  return Array.isArray(children) ? children.map((child) => setAll(child, set)) : children
}

function ruleOf(type: unknown, isLiteral: boolean): (text: string) => string {
  if (isLiteral) return curve
  return typeof type === 'string' && /^h\d$/.test(type) ? typesetHeading : typeset
}

export function startTypesetting(): void {
  const former = options.vnode
  options.vnode = (vnode: VNode) => {
    const { type } = vnode
    if (type === Fragment || (typeof type === 'string' && !isPlain(type))) {
      const props = vnode.props as Props
      if (props.children) props.children = setAll(props.children, ruleOf(type, literal in props))
      for (const name of readAttributes) {
        const text = props[name]
        if (typeof text === 'string') props[name] = curve(text)
      }
    }
    former?.(vnode)
  }
}
