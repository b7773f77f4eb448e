// Input rules that convert Markdown to formatting while it is typed.

import {
  InputRule,
  inputRules,
  textblockTypeInputRule,
  wrappingInputRule,
} from 'prosemirror-inputrules'
import type { Schema } from 'prosemirror-model'
import type { Plugin } from 'prosemirror-state'
import { isSafe } from './schema'

export function markdownRules(schema: Schema): Plugin {
  const { heading, bullet_list, ordered_list, blockquote, divider, paragraph } = schema.nodes
  const rules: InputRule[] = [
    markRule(/(?:^|[\s(«"])(\*\*([^*\s](?:[^*]*[^*\s])?)\*\*)$/, schema, 'strong'),
    markRule(/(?:^|[\s(«"])(\*([^*\s](?:[^*]*[^*\s])?)\*)$/, schema, 'em'),
    markRule(/(?:^|[\s(«"])(_([^_\s](?:[^_]*[^_\s])?)_)$/, schema, 'em'),
    markRule(/(?:^|[\s(«"])(~~([^~\s](?:[^~]*[^~\s])?)~~)$/, schema, 'strike'),
    markRule(/(?:^|[\s(«"])(`([^`]+)`)$/, schema, 'code'),
    linkRule(schema),
  ]
  if (heading) {
    const level = (match: RegExpMatchArray) => ({ level: match[1] === '###' ? 3 : 2 })
    rules.push(textblockTypeInputRule(/^(#{1,3})\s$/, heading, level))
  }
  if (bullet_list) rules.push(wrappingInputRule(/^[-*+]\s$/, bullet_list))
  if (ordered_list) {
    rules.push(
      wrappingInputRule(
        // Four digits are a year.
        /^(\d{1,3})[.)]\s$/,
        ordered_list,
        (match) => ({ order: Number(match[1]) }),
        (match, node) => node.childCount + Number(node.attrs.order) === Number(match[1]),
      ),
    )
  }
  if (blockquote) rules.push(wrappingInputRule(/^>\s$/, blockquote))
  if (divider && paragraph) {
    rules.push(
      new InputRule(/^(?:---|\*\*\*)$/, (state, _, start) => {
        const $start = state.doc.resolve(start)
        if ($start.depth !== 1) return null
        return state.tr.replaceWith($start.before(), $start.after(), [
          divider.create(),
          paragraph.create(),
        ])
      }),
    )
  }
  return inputRules({ rules })
}

/** Replaces the first group of `pattern`, which includes the delimiters, with the second group and the mark. */
function markRule(pattern: RegExp, schema: Schema, name: string): InputRule {
  return new InputRule(pattern, (state, match, _, end) => {
    const type = schema.marks[name]
    const [, signs = '', words = ''] = match
    const $end = state.doc.resolve(end)
    if (type === undefined || $end.parent.type.spec.code === true) return null
    // The last delimiter character is not yet in the document.
    const from = end - (signs.length - 1)
    const inside = state.doc.slice(from, end).content.firstChild
    if (inside?.isText !== true && $end.parent.childCount > 1) return null
    const tr = state.tr.insertText(words, from, end)
    tr.addMark(from, from + words.length, type.create())
    return tr.removeStoredMark(type)
  })
}

function linkRule(schema: Schema): InputRule {
  return new InputRule(/\[([^[\]]+)\]\((\S+)\)$/, (state, match, start, end) => {
    const type = schema.marks.link
    const [, words = '', href = ''] = match
    if (type === undefined || !isSafe(href)) return null
    const tr = state.tr.insertText(words, start, end)
    tr.addMark(start, start + words.length, type.create({ href }))
    return tr.removeStoredMark(type)
  })
}
