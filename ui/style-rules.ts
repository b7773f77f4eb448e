// The rules of the built style sheet, each with the classes without which it styles nothing.

import { type AtRule, type ChildNode, parse, type Root, Rule } from 'postcss'

/** As `src/site/style.rs` reads it. */
export type StyleRule = {
  /** A rule whole, or what stands before the braces of those within. */
  readonly text: string
  /** For each of its selectors the classes it names; it matches where one has all of them. */
  readonly needs?: readonly (readonly string[])[]
  readonly within?: readonly StyleRule[]
}

/** At-rules that hold rules for elements, and say when these count. */
const conditions = ['media', 'supports', 'layer', 'container', 'starting-style']

export function rulesOf(css: string): readonly StyleRule[] {
  const root = parse(css)
  return listOf(root.nodes, moved(root))
}

type Moved = ReadonlyMap<string, readonly (readonly string[])[]>

function listOf(nodes: readonly ChildNode[], needs: Moved): readonly StyleRule[] {
  return nodes.filter((node) => !isForLater(node)).map((node) => ruleOf(node, needs))
}

/** What no first view on a screen needs: the whole sheet is in time for it. */
function isForLater(node: ChildNode): boolean {
  if (node.type === 'rule')
    return node.selectors.every((one) => /:hover|:active/.test(outsideBrackets(one)))
  if (node.type !== 'atrule') return node.type === 'comment'
  const isRare = node.name === 'font-face' && String(node).includes('unicode-range')
  return isRare || node.name === 'page' || (node.name === 'media' && isElsewhere(node))
}

/** Paper, and who has no scripts: such a browser waits for the whole sheet. */
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

/** What the rules need that move something, by the names of the movements. */
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

/** A statement without a block ends where the next rule begins. */
function written(node: ChildNode): string {
  const isStatement = node.type === 'atrule' && node.nodes === undefined
  return isStatement ? `${node};` : String(node)
}

/**
 * What a selector asks of classes within brackets, `:not(.a)` or `:is(.a, .b)`, is left out: a rule
 * too many changes nothing, for the whole sheet comes after.
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
