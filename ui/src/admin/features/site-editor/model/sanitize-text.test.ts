import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { visibleText } from '../../../../lib/invisible-characters'
import { sanitizeText } from '../../../../lib/sanitize-text'
import type { Field } from '../api/content-api'
import { fieldCodec } from '../editing/field-codec'
import { equalsIgnoringId } from './merge-list'
import { sanitizeValue } from './sanitize-text'

const fields: readonly Field[] = [
  { name: 'title', label: 'Titolo', type: 'line' },
  { name: 'text', label: 'Testo', type: 'paragraphs' },
  {
    name: 'items',
    label: 'Voci',
    type: 'list',
    fields: [{ name: 'text', label: 'Testo', type: 'richText' }],
  },
]

// Regression: one such character made every preview fail, without a message.
it('takes out what no page can show, and keeps where lines end', () => {
  expect(sanitizeText('Uno\vdue\u0007, tre\r\nquattro\u0085', false)).toBe(
    'Uno\ndue, tre\nquattro\n',
  )
  expect(sanitizeText('Uno\vdue \n tre\tquattro\u009f', true)).toBe('Uno due tre quattro')
  const chip = { setting: 'brand' }
  const value = {
    title: 'A\vB',
    text: { text: ['A\vB\n\nC', chip] },
    items: [{ id: 'a', text: '**A**\u0000' }],
  }
  expect(sanitizeValue(fields, value)).toEqual({
    title: 'A B',
    text: { text: ['A\nB\n\nC', chip] },
    items: [{ id: 'a', text: '**A**' }],
  })
})

it('leaves a value alone that has nothing of the kind', () => {
  const value = { title: '👩\u200d👧 à', text: 'Uno\n\n\tdue', items: [{ id: 'a', text: '' }] }
  expect(sanitizeValue(fields, value)).toBe(value)
})

const SERVER = '../../../../../../src/content/sanitize.rs'

/** The ranges of `is_unseen` on the server. */
function unseenOfServer(): readonly RegExp[] {
  const file = readFileSync(resolve(import.meta.dirname, SERVER), 'utf8')
  const list = /fn is_unseen[^{]*\{.*?matches!\((.*?)\n\s*\)/s.exec(file)?.[1] ?? ''
  return [...list.matchAll(/'(\\u\{\w+\})'(?:\.\.='(\\u\{\w+\})')?/g)].map(
    ([, from, to = from]) => new RegExp(`[${from}-${to}]`, 'u'),
  )
}

// Regression: two lists differed from the server's, so a text the server cleans never equalled the stored
// one, and texts with and without a joiner were equal.
it('takes out the very signs that the server does', () => {
  const unseen = unseenOfServer()
  expect(unseen).toHaveLength(8)
  const planes = [0, 0xe0000].flatMap((first) =>
    Array.from({ length: 0x10000 }, (_, code) => first + code),
  )
  for (const code of planes) {
    const sign = String.fromCodePoint(code)
    const isUnseen = (code & 0xfffe) === 0xfffe || unseen.some((range) => range.test(sign))
    if (isUnseen !== (visibleText(`a${sign}b`) === 'ab')) expect(code.toString(16)).toBe(isUnseen)
  }
  // The same example as in the server's test.
  expect(visibleText('a\u200bb\u202ec\ufeff\u200dd')).toBe('abcd')
  for (const whole of ['👩‍👩‍👧‍👦 🧘🏽‍♀️', '👩\u200b‍👧']) {
    expect(visibleText(whole)).toBe(whole.replace('\u200b', ''))
  }
  const scotland = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'
  expect(visibleText(`a\u{e0041}${scotland}b`)).toBe(`a${scotland}b`)
  expect(visibleText(scotland.slice(0, -2))).toBe('\u{1f3f4}')
  expect(equalsIgnoringId('👩‍👧', '👩👧')).toBe(false)
  const { schema, write } = fieldCodec('line', { settings: {}, settingLabels: {}, blocks: [] })
  const typed = schema.node('doc', null, [schema.text('a\u061cb\u200dc\u206fd')])
  expect(write(typed)).toBe('abcd')
})
