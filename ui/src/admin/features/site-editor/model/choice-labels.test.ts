import { describe, expect, it } from 'vitest'
import type { Field } from '../api/content-api'
import { blockOf } from './block.fixture'
import { entryChoices, entryName, titleOfEntry } from './choice-labels'

describe('an entry of another list', () => {
  const field: Field = {
    name: 'offer',
    label: 'Servizio',
    type: 'entry',
    of: 'servizi.offers:offers',
  }
  const titles: readonly Field[] = [{ name: 'title', label: 'Titolo', type: 'line' }]
  const list: Field = { name: 'offers', label: 'Servizi', type: 'list', fields: titles }
  const entries = [{ id: 'group', title: 'Sessioni di gruppo' }, { title: 'Nuovo' }]
  const offers = { ...blockOf([list], { offers: entries }), id: 'servizi.offers' }

  it('is chosen by its title among those on the site', () => {
    const group = { value: 'group', label: 'Sessioni di gruppo' }
    expect(entryChoices(field, 'group', [offers])).toEqual([group])
    expect(entryChoices(field, '', [offers])).toEqual([{ value: '', label: 'Scegli' }, group])
    const gone = { value: 'individual', label: "Non c'è più" }
    expect(entryChoices(field, 'individual', [offers])).toEqual([gone, group])
  })

  it('gives its title to what has no words of its own', () => {
    expect(entryName(field, 'group', [offers])).toBe('Sessioni di gruppo')
    const title = (offer: string) => titleOfEntry({ offer, count: 3 }, [field], 'Nuova', [offers])
    expect([title('group'), title('')]).toEqual(['Sessioni di gruppo', 'Nuova'])
    expect(titleOfEntry({ title: 'Base' }, titles, '', [])).toBe('Base')
  })
})
