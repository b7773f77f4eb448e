import { expect, test } from 'vitest'
import { rulesOf, type StyleRule } from './style-rules'

const sheet = [
  '.a:hover,.b .c>li{color:red;animation:1s linear AN6}',
  '@media not (max-width:40rem){.d{margin:0}@supports (gap:1px){p{gap:1px}}}',
  '@layer base{*,*::before{margin:0}}',
  '@keyframes AN6{to{rotate:1turn}}',
  '@font-face{font-family:F;src:url(/assets/f.woff2)}',
  '.e:not(.f):has(.g){top:0}',
  '.h[data-x=".i"]{top:0}',
  '.j:not(:hover){top:0}',
]
const later = [
  '/* a comment */',
  '@media print{p{color:black}}',
  '@media (scripting:none),print{p{top:0}}',
  '@media (scripting: none){p{top:0}}',
  '.a:hover,.a:active li{top:0}',
  '[data-plain] .a{top:0}',
  '@page{margin:1cm}',
  '@font-face{font-family:F;src:url(/assets/f-2.woff2);unicode-range:U+100}',
]

function joined(rules: readonly StyleRule[]): string {
  return rules
    .map(({ text, within }) => (within === undefined ? text : `${text}{${joined(within)}}`))
    .join('')
}

test('all rules together are the sheet, but for what a first view has no use for', () => {
  expect(joined(rulesOf([...sheet, ...later].join('')))).toBe(sheet.join(''))
})

test('a rule needs the classes of one of its selectors, but for those within brackets', () => {
  const rules = rulesOf(sheet.join(''))
  expect(rules[0]?.needs).toEqual([['a'], ['b', 'c']])
  expect(rules[1]?.within?.[0]?.needs).toEqual([['d']])
  expect(rules[1]?.within?.[1]?.within?.[0]?.needs).toEqual([[]])
  expect(rules[2]?.within?.[0]?.needs).toEqual([[], []])
  expect(rules[4]?.needs).toBeUndefined()
  expect(rules[5]?.needs).toEqual([['e']])
  expect(rules[6]?.needs).toEqual([['h']])
})

test('a movement needs what the rules need that name it', () => {
  const rules = rulesOf([...sheet, '@keyframes AN7{to{top:0}}'].join(''))
  expect(rules[3]?.needs).toEqual([['a'], ['b', 'c']])
  expect(rules.at(-1)?.needs).toEqual([])
})

test('a statement keeps its end', () => {
  expect(rulesOf('@layer a, b;p{top:0}')[0]?.text).toBe('@layer a, b;')
})
