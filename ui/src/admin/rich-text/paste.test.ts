import { describe, expect, it } from 'vitest'
import { linkAddresses } from './addresses'
import { serialise } from './markdown'
import { plainSlice } from './paste'
import { ALL_FEATURES, schemaWith } from './schema'

const schema = schemaWith(ALL_FEATURES)

function markdownOf(text: string): string {
  const { content } = linkAddresses(plainSlice(text, schema), schema)
  return serialise(schema.node('doc', null, content))
}

describe('plain text that is pasted', () => {
  it.each([
    // Regression: the list counted 2019, 2020.
    ['2019. Corso base\n2021. Master', '2019\\. Corso base\\\n2021\\. Master'],
    ['## Studi\n\n2019. Corso\n2021. Master', '## Studi\n\n2019\\. Corso\\\n2021\\. Master'],
    ['5. cinque\n6. sei', '5. cinque\n6. sei'],
    ['Programma:\n1) arrivo\n2) pratica\nFine.', 'Programma:\n\n1. arrivo\n2. pratica\n\nFine.'],
    // Regression: they became 1, 2, 3.
    ['1. uno\n3. tre\n7. sette', '1\\. uno\\\n3\\. tre\\\n7\\. sette'],
    ['Ci vediamo alle\n12. Poi si mangia.', 'Ci vediamo alle\\\n12\\. Poi si mangia.'],
    ['a) uno\nb) due', 'a) uno\\\nb) due'],
    ['• uno\n• due', '- uno\n- due'],
    ['1.\tuno\n2.\tdue', '1. uno\n2. due'],
    ['Corso\tPrezzo\nBase\t95 €', 'Corso – Prezzo\\\nBase – 95 €'],
    ['    rientrato', 'rientrato'],
    ['ciao *forte* e _piano_\nseconda riga', 'ciao **forte** e *piano*\\\nseconda riga'],
    ['[qui](#) e [là](javascript:alert(1))', 'qui e là'],
    ['Vedi sito.it/a.', 'Vedi [sito.it/a](https://sito.it/a).'],
    // Regression: links to no host, found by `fuzz/paste.mjs`.
    ['Vedi www.si……to.it e www.sit\u202eo.it', 'Vedi www.si……to.it e www.sit\u202eo.it'],
    ['https://www.google.com/url?sa=t', 'https://www.google.com/url?sa=t'],
  ])('%j becomes %j', (text, markdown) => {
    expect(markdownOf(text)).toBe(markdown)
  })
})

// Regression: the break kept the mark of the link, found by `fuzz/paste.mjs`.
it('a line break within a pasted link to nowhere is no link either', () => {
  const { content } = plainSlice('[qui\\\nlà](javascript:alert(1)) è **forte**', schema)
  const links: unknown[] = []
  content.descendants(({ marks }) => {
    links.push(...marks.filter(({ type }) => type.name === 'link'))
  })
  expect(links).toEqual([])
})
