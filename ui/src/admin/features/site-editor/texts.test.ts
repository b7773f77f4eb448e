import { describe, expect, it } from 'vitest'
import { typedAmount } from '../../../lib/amount'
import { findMedicalTerms, replaceMatch } from '../../lint/medical-terms'
import list from '../../lint/terms.json'
import { cutAt, verdictOn } from '../../ui/seo-length'
import { blockOf } from './model/block.fixture'
import { kindOfLink, linkOf, restOf, targetOf } from './model/links'
import {
  amountsIn,
  amountText,
  settingsIn,
  shownText,
  textOf,
  withoutTypesetting,
} from './model/rich-value'
import { stripMarkdown } from './model/strip-markdown'
import { excerpt, findIn, matches } from './search/search-content'
import { pieces } from './versions/text-diff'

const known = { settings: { practitioner: 'Anna Esempio' }, settingLabels: {}, blocks: [] }

it('rich text is read without its signs, and what only looks like one stays', () => {
  const text = '**Uno** e *due*, [tre](/servizi).\n\n- Quattro\n- 3 * 4 = 12, a_b'
  expect(stripMarkdown(text)).toBe('Uno e due, tre.\n\n• Quattro\n• 3 * 4 = 12, a_b')
})

// Regression: typing after 'Uno a uno' on the page stored its non-breaking space and typographic apostrophes.
it('what is typed on a typeset page leaves her own blanks and quotes as they are', () => {
  const before = "L'arte di respirare a casa, un'ora"
  const shown = 'L’arte di\u00a0respirare a\u00a0casa, un’ora'
  expect(withoutTypesetting(shown, before)).toBe(before)
  expect(withoutTypesetting(`${shown}\u00a0e`, before)).toBe(`${before} e`)
  expect(withoutTypesetting(shown.replace('respirare a\u00a0', ''), before)).toBe(
    "L'arte di casa, un'ora",
  )
  expect(withoutTypesetting(`Nell’${shown.slice(2)}`, before)).toBe(`Nell${before.slice(1)}`)
  expect(withoutTypesetting('', before)).toBe('')
  expect(withoutTypesetting('aaa', 'aa')).toBe('aaa')
})

describe('a text with chips', () => {
  const text = { text: ['Mi chiamo ', { setting: 'practitioner' }, '.'] }

  it('is shown with what they stand for', () => {
    expect(shownText(text, known)).toBe('Mi chiamo Anna Esempio.')
    expect(settingsIn(text)).toEqual(['practitioner'])
  })

  it('takes the first way whose settings are known', () => {
    const either = [[{ setting: 'towns' }, ' e dintorni'], ['Dove preferisci']]
    expect(shownText({ text: [{ either }] }, known)).toBe('Dove preferisci')
  })

  it('shows a price where it stands, and not the words of a card of the same name', () => {
    const offers = { id: 'group', price: { cents: 4500, currency: 'EUR' } }
    const card = { id: 'group', price: { text: [{ price: 'group' }] } }
    const fields = [{ name: 'list', label: 'Voci', type: 'list' as const }]
    const blocks = [card, offers].map((entry) => blockOf(fields, { list: [entry] }))
    // Regression: the price of 'Sessioni di gruppo' was missing on the edited page.
    expect(shownText({ text: [{ price: 'group' }] }, { ...known, blocks })).toBe('45\u00a0€')
  })

  it('is plain again without them, and what looks like one stays words', () => {
    expect(textOf(['Mi chiamo ', '{{practitioner}}'])).toBe('Mi chiamo {{practitioner}}')
    expect(textOf(['', { setting: 'brand' }])).toEqual({ text: [{ setting: 'brand' }] })
    expect(textOf([])).toBe('')
  })
})

describe('an amount', () => {
  it.each([
    ['95', 9500, null],
    ['95,5', 9550, null],
    ['95.50', 9550, null],
    ['1.200 €', 120_000, 'EUR'],
    ['2.500,00', 250_000, null],
    ['1 200\u00a0euro', 120_000, 'EUR'],
    ['€95', 9500, 'EUR'],
    // Regression: published as 80 €.
    ['CHF 80', 8000, 'CHF'],
    ['80 chf', 8000, 'CHF'],
    ['120.- Fr.', 12_000, 'CHF'],
    ['SFr. 120.–', 12_000, 'CHF'],
    ['120 franchi', 12_000, 'CHF'],
    ["1'200", 120_000, null],
    ['1’200,50', 120_050, null],
    ['-3', -300, null],
    ['Gratis', 0, null],
    ['gratuita', 0, null],
  ])('%s is read', (text, cents, currency) => {
    expect(typedAmount(text)).toEqual({ cents, currency })
  })

  it.each(["1'20", 'gratis?', '', '€', '9,999', '95 50', '80 $', 'USD 80', 'CHF 80 €', '80 € 5'])(
    '%s is none',
    (text) => expect(typedAmount(text)).toBeNull(),
  )

  it('is shown as the site shows it', () => {
    expect(amountText({ cents: 250_000, currency: 'EUR' })).toBe('2.500\u00a0€')
    expect(amountText({ cents: 9550, currency: 'CHF' })).toBe('95,50\u00a0CHF')
  })
})

describe('amounts in words', () => {
  it.each([
    ['Da 1.200 € a 95,50\u00a0€, 3 volte', ['1.200\u00a0€', '95,50\u00a0€']],
    ['95 euro, € 90, EUR 85 o 80 EUR', ['95\u00a0€', '90\u00a0€', '85\u00a0€', '80\u00a0€']],
    ["95,5 € oppure 1'200 €", ['95,50\u00a0€', '1.200\u00a0€']],
    ['CHF 95, 100 CHF e 20 franchi', ['95\u00a0CHF', '100\u00a0CHF', '20\u00a0CHF']],
    ['Costa 95 €. In 3 ore, nel 1985: 9,999 €, € 9,999 e l’eurozona', ['95\u00a0€']],
  ])('%s', (text, amounts) => {
    expect(amountsIn(text).map((one) => amountText(one))).toEqual(amounts)
  })
})

describe('a link', () => {
  it('is of a kind the site can use, or of none', () => {
    expect(kindOfLink('/servizi')).toBe('page')
    expect(kindOfLink('https://wa.me/39333')).toBe('messaging')
    expect(kindOfLink('tel:+39031')).toBe('phone')
    for (const bad of [
      'javascript:alert(1)',
      'JavaScript:x',
      'data:text/html,x',
      '//altro.example',
    ])
      expect([bad, kindOfLink(bad), targetOf(bad)]).toEqual([bad, null, null])
  })

  it('is typed without its beginning', () => {
    expect(restOf(linkOf('phone', '+39 031 123'))).toBe('+39031123')
    expect(linkOf('messaging', '+39 333 1')).toBe('https://wa.me/393331')
    expect(restOf('mailto:a@example.it')).toBe('a@example.it')
    // Regression: prefixed with '+', the number was parsed as French.
    expect(restOf(linkOf('messaging', '333 12 34 567'))).toBe('3331234567')
    expect(restOf(linkOf('messaging', '393331234567'))).toBe('+393331234567')
  })
})

describe('the search', () => {
  it('finds without accents and case, prices with any blank, numbers by their digits', () => {
    expect(matches('Perché respirare', 'PERCHE')).toBe(true)
    expect(matches('95\u00a0€', '95 €')).toBe(true)
    expect(matches('+39 031 123 456', '031123456')).toBe(true)
    expect(matches('Lago', 'a')).toBe(false)
    expect(matches('Anno 1985, ore 20', '198520')).toBe(false)
  })

  it('finds a word through the places where it may be broken, and marks it with them', () => {
    for (const [text, query] of [
      ['Una meravi\u00adgliosa pausa', 'MERAVIGLIOSA'],
      ['Una meravi\u200bgliosa pausa', 'meravi\u00adgliosa'],
    ] as const) {
      expect(matches(text, query)).toBe(true)
      expect(excerpt(text, query)).toEqual(['Una ', text.slice(4, -6), ' pausa'])
    }
  })

  it.each(['95€', '€ 95', '95 euro', 'EUR 95,00', '95,00', '95.-'])(
    'finds a price that is typed as %s',
    (query) => {
      expect(matches('Costa 95\u00a0€ a sessione', query)).toBe(true)
      expect(excerpt('Costa 95\u00a0€ a sessione', query)[1]).toBe('95\u00a0€')
      expect(matches('Costa CHF 95', query)).toBe(!/€|eur/i.test(query))
    },
  )

  it('finds a price with and without the dot of its thousands', () => {
    for (const query of ['2500 €', '2.500€', '2500'])
      expect([query, matches('Da 2.500\u00a0€', query)]).toEqual([query, true])
    expect(matches('Da 2.500\u00a0€', '500€')).toBe(false)
  })

  it('passes over the names of colours and icons', () => {
    const fields = [
      { name: 'color', label: 'Colore', type: 'choice' as const, choices: ['primary'] },
      { name: 'title', label: 'Titolo', type: 'line' as const },
    ]
    const blocks = [blockOf(fields, { color: 'primary', title: 'La primaria' })]
    expect(findIn(blocks, 'prima', known).map(({ label }) => label)).toEqual(['Titolo'])
  })

  // Regression: the excerpt was the beginning of the text, without a mark.
  it('marks a hit where letters become more or fewer, and a number that is found by its digits', () => {
    const long = `${'Parole prima. '.repeat(20)}\n\nVoglio  starti accanto 🌊\n\n${'Dopo. '.repeat(20)}`
    const [before, hit, after] = excerpt(long, 'STARTI ACCANTO')
    expect([before.slice(-7), hit, after.slice(0, 5)]).toEqual([
      'oglio  ',
      'starti accanto',
      ' 🌊\n\n',
    ])
    expect(before.length).toBeLessThan(70)
    expect(excerpt('Con il cuore ❤️ e perche\u0301 sì', 'e perché')[1]).toBe('e perche\u0301')
    expect(excerpt('Uno\n\nDue', 'uno due')[1]).toBe('Uno\n\nDue')
    expect(excerpt('Chiama +39 (031) 123-4567 ora', '0311234567')).toEqual([
      'Chiama +39 (',
      '031) 123-4567',
      ' ora',
    ])
    expect(excerpt('Chiama 0311234567', '031 1234567')[1]).toBe('0311234567')
    const waves = '🌊'.repeat(100)
    const halves = excerpt(`${waves}aquia${waves}`, 'qui').join('')
    expect(() => encodeURIComponent(halves)).not.toThrow()
  })

  it('shows what is around a hit', () => {
    expect(excerpt('Ogni proposta ha un prezzo', 'Prezzo')).toEqual([
      'Ogni proposta ha un ',
      'prezzo',
      '',
    ])
  })
})

describe('the word check', () => {
  const found = (text: string) => findMedicalTerms(text).map(({ word }) => word)

  // Regression: 'Una guaritrice' and 'un percorso psicoterapeutico' had no warning.
  it('knows the forms of a word, of either sex and number', () => {
    const forms =
      'guaritrice guaritori guarisco guarirò guarendo curando curate terapeute terapeutiche ' +
      'psicoterapeutico psicoterapeutiche diagnostiche diagnosticando'
    expect(found(forms)).toEqual(forms.split(' '))
    expect(found('La curatrice e i curatori della mostra, curiosi e sicuri')).toEqual([])
  })

  it('marks the forms of the list, whole words only', () => {
    expect(found('Una terapia che guarisce.')).toEqual(['terapia', 'guarisce'])
    expect(found('Cura del respiro')).toEqual(['Cura'])
    expect(found('Sicura, curatela, oscura')).toEqual([])
    for (const { forms } of list.words)
      for (const form of forms) expect([form, found(`Ecco ${form}.`).length]).toEqual([form, 1])
  })

  it('leaves denials in the same clause and everyday phrases alone', () => {
    expect(found('Non è una terapia.')).toEqual([])
    expect(found('Non è un corso. È una terapia.')).toEqual(['terapia'])
    expect(found('Prendersi cura di sé')).toEqual([])
    expect(found('Senza diagnosi; con terapia')).toEqual(['terapia'])
  })

  it('ends a denial at a comma, but for a list of what it denies', () => {
    const typed =
      'Se non dormi, la terapia del respiro ti guarirà: percorsi curativi, TERAPIA e guarigione.'
    expect(found(typed)).toEqual(['terapia', 'guarirà', 'curativi', 'TERAPIA', 'guarigione'])
    expect(found('Non è una diagnosi, una terapia o una cura.')).toEqual([])
    expect(found('Non è una terapia, ma un percorso che cura.')).toEqual(['cura'])
    expect(found('Perché non provare una terapia?')).toEqual(['terapia'])
    expect(found('Lo dico perché non è una terapia.')).toEqual([])
  })

  // Regression: a preceding 'non', 'senza' or 'nessuno' suppressed the most common promises.
  it.each([
    ["Il respiro non solo rilassa ma guarisce l'ansia.", ['guarisce', 'ansia']],
    ['Non solo una pratica ma una terapia', ['terapia']],
    ['Non è soltanto una terapia, è una cura', ['terapia', 'cura']],
    ['Il respiro non cura solo il corpo', ['cura']],
    ['Non una terapia ma una cura', ['cura']],
    ['Non guarisco, anzi curo', ['curo']],
    ["Senza farmaci curi l'ansia.", ['curi', 'ansia']],
    ['Senza medicine la terapia del respiro ti guarirà', ['terapia', 'guarirà']],
    ['Senza diagnosi, guarisci', ['guarisci']],
    ['Senza farmaci con la terapia del respiro', ['terapia']],
    ['Invece di farmaci la cura del respiro', ['cura']],
    ['Nessuno guarisce come noi', ['guarisce']],
    ["Non c'è cura migliore", ['cura']],
    ['Nessuna terapia è più efficace', ['terapia']],
    ['Vieni a curarlo, a guarirla.', ['curarlo', 'guarirla']],
    ['Una te\u00adrapia', ['te\u00adrapia']],
  ])('knows what only looks like a denial: %s', (text, words) => expect(found(text)).toEqual(words))

  it.each([
    'Non è una terapia ma solo respiro.',
    'Non è terapia ma solo respiro.',
    'Non è una cura, una terapia o una diagnosi medica.',
    'Accompagno ma non curo e non faccio diagnosi.',
    'Lavoro senza una diagnosi, terapie o cure.',
    'Senza farmaci né terapie, senza diagnosi e senza cure.',
    'Senza alcuna pretesa di curare o guarire.',
    'Senza effetti curativi, senza fini terapeutici.',
    'Un incontro senza promesse di guarigione, senza entrare in terapia.',
    'Senza fare diagnosi, senza mai sostituire una terapia.',
    'Nessun trattamento medico, nessuna diagnosi.',
    'Il respiro non sostituisce le cure del medico.',
    'Respira invece di curare.',
  ])('leaves a denial alone: %s', (text) => expect(found(text)).toEqual([]))

  it('knows the forms of the four roots', () => {
    const forms =
      'curarlo curarla curarmi curerai curerete curavo curava curò curai guarirlo guarirla guarirmi ' +
      'guarivamo guarirebbero diagnosticò diagnosticava prevengono aromaterapia autoguarigione'
    expect(found(forms)).toEqual(forms.split(' '))
    expect(found('Il curatore, la curatela, un preventivo, curioso')).toEqual([])
  })

  it('takes any blank between the words of a form or a phrase', () => {
    expect(found('Dopo gli attacchi di\u00a0panico')).toEqual(['attacchi di\u00a0panico'])
    expect(found('Prendersi\u00a0cura di sé, un ambiente curato nei\u00a0dettagli')).toEqual([])
  })

  it('replaces the word in its place, with its capital', () => {
    const text = 'Terapia e terapia'
    const [first] = findMedicalTerms(text)
    expect(first && replaceMatch(text, first, 'percorso')).toBe('Percorso e terapia')
  })

  it.each([
    ['Curo con il respiro', 'accompagno'],
    ['Ti cureremo insieme', 'accompagneremo'],
    ['Curandosi con calma', 'accompagnandosi'],
    ['Sono stata curata', 'accompagnata'],
    ['Guarisco ogni giorno', 'ricomincio'],
    ['Guariscono respirando', 'ricominciano'],
    ['Prescrivo esercizi', 'propongo'],
  ])('%s: the proposal keeps person and tense', (text, other) => {
    expect(findMedicalTerms(text)[0]?.alternatives[0]).toBe(other)
  })
})

describe('lengths for search engines', () => {
  const measure = (text: string) => text.length * 10

  it('are measured, and what is too long is cut at a word', () => {
    expect(verdictOn('', 'title', measure).kind).toBe('empty')
    expect(verdictOn('Breve', 'title', measure).kind).toBe('short')
    expect(verdictOn('Un titolo lungo quanto basta', 'title', measure).kind).toBe('fits')
    const long = 'Un titolo che non sta in nessun modo dove dovrebbe stare in una riga sola'
    expect(verdictOn(long, 'title', measure).kind).toBe('long')
    expect(long.startsWith(cutAt(long, 580, measure))).toBe(true)
  })
})

describe('two versions of a text', () => {
  it('differ by words', () => {
    expect(pieces('nel 1985 sul lago', 'nel 1987 sul lago')).toEqual([
      { text: 'nel ', kind: 'same' },
      { text: '1985', kind: 'removed' },
      { text: '1987', kind: 'added' },
      { text: ' sul lago', kind: 'same' },
    ])
  })
})
