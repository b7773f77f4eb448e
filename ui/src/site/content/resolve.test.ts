import { describe, expect, test } from 'vitest'
import { partsOf } from '../../lib/content-source-map'
import type { Settings } from '../page-data'
import { emailHref, phoneHref, printedAddress, webHref, whatsappHref } from '../settings'
import { definitions, idsOn, shownWords } from './blocks-for-page'
import { ContentRenderer, MarkerTable, paragraphsOf } from './resolve'
import type { BlockDefinition, Text } from './schema'
import { block, line, list, paragraphs, picture, richText } from './schema'

const nobody = {} as Settings
const anna = { practitioner: 'Anna Neri', phone: '+39 (02) 123 45' } as Settings
const prices = new Map([['one', { cents: 9550, currency: 'EUR' } as const]])

const fields = {
  title: line('Titolo'),
  text: paragraphs('Testo'),
  items: list('Righe', { text: line('Riga') }),
  own: picture('Immagine'),
}

function shown(title: Text, settings: Settings, mark?: MarkerTable) {
  const definition: BlockDefinition = block('a.b', 'Blocco', ['/'], fields, {
    title,
    text: 'uno\n\ndue',
    items: [{ id: 'x', text: 'riga' }],
  })
  const shower = new ContentRenderer(settings, prices, mark?.mark)
  return shower.block(definition, definition.value) as {
    title: string
    text: string[]
    items: { id: string; text: string }[]
  }
}

describe('texts with settings', () => {
  const name = { setting: 'practitioner' } as const

  test('take them in, and are nothing without one they need', () => {
    const text = { text: ['Mi chiamo ', name, '.'] }
    expect(shown(text, anna).title).toBe('Mi chiamo Anna Neri.')
    expect(shown(text, nobody).title).toBe('')
  })

  test('drop or replace the part that needs an unknown one', () => {
    const text = { text: [{ either: [['Sono ', name, ' e insegno'], ['Insegno']] }, ' qui'] }
    expect([shown(text, anna).title, shown(text, nobody).title]).toEqual([
      'Sono Anna Neri e insegno qui',
      'Insegno qui',
    ])
    const dropped = { text: ['Ritratto', { either: [[' di ', name]] }] }
    expect(shown(dropped, nobody).title).toBe('Ritratto')
  })

  test('take a setting literally, and no typed pattern for one', () => {
    const odd = { practitioner: '$& {{brand}} [[x||y]] <b>' } as Settings
    expect(shown({ text: ['Io: ', name] }, odd).title).toBe('Io: $& {{brand}} [[x||y]] <b>')
    expect(shown('{{brand}} [[a||b]]', anna).title).toBe('{{brand}} [[a||b]]')
  })

  test('say when the block was changed, and what the program says until then', () => {
    const fields = { title: line('Titolo') }
    const definition = block('a.b', 'Blocco', ['/'], fields, {
      title: { text: ['Ultima modifica: ', { changed: 'Agosto 2024' }] },
    })
    const shower = new ContentRenderer(nobody, prices)
    expect(shower.block(definition, definition.value)).toEqual({
      title: 'Ultima modifica: Agosto 2024',
    })
    const saved = { ...definition.value, changedOn: '3 marzo 2027' }
    expect(shower.block(definition, saved)).toEqual({ title: 'Ultima modifica: 3 marzo 2027' })
  })

  test('follow the price of an offer, and say nothing of one that is gone', () => {
    expect(shown({ text: ['da ', { price: 'one' }] }, nobody).title).toBe('da 95,50\u00a0€')
    expect(shown({ text: ['da ', { price: 'gone' }] }, nobody).title).toBe('')
  })

  // Regression: a free service was offered for '0 €', and its prefilled message said '(0 €)'.
  test('say of what is free that it is', () => {
    const all = JSON.parse(definitions())
    const value = all.find(({ id }: { id: string }) => id === 'servizi.offers')
    value.default.offers[0].price.cents = 0
    const given = { blocks: { 'servizi.offers': value.default }, marked: false }
    const { words } = shownWords('/servizi', given, nobody)
    expect(words['servizi.offers'].offers[0]?.price.text).toBe('Gratis')
    const messages = shownWords('/contatti?servizio={key}', given, nobody).words[
      'contatti.messages'
    ]
    expect(messages.asks[0]?.ask).toBe(
      'vorrei prenotare una sessione individuale (gratis). Quando avresti posto?',
    )
  })

  test('part into paragraphs around their settings', () => {
    expect(paragraphsOf({ text: ['a ', name, '\n\nb'] })).toEqual([
      { text: ['a ', name, ''] },
      { text: ['b'] },
    ])
  })

  // Regression: empty paragraphs were not counted, and text typed into the third went into the
  // second.
  test('number their paragraphs whatever the ones before them say', () => {
    const places = new MarkerTable()
    const field = { text: paragraphs('Testo') }
    const definition = block('a.b', 'Blocco', ['/'], field, { text: 'A\n\n\n\nC\n\n\nD' })
    const show = (shower: ContentRenderer) => shower.block(definition, definition.value)
    expect(show(new ContentRenderer(nobody, prices))).toEqual({ text: ['A', 'C', 'D'] })
    const marked = show(new ContentRenderer(nobody, prices, places.mark)) as { text: string[] }
    expect(marked.text.map((text) => partsOf(text, places.paths)[0])).toEqual([
      { text: 'A', path: 'a.b:text#0' },
      { text: '', path: 'a.b:text#1' },
      { text: 'C', path: 'a.b:text#2' },
      { text: 'D', path: 'a.b:text#3' },
    ])
  })
})

describe('marks', () => {
  test('say of each text where it is from, only where the editor asks', () => {
    const places = new MarkerTable()
    const marked = shown('Titolo', nobody, places)
    expect(marked.title.replace(/[\u200b\u200c\u2063]/g, '')).toBe('Titolo')
    expect(places.paths).toEqual([
      'a.b:title',
      'a.b:text#0',
      'a.b:text#1',
      'a.b:items[0].text',
      'a.b:own',
    ])
    expect(JSON.stringify(shown('Titolo', nobody))).not.toMatch(/[\u200b\u200c\u2063]/)
  })
})

describe('pages', () => {
  test('are told of their blocks, and of the prices their words name', () => {
    expect(idsOn('/')).toContain('home.hero')
    expect(idsOn('/')).toContain('servizi.offers')
    expect(idsOn('/')).not.toContain('contatti.faq')
    expect(idsOn('/evento/{key}')).toContain('evento.labels')
    for (const path of ['/', '/cookies', '/{key}']) expect(idsOn(path)).toContain('footer.links')
  })

  test('show a changed price wherever it is named', () => {
    const value = JSON.parse(definitions()).find(
      (one: { id: string }) => one.id === 'servizi.offers',
    )
    value.default.offers[0].price.cents = 12000
    const given = { blocks: { 'servizi.offers': value.default }, marked: false }
    expect(shownWords('/', given, nobody).words['booking.cards'].cards[0]?.price).toBe(
      'da 120\u00a0€',
    )
  })

  test('have no word of a hidden block', () => {
    const given = { blocks: { 'home.quote': null }, marked: false }
    expect(shownWords('/', given, nobody).words['home.quote']).toBeNull()
  })
})

describe('links', () => {
  test('dial the digits alone', () => {
    expect(phoneHref(anna)).toBe('tel:+390212345')
    expect(phoneHref({ ...nobody, phone: '02 123 45' })).toBe('tel:0212345')
  })

  test('are absent without a value', () => {
    expect([phoneHref(nobody), emailHref(nobody), whatsappHref(nobody)]).toEqual(['', '', ''])
  })

  test('say on paper what their words do not', () => {
    const cases = [
      ['+39 02 123 45', 'tel:+390212345', undefined],
      ['Chiama', 'tel:+390212345', '+390212345'],
      ['anna@example.com', 'mailto:anna@example.com?subject=Ciao', undefined],
      ['Scrivimi', 'mailto:anna@example.com', 'anna@example.com'],
      ['WhatsApp', 'https://wa.me/393331?text=Ciao', 'wa.me/393331'],
    ] as const
    for (const [label, href, said] of cases) expect(printedAddress(label, href)).toBe(said)
  })

  test('greet on the messaging service', () => {
    expect(whatsappHref({ ...nobody, whatsapp: '+39 333 1' })).toBe(
      'https://wa.me/393331?text=Ciao%2C%20vorrei%20ricevere%20informazioni%20sul%20Rebirthing.',
    )
  })

  test('never run a script', () => {
    expect(webHref('socialUrl', { ...nobody, socialUrl: 'javascript:alert(1)' })).toBe('')
    expect(webHref('socialUrl', { ...nobody, socialUrl: 'https://example.com/a' })).toBe(
      'https://example.com/a',
    )
  })
})

describe('rich texts', () => {
  const address = { text: [{ setting: 'phone' } as const] }
  const shownRich = (blocks: readonly object[], mark?: MarkerTable) => {
    const definition: BlockDefinition = block(
      'a.b',
      'Blocco',
      ['/'],
      { text: richText('T') },
      {
        text: '',
      },
    )
    const shower = new ContentRenderer(nobody, prices, mark?.mark)
    return (shower.block(definition, { text: blocks }) as { text: unknown }).text
  }

  test('keep lists in lists, and lose what only an unknown setting stood for', () => {
    const point = [{ p: ['a'] }, { ol: [[{ p: ['b'] }], [{ p: [address] }]], start: 3 }]
    expect(shownRich([{ ul: [point, [{ p: [address] }]] }])).toEqual([
      { ul: [[{ p: ['a'] }, { ol: [[{ p: ['b'] }]], start: 3 }]] },
    ])
    expect(shownRich([{ ul: [[{ ul: [[{ p: [address] }]] }]] }])).toEqual([])
  })

  test('have no empty line at an end where a setting is unknown', () => {
    const line = { br: true }
    expect(shownRich([{ p: [address, line, 'a', line, 'b', line, address] }])).toEqual([
      { p: ['a', line, 'b'] },
    ])
    expect(shownRich([{ p: [address, line] }])).toEqual([])
  })

  test('number their paragraphs as they are read, those of points too', () => {
    const places = new MarkerTable()
    shownRich([{ ul: [[{ p: ['a'] }, { ul: [[{ p: ['b'] }]] }]] }, { p: ['c'] }], places)
    expect(places.paths).toEqual(['a.b:text#0', 'a.b:text#1', 'a.b:text#2'])
  })
})
