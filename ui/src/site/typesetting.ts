// Sets the texts of all elements that the site draws, in the renderer and in the browser alike.

import { type ComponentChildren, Fragment, options, type VNode } from 'preact'
import { curve, isPlain, typeset, typesetHeading } from '../lib/typography'

/** Attributes that people read or hear. */
const readAttributes = ['alt', 'aria-label', 'title', 'placeholder'] as const

/** An element with this shows a sentence that others compare letter by letter: its spaces stay. */
const literal = 'data-literal'

type ReadAttribute = (typeof readAttributes)[number]
type Props = { children?: ComponentChildren } & Partial<
  Record<ReadAttribute | typeof literal, unknown>
>

type Rule = (text: string) => string

/** The same array where there is no text in it, for it may be a page's data. */
function setAll(children: ComponentChildren, set: Rule): ComponentChildren {
  if (typeof children === 'string') return set(children)
  if (!Array.isArray(children)) return children
  let all = children
  for (let index = 0; index < children.length; index += 1) {
    const child = children[index]
    if (typeof child !== 'string' && !Array.isArray(child)) continue
    if (all === children) all = [...children]
    all[index] = setAll(child, set)
  }
  return all
}

function ruleOf(type: VNode['type']): Rule | null {
  if (type === Fragment) return typeset
  if (typeof type !== 'string' || isPlain(type)) return null
  return /^h\d$/.test(type) ? typesetHeading : typeset
}

/** By type, for this runs for everything that is drawn. Null: its texts stay as they are. */
const rules = new Map<VNode['type'], Rule | null>()

function knownRuleOf(type: VNode['type']): Rule | null {
  const known = rules.get(type)
  if (known !== undefined) return known
  const rule = ruleOf(type)
  rules.set(type, rule)
  return rule
}

export function startTypesetting(): void {
  const former = options.vnode
  options.vnode = (vnode: VNode) => {
    const rule = knownRuleOf(vnode.type)
    if (rule !== null) {
      const props = vnode.props as Props
      const { children } = props
      if (children) props.children = setAll(children, literal in props ? curve : rule)
      for (let index = 0; index < readAttributes.length; index += 1) {
        const name = readAttributes[index] as ReadAttribute
        const text = props[name]
        if (typeof text === 'string') props[name] = curve(text)
      }
    }
    former?.(vnode)
  }
}
