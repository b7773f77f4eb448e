// Compares the default content with the texts and figures that the specification fixes.

import { describe, expect, test } from 'vitest'
import { labels, lightboxLabels } from '../fixed-messages/control-labels'
import { errors } from '../fixed-messages/errors'
import { notFound } from '../fixed-messages/not-found'
import { packageSavings } from '../package-savings'
import type { Words } from './blocks'
import { definitions, shownWords } from './blocks-for-page'
import { iconByName } from './icons'

const settings = {} as Parameters<typeof shownWords>[2]
const paths = [
  '/',
  '/chi-sono',
  '/rebirthing',
  '/servizi',
  '/testimonianze',
  '/eventi',
  '/blog',
  '/contatti',
  '/evento/{key}',
  '/blog/{key}',
  '/{key}',
]
const words: Words = Object.assign(
  {},
  ...paths.map((path) => shownWords(path, undefined, settings).words),
)
type Legal = {
  title: string
  modified: unknown
  sections: { title: string | null; text: unknown }[]
}
const kept: { id: string; default: Legal }[] = JSON.parse(definitions())
const legal = (name: string) => kept.find(({ id }) => id === `legal.${name}`)?.default as Legal
const euro = (amount: string) => `${amount}\u00a0€`

describe('section 2 of the specification: screens', () => {
  test('the header names its links in order, the name of the site in the middle', () => {
    const { left, right } = words['header.menu']
    expect(left.map(({ label }) => label)).toEqual(['Home', 'Chi Sono', "Cos'è il Rebirthing"])
    expect(right.map(({ label }) => label)).toEqual(['Testimonianze', 'Eventi', 'Contatti'])
  })

  test('the home page has its heading and a button to /rebirthing', () => {
    expect(words['home.hero'].title).toBe('Rebirthing: Respirare bene per vivere meglio!')
    expect(words['home.hero'].ctaLink).toBe('/rebirthing')
    expect(words['home.practitioner']?.ctaLink).toBe('/chi-sono')
    expect(words['home.quote']?.ctaLink).toBe('/testimonianze')
    expect(words['home.audiences']?.cards.map((card) => card.ctaLink)).toEqual([
      '/rebirthing#aziende',
      '/rebirthing#sport',
    ])
  })

  test('there are ten physical and nine mental benefits', () => {
    const cards = [words['benefits.physical'], words['benefits.mental']]
    expect(cards.map((card) => [card?.title, card?.items.length])).toEqual([
      ['FISICI', 10],
      ['MENTALI', 9],
    ])
  })

  test('the timeline has its eight milestones', () => {
    const years = [
      '1987',
      '1993',
      '2004',
      '2005/2006',
      '2009-2018',
      '2014-2015',
      'Dal 2019',
      'Oggi',
    ]
    expect(words['chi-sono.timeline']?.items.map((item) => item.year)).toEqual(years)
    expect(words['chi-sono.book']?.shops).toHaveLength(2)
    expect(words['chi-sono.experience']?.cards).toHaveLength(4)
  })

  test('the booking section has three cards and one button', () => {
    const { cards } = words['booking.cards']
    expect(cards.map((card) => card.duration)).toEqual([
      "Circa un'ora",
      'Circa due ore',
      'Una giornata',
    ])
    expect(cards[2]?.topics).toHaveLength(4)
    expect(words['booking.section']).toMatchObject({
      cta: 'Contattami per Info e Prenotazioni',
      ctaLink: '/contatti',
    })
  })

  test('the services page is titled as specified and has six services and four blocks', () => {
    expect(words['servizi.hero'].title).toBe('I Nostri Servizi')
    expect(words['servizi.offers'].offers).toHaveLength(6)
    expect(words['servizi.expectations']?.title).toBe('Cosa Aspettarti dalle Sessioni')
    expect(words['servizi.expectations']?.blocks).toHaveLength(4)
    expect(words['pricing.packages'].title).toBe('Pacchetti e Prezzi')
  })

  test('the page about the method has three flip cards for companies and for sport', () => {
    for (const audience of [words['flip-cards.business'], words['flip-cards.sport']]) {
      expect(audience?.cards.map((card) => card.items.length)).toEqual([4, 4, 4])
    }
  })

  test('testimonials, events and blog keep their wordings', () => {
    expect(labels.loading).toBe('Caricamento...')
    expect(lightboxLabels.counter).toBe('{n} / {total}')
    expect(words['testimonianze.words'].fallbackProfession).toBe('Corsista Rebirthing')
    expect(words['eventi.card'].details).toBe('Vedi dettagli')
    expect(words['evento.labels']).toMatchObject({
      contentTitle: 'Informazioni dettagliate',
      moreInfo: 'Maggiori Informazioni',
      participate: 'Contattaci per Partecipare',
    })
    expect(words['blog.labels'].more).toBe('Carica Altri Articoli')
    expect(words['blog.newsletter'].button).toBe('Iscriviti')
    const names = words['blog.categories']?.items.map((item) => item.name)
    expect(names).toEqual(['Tecniche', 'Guarigione', 'Spiritualità', 'Benessere'])
  })

  test('the contact page has its hints and eight questions', () => {
    expect(words['contatti.hero'].title).toBe('Contatti')
    expect(words['contatti.ways'].phoneHint).toBe('Clicca per chiamare')
    expect(words['contatti.ways'].emailHint).toBe('Clicca per scrivere')
    expect(words['contatti.faq']?.items).toHaveLength(8)
  })

  test('the legal pages carry their date and sections', () => {
    for (const name of ['privacy', 'terms', 'cookies']) {
      expect(legal(name).modified).toEqual({
        text: ['Ultima modifica: ', { changed: 'Agosto 2024' }],
      })
    }
    const numbered = legal('terms').sections.filter(({ title }) => /^\d\. /.test(title ?? ''))
    expect(numbered).toHaveLength(9)
    const text = JSON.stringify(legal('privacy'))
    const rights = [
      'accesso',
      'rettifica',
      'cancellazione',
      'limitazione',
      'portabilità',
      'opposizione',
    ]
    for (const right of rights) expect(text).toMatch(new RegExp(`${right}(\\*\\*)?: `))
  })

  test('the not-found screen speaks as specified', () => {
    expect(notFound).toMatchObject({
      title: '404 Page Not Found',
      text: 'Did you forget to add the page to the router?',
    })
  })
})

describe('sections 4 and 8 of the specification: states and errors', () => {
  test('the cookie banner offers the three choices', () => {
    expect(words['cookies.banner']).toMatchObject({
      necessaryOnly: 'Solo Necessari',
      acceptAll: 'Accetta Tutti',
      customize: 'Personalizza',
    })
  })

  test('failures and empty lists are worded as specified', () => {
    expect(errors.blogLoad).toEqual({
      title: 'Errore nel Caricamento',
      text: 'Si è verificato un errore nel caricamento degli articoli. Riprova più tardi.',
    })
    expect(errors.eventNotFound.title).toBe('Evento Non Trovato')
    expect(errors.eventNotFound.text).toBe(
      "L'evento che stai cercando non esiste o è stato rimosso.",
    )
    expect(errors.eventNotFound.button.href).toBe('/eventi')
    const sections = ['words', 'photos', 'thanks', 'media'] as const
    expect(sections.map((name) => words[`testimonianze.${name}`].empty)).toEqual([
      'Le testimonianze dei corsisti verranno pubblicate presto',
      'La galleria fotografica verrà pubblicata presto',
      'I ringraziamenti speciali verranno pubblicati presto',
      'Le menzioni stampa verranno pubblicate presto',
    ])
    expect(words['eventi.empty']).toEqual({
      title: 'Nessun evento programmato',
      text:
        'Al momento non ci sono eventi in programma. ' +
        'Torna presto per scoprire i prossimi workshop e corsi di Rebirthing.',
    })
  })
})

describe('section 9 of the specification: prices and limits', () => {
  test('the six services have their prices, facts, icons and colours', () => {
    const { offers } = words['servizi.offers']
    expect(offers.map(({ id, price }) => [id, price.text])).toEqual([
      ['individual', euro('95')],
      ['group', euro('45')],
      ['training', euro('2.500')],
      ['online', euro('75')],
      ['retreat', euro('450')],
      ['couple', euro('160')],
    ])
    const features = offers.map((offer) => offer.features.map(({ text }) => text))
    expect(features[0]).toContain('Durata: 1,5-2 ore')
    expect(features[1]).toContain('Massimo 8 persone')
    expect(features[2]).toContain('300+ ore di formazione')
    expect(features[3]).toContain('In videochiamata')
    expect(features[4]).toContain('2 giorni, pasti inclusi')
    expect(new Set(offers.map(({ color }) => color)).size).toBe(3)
    expect(offers[0]?.icon).toBe(iconByName.User)
  })

  test('the packages cost and save what is specified', () => {
    const pricing = words['pricing.packages']
    const { offers } = words['servizi.offers']
    const said = pricing.packages.map((item) => [
      item.title,
      item.price.text,
      packageSavings(pricing, item, offers),
      item.badge !== '',
    ])
    expect(said).toEqual([
      ['Base', euro('270'), `Risparmi ${euro('15')}`, false],
      ['Completo', euro('850'), `Risparmi ${euro('100')}`, true],
      [
        'Intensivo',
        euro('1.200'),
        `Prese una per una, le sue parti costano ${euro('1.680')}.`,
        false,
      ],
    ])
    const features = pricing.packages.map((item) => item.features.map(({ text }) => text))
    expect(features[0]).toContain('3 sessioni individuali da 90 minuti')
    expect(features[1]).toContain('10 sessioni da 90 minuti')
    expect(pricing.packages[2]?.description).toContain('3 mesi')
    expect(features[2]).toEqual([
      '12 sessioni individuali',
      '2 sessioni di gruppo',
      '1 ritiro nel fine settimana',
      'Attestato di completamento',
    ])
  })

  test('a saving that is none is not said', () => {
    const pricing = words['pricing.packages']
    const [base] = pricing.packages
    const cheap = words['servizi.offers'].offers.map((offer) => ({
      ...offer,
      price: { cents: 9000, currency: 'EUR' as const, text: '' },
    }))
    expect(base && packageSavings(pricing, base, cheap)).toBe('')
    expect(base && packageSavings(pricing, { ...base, saving: 'Conviene' }, cheap)).toBe('Conviene')
    expect(base && packageSavings(pricing, base, [])).toBe('')
  })

  test('the questions name every contraindication and duration', () => {
    const answers = words['contatti.faq']?.items.map((item) => item.answer).join('\n') ?? ''
    const contraindications = [
      'gravidanza',
      'gravi problemi cardiaci',
      'epilessia',
      'disturbi psichiatrici acuti',
      'uso di psicofarmaci',
    ]
    for (const word of contraindications) {
      expect(answers).toContain(word)
      expect(words['rebirthing.boundaries'].text).toContain(word)
      expect(JSON.stringify(legal('terms'))).toContain(word)
    }
    expect(answers).toContain('da 90 a 120 minuti, di cui da 60 a 90 minuti di respirazione')
    expect(answers).toContain('da 45 a 60 minuti')
    expect(answers).toContain('un ciclo di 10 sessioni')
    expect(words['contatti.ways'].note).toContain('20 minuti')
  })

  test('the terms ask for 24 hours and half the price', () => {
    const text = JSON.stringify(legal('terms'))
    expect(text).toContain('con almeno 24 ore di anticipo')
    expect(text).toContain('meno di 24 ore di preavviso è dovuto il 50%')
  })
})

describe('section 1 of the specification: search metadata', () => {
  test('every description is its own and fits a result', () => {
    const heads = kept.filter(({ id }) => id.startsWith('seo.') && id !== 'seo.organization')
    const described = heads.map(
      (head) => (head.default as unknown as { description: string }).description,
    )
    expect(new Set(described).size).toBe(described.length)
    for (const description of described) expect(description.length).toBeLessThanOrEqual(155)
  })

  test('the footer links the legal pages', () => {
    const links = words['footer.links'].legal.map(({ labelLink }) => labelLink)
    expect(links).toEqual(['/privacy', '/terms', '/cookies'])
  })
})
