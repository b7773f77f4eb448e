// Typesets the text of every element, in the renderer and in the browser alike.

import { type ComponentChildren, Fragment, options, type VNode } from 'preact'
import { curve, isPlain, typeset, typesetHeading } from '../lib/typography'

/** Attributes whose text is shown or read aloud. */
const readAttributes = ['alt', 'aria-label', 'title', 'placeholder'] as const

/** Marks an element whose text is compared letter by letter elsewhere: its spaces stay as typed. */
const literal = 'data-literal'

type Props = { children?: ComponentChildren } & Partial<
  Record<(typeof readAttributes)[number] | typeof literal, unknown>
>

type Rule = (text: string) => string

function setAll(children: ComponentChildren, set: Rule): ComponentChildren {
  if (typeof children === 'string') return set(children)
  return Array.isArray(children) ? children.map((child) => setAll(child, set)) : children
}

/** Rule by element type, cached because every vnode needs it. Null: the text stays unchanged. */
const rules = new Map<unknown, Rule | null>([[Fragment, typeset]])

function ruleOf(type: unknown): Rule | null {
  const known = rules.get(type)
  if (known !== undefined) return known
  const isSet = typeof type === 'string' && !isPlain(type)
  const rule = isSet ? (/^h\d$/.test(type) ? typesetHeading : typeset) : null
  rules.set(type, rule)
  return rule
}

export function startTypesetting(): void {
  const former = options.vnode
  options.vnode = (vnode: VNode) => {
    const rule = ruleOf(vnode.type)
    if (rule) {
      const props = vnode.props as Props
      if (props.children) props.children = setAll(props.children, literal in props ? curve : rule)
      for (const name of readAttributes) {
        const text = props[name]
        if (typeof text === 'string') props[name] = curve(text)
      }
    }
    former?.(vnode)
  }
}
