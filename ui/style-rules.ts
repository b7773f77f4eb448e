// Lists the rules of the built style sheet, each with the classes it needs to match an element.

import { type AtRule, type ChildNode, parse, type Root, Rule } from 'postcss'
import { plainPrefix } from './plain-rules.ts'

/** The format that `src/publish/critical_css.rs` reads. */
export type StyleRule = {
  /** A whole rule, or the prelude of an at-rule with nested rules. */
  readonly text: string
  /** For each selector the classes it names; it can match when a page has all of them. */
  readonly needs?: readonly (readonly string[])[]
  readonly within?: readonly StyleRule[]
}

/** At-rules with nested rules and a condition. */
const conditions = ['media', 'supports', 'layer', 'container', 'starting-style']

export function rulesOf(css: string): readonly StyleRule[] {
  const root = parse(css)
  return listOf(root.nodes, moved(root))
}

type Moved = ReadonlyMap<string, readonly (readonly string[])[]>

function listOf(nodes: readonly ChildNode[], needs: Moved): readonly StyleRule[] {
  return nodes.filter((node) => !isForLater(node)).map((node) => ruleOf(node, needs))
}

/** Whether the first paint on a screen does not need the rule; the whole sheet arrives in time for it. */
function isForLater(node: ChildNode): boolean {
  if (node.type === 'rule')
    return node.selectors.every(
      (one) => one.startsWith(plainPrefix) || /:hover|:active/.test(outsideBrackets(one)),
    )
  if (node.type !== 'atrule') return node.type === 'comment'
  const isRare = node.name === 'font-face' && String(node).includes('unicode-range')
  return isRare || node.name === 'page' || (node.name === 'media' && isElsewhere(node))
}

/** Whether a media query is for print or for browsers without scripts, which wait for the whole sheet. */
function isElsewhere({ params }: AtRule): boolean {
  return params.split(',').every((one) => /^(print|\(scripting: ?none\))$/.test(one.trim()))
}

function ruleOf(node: ChildNode, needs: Moved): StyleRule {
  if (node.type === 'rule') return { text: written(node), needs: needsOf(node) }
  if (node.type === 'atrule' && node.name === 'keyframes') {
    return { text: written(node), needs: needs.get(node.params) ?? [] }
  }
  if (node.type !== 'atrule' || node.nodes === undefined || !conditions.includes(node.name)) {
    return { text: written(node) }
  }
  return { text: `@${node.name} ${node.params}`.trim(), within: listOf(node.nodes, needs) }
}

/** Returns the classes that each animation needs, by keyframes name. */
function moved(root: Root): Moved {
  const needs = new Map<string, readonly (readonly string[])[]>()
  root.walkDecls(/^animation(-name)?$/, ({ parent, value }) => {
    if (!(parent instanceof Rule)) return
    for (const name of value.match(/[\w-]+/g) ?? []) {
      needs.set(name, [...(needs.get(name) ?? []), ...needsOf(parent)])
    }
  })
  return needs
}

/** A statement without a block needs its semicolon before the next rule. */
function written(node: ChildNode): string {
  const isStatement = node.type === 'atrule' && node.nodes === undefined
  return isStatement ? `${node};` : String(node)
}

/**
 * Returns the classes of each selector. Classes in brackets, `:not(.a)` or `:is(.a, .b)`, are omitted: an unneeded
 * rule changes nothing, because the whole sheet follows.
 */
function needsOf({ selectors }: Rule): readonly (readonly string[])[] {
  return selectors.map((selector) => {
    const names = outsideBrackets(selector).matchAll(/\.([\w-]+)/g)
    return [...names].map(([, name = '']) => name)
  })
}

function outsideBrackets(selector: string): string {
  let depth = 0
  return [...selector]
    .filter((sign) => {
      if (sign === '(' || sign === '[') depth += 1
      const isOutside = depth === 0
      if (sign === ')' || sign === ']') depth -= 1
      return isOutside
    })
    .join('')
}
