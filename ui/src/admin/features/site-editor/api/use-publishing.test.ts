import { beforeEach, describe, expect, it } from 'vitest'
import { blockOf } from '../model/block.fixture'
import { usePages } from '../model/pages-store'
import { fullNameOf, placeHref, refusalOf } from './use-publishing'

beforeEach(() => {
  const fields = [
    { name: 'title', label: 'Titolo', type: 'line' as const },
    { name: 'picture', label: 'Immagine', type: 'picture' as const },
  ]
  const block = { ...blockOf(fields, { title: '' }), id: 'servizi.hero', label: 'Apertura' }
  usePages.setState({ blocks: [block] })
})

describe('a refusal', () => {
  it('names page, block and field, each once', () => {
    const refusal = refusalOf({ 'servizi.hero:title': '«Titolo»: manca il testo' })
    expect(refusal?.title).toBe(
      'Non pubblicato: in Servizi, Apertura, Titolo manca il testo. Non hai perso niente.',
    )
  })

  // Regression: the message 'L'immagine non si può usare' made the admin upload the picture again.
  it('names the words of a picture, which are no field of the block', () => {
    const problem = '«Testo alternativo»: ci sono 360 caratteri, il massimo è 300'
    expect(refusalOf({ 'servizi.hero:picture.alt': problem })?.title).toBe(
      'Non pubblicato: in Servizi, Apertura, Immagine, Testo alternativo ci sono 360 caratteri, ' +
        'il massimo è 300. Non hai perso niente.',
    )
  })

  it('leads to its place, on whatever page', () => {
    expect(placeHref('servizi.hero:title')).toBe('#/pagine/servizi/servizi.hero%3Atitle')
    expect(fullNameOf('gone.block:title')).toBe('')
  })

  it('is none where nothing was refused', () => {
    expect(refusalOf({})).toBeNull()
  })
})
