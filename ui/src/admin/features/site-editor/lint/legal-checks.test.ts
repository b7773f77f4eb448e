import { expect, it } from 'vitest'
import { blockOf } from '../model/block.fixture'
import { legalNote } from './legal-checks'

const modified = { text: ['Ultima modifica: ', { changed: 'Agosto 2024' }] }
const fields = [{ name: 'modified', label: 'Ultima modifica', type: 'line' }] as const
const privacy = { ...blockOf(fields, { modified }), id: 'legal.privacy' }
const terms = { ...privacy, id: 'legal.terms' }

it('says of a legal page what it misses, or when it was last changed', () => {
  const checks = [
    { name: 'vat', isThere: false, block: null },
    { name: 'withdrawal', isThere: true, block: 'legal.terms' },
  ] as const
  expect(legalNote(privacy, checks)).toBe('Manca la partita IVA')
  expect(legalNote(terms, checks)).toBe('Ultima modifica: Agosto 2024')
  const hers = { ...terms, changed: true, updatedAt: '2026-03-04T10:00:00Z' }
  expect(legalNote(hers, checks)).toBe('Ultima modifica: 4 marzo 2026')
  const forgotten = [{ name: 'withdrawal', isThere: false, block: 'legal.terms' }] as const
  expect(legalNote(terms, forgotten)).toBe('Manca: Il recesso entro 14 giorni')
  const foot = [{ name: 'law4', isThere: false, block: 'footer.legal' }] as const
  expect(legalNote(privacy, foot)).toBe('Manca: Riferimento alla legge 4/2013 nei documenti')
})
