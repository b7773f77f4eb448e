import fc from 'fast-check'
import type { Mark, Node } from 'prosemirror-model'
import { describe, expect, it } from 'vitest'
import { parse, serialise } from './markdown'
import { ALL_FEATURES, schemaWith } from './schema'

const schema = schemaWith(ALL_FEATURES)
const id = 'abcdefghijklmnopqrstuvwxyz'
const upload = `/objects/uploads/${id}`
// `RUNS=5000 npx vitest run rich-text` runs the property tests with more cases.
const RUNS = Number(process.env.RUNS ?? 200)
const patience = { timeout: 120_000 }

/** Serializes without reusing any source, as if every block had changed. */
const canonical = (markdown: string) => serialise(parse(markdown, schema).doc)

describe('an article of before', () => {
  it('is written back as it was when nobody changed it', () => {
    for (const markdown of ['* uno\n* due\n', 'Titolo\n===\n\nciao  \nmondo', '<b>x</b>', '']) {
      const text = parse(markdown, schema)
      expect(serialise(text.doc, text)).toBe(markdown)
    }
  })

  it('keeps every block that nobody touched byte by byte', () => {
    const markdown = 'Primo _così_,\nsu due righe.\n\n\n  * uno\n  * due\n\n__Ultimo__.'
    const text = parse(markdown, schema)
    const added = schema.node('paragraph', null, [schema.text('Nuovo.')])
    const doc = text.doc.copy(text.doc.content.addToEnd(added))
    expect(serialise(doc, text)).toBe(
      'Primo _così_,\nsu due righe.\n\n  * uno\n  * due\n\n__Ultimo__.\n\nNuovo.',
    )
  })

  it('keeps the level of its headings', () => {
    expect(parse('# Uno\n\n## Due', schema).doc.child(1).attrs.level).toBe(3)
    expect(canonical('# Uno\n\n## Due')).toBe('# Uno\n\n## Due')
    expect(parse('## Uno', schema).doc.child(0).attrs.level).toBe(2)
    expect(canonical('## Uno')).toBe('## Uno')
  })
})

describe('the notations of the site', () => {
  const cases: readonly (readonly [string, string])[] = [
    [`![Una sala](${upload}#20,80 "La sala")`, 'picture'],
    [`![a](${upload})\n![b](${upload} "c")`, 'gallery'],
    ['[Scrivimi](#messaggio "pulsante")', 'button'],
    ['---', 'divider'],
    ['3. uno\n4. due', 'ordered_list'],
  ]
  for (const [markdown, name] of cases) {
    it(`reads and writes ${name}`, () => {
      expect(parse(markdown, schema).doc.child(0).type.name).toBe(name)
      expect(canonical(markdown)).toBe(markdown)
    })
  }

  it('takes a picture out of the words around it, and leaves one from elsewhere out', () => {
    const names = (markdown: string) => {
      const found: string[] = []
      parse(markdown, schema).doc.forEach((node) => {
        found.push(node.type.name)
      })
      return found
    }
    expect(names(`Prima ![a](${upload}) dopo`)).toEqual(['paragraph', 'picture', 'paragraph'])
    expect(names(`- ![a](${upload})`)).toEqual(['bullet_list'])
    expect(canonical('vedi ![il cane](https://example.com/x.jpg)')).toBe('vedi il cane')
  })

  it('leaves out of a smaller text what it has no place for', () => {
    const small = schemaWith(['lists'])
    expect(serialise(parse(`## Uno\n\n> due\n\n![a](${upload})`, small).doc)).toBe(
      'Uno\n\ndue\n\na',
    )
  })
})

// Letters, spaces and every character with a meaning in Markdown.
const words = fc
  .array(
    fc.constantFrom(
      ...['a', 'b', 'è', 'testo', 'così', ' ', '*', '_', '`', '~', '[', ']', '(', ')', '#', '-'],
      ...[
        '+',
        '.',
        '1.',
        '>',
        '<b>',
        '!',
        '&amp;',
        '\\',
        '|',
        '"',
        'https://example.com',
        '…',
        '«',
      ],
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join(''))

const mark = fc.constantFrom<Mark>(
  schema.mark('strong'),
  schema.mark('em'),
  schema.mark('strike'),
  schema.mark('link', { href: 'https://example.com/a_b(c)', title: '' }),
  schema.mark('link', { href: '/contatti', title: 'Un "titolo"' }),
  schema.mark('code'),
)

const inline = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.tuple(words, fc.array(mark, { maxLength: 3 })) },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((all) =>
    all.map((one): Node => {
      if (one === null) return schema.node('hard_break')
      const marks = one[1].reduce<readonly Mark[]>((set, each) => each.addToSet(set), [])
      return schema.text(one[0], marks)
    }),
  )

const attributes = fc.record({
  id: fc.constant(id),
  alt: words,
  caption: words,
  x: fc.integer({ min: 0, max: 100 }),
  y: fc.integer({ min: 0, max: 100 }),
})
const picture = attributes.map((attrs) => schema.node('picture', attrs))
const paragraph = inline.map((content) => schema.node('paragraph', null, content))

const block: fc.Arbitrary<Node> = fc.letrec<{ block: Node }>((tie) => {
  const blocks = fc.array(tie('block'), { minLength: 1, maxLength: 3 })
  const items = fc
    .array(fc.tuple(paragraph, fc.array(tie('block'), { maxLength: 2 })), {
      minLength: 1,
      maxLength: 3,
    })
    .map((all) => all.map(([first, rest]) => schema.node('list_item', null, [first, ...rest])))
  return {
    block: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      paragraph,
      fc
        .tuple(fc.integer({ min: 2, max: 4 }), words)
        .map(([level, text]) => schema.node('heading', { level }, [schema.text(text)])),
      picture,
      fc
        .array(picture, { minLength: 2, maxLength: 3 })
        .map((content) => schema.node('gallery', null, content)),
      words.map((text) => schema.node('button', { words: text, address: '/evento/abc' })),
      fc.constant(schema.node('divider')),
      words.map((text) => schema.node('code_block', null, [schema.text(text)])),
      blocks.map((content) => schema.node('blockquote', null, content)),
      items.map((content) => schema.node('bullet_list', null, content)),
      fc
        .tuple(items, fc.constantFrom(1, 0, 12))
        .map(([content, order]) => schema.node('ordered_list', { order }, content)),
    ),
  }
}).block

const document = fc
  .array(block, { minLength: 1, maxLength: 5 })
  .map((content) => schema.node('doc', null, content))

/** Returns the visible text of each block without white space. */
function shown(doc: Node): string[] {
  const texts: string[] = []
  doc.descendants((node) => {
    if (node.isTextblock) texts.push(node.textContent.replace(/\s+/g, ''))
    if (node.type.name === 'picture')
      texts.push(`${node.attrs.alt}|${node.attrs.caption}`.replace(/\s+/g, ''))
  })
  return texts.filter((text) => text !== '' && text !== '|')
}

// Regression, found by the property test: code extended over the first word of a link, and the link began with a space.
it('code ends where a link over more of it begins', () => {
  const code = schema.mark('code')
  const link = schema.mark('link', { href: '/eventi' })
  const doc = schema.node('doc', null, [
    schema.node('paragraph', null, [
      schema.text('a', [code]),
      schema.text('b', link.addToSet([code])),
      schema.text(' c', [link]),
    ]),
  ])
  const markdown = serialise(doc)
  expect(markdown).toBe('`a`[`b` c](/eventi)')
  expect(canonical(markdown)).toBe(markdown)
})

// Regression, found by the property test: adjacent lists had the same bullet, or three bullets in a row became a
// thematic break.
it.each([
  ['- ***\n* ---\n* ciao', '- ___\n\n* ___\n* ciao'],
  ['- ciao\n* - * ', '- ciao\n\n* - *'],
  ['- ***\n\n  uno', '- ___\n\n  uno'],
])('lists stay apart whatever they begin with: %j', (markdown, written) => {
  expect(canonical(markdown)).toBe(written)
  expect(canonical(written)).toBe(written)
})

// Regression, found by the property test: a line ending inside code was written as a space, and serializing was not
// idempotent.
it('code over two lines is on one', () => {
  const once = canonical('`# \n[` e altro\n===\n')
  expect(once).toBe('# `#  [` e altro')
  expect(canonical(once)).toBe(once)
})

describe('over generated documents', () => {
  it('what was written is read back and written again the same', patience, () => {
    fc.assert(
      fc.property(document, (doc) => {
        const markdown = serialise(doc)
        const again = parse(markdown, schema)
        expect(shown(again.doc)).toEqual(shown(doc))
        expect(serialise(again.doc)).toBe(markdown)
      }),
      { numRuns: RUNS },
    )
  })

  it('words alone, which are written as they stand, are read back', patience, () => {
    const signs = [
      'a',
      'È',
      'parola',
      ' ',
      '.',
      ',',
      ':',
      '(',
      ')',
      '-',
      '/',
      '?',
      '1',
      '%',
      '’',
      '"',
    ]
    const plain = fc.array(fc.constantFrom(...signs), { maxLength: 12 }).map((all) => all.join(''))
    fc.assert(
      fc.property(plain, (rest) => {
        const doc = schema.node('doc', null, [
          schema.node('paragraph', null, schema.text(`È${rest}`)),
        ])
        expect(serialise(doc)).toBe(`È${rest}`.trim())
        expect(parse(serialise(doc), schema).doc.textContent).toBe(`È${rest}`.trim())
      }),
      { numRuns: RUNS },
    )
  })

  it('any text settles at once, and unchanged it comes back byte by byte', patience, () => {
    const sign = fc.constantFrom(
      ...[
        '# ',
        '## ',
        '- ',
        '* ',
        '1. ',
        '> ',
        '\n',
        '\n\n',
        '    ',
        '```\n',
        '---\n',
        '***',
        '**',
      ],
      ...['_', '~~', '`', '[', '](/a)', '![x](', `![x](${upload})`, '<div>', '<!--', 'ciao', ' è '],
      ...['\\', '&amp;', '[a]: /b\n', '[a]', '  \n', '\t', '===\n', ' "pulsante")', '1) '],
    )
    const markdowns = fc.array(sign, { maxLength: 24 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(markdowns, (markdown) => {
        const text = parse(markdown, schema)
        expect(serialise(text.doc, text)).toBe(markdown)
        const once = canonical(markdown)
        expect(canonical(once)).toBe(once)
      }),
      { numRuns: RUNS },
    )
  })

  it('an edit elsewhere leaves what every other block says', patience, () => {
    fc.assert(
      fc.property(document, words, (doc, added) => {
        const text = parse(serialise(doc), schema)
        const end = schema.node('paragraph', null, [schema.text(`x${added}x`)])
        const changed = text.doc.copy(text.doc.content.addToEnd(end))
        const again = parse(serialise(changed, text), schema)
        expect(shown(again.doc)).toEqual(shown(changed))
      }),
      { numRuns: RUNS },
    )
  })
})
