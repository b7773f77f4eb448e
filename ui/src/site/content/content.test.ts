// Compares the words of the site with the wordings and figures the specification fixes.

import { describe, expect, test } from 'vitest'
import { benefits } from './benefits'
import { blog } from './blog'
import { booking } from './booking'
import { chiSono } from './chi-sono'
import { contatti } from './contatti'
import { cookieBanner } from './cookie-banner'
import { errors } from './errors'
import { eventi } from './eventi'
import { faq } from './faq'
import { business, sport } from './flip-cards'
import { footer } from './footer'
import { global } from './global'
import { home } from './home'
import { type Inline, type LegalDocument, shown } from './legal'
import { cookies } from './legal-cookies'
import { privacy } from './legal-privacy'
import { terms } from './legal-terms'
import { notFound } from './not-found'
import { pricing } from './pricing'
import { rebirthing } from './rebirthing'
import { seo } from './seo'
import { services } from './services'
import { testimonianze } from './testimonianze'

const euro = (amount: string) => `${amount}\u00a0€`
const words = (inline: readonly Inline[]) =>
  shown(inline, false)
    .map((part) => (typeof part === 'string' ? part : 'bold' in part ? part.bold : part.link))
    .join('')
const textOf = (document: LegalDocument) =>
  document.blocks
    .map((block) =>
      'heading' in block
        ? `# ${block.heading}`
        : 'text' in block
          ? words(block.text)
          : block.list.map(words).join('\n'),
    )
    .join('\n')
const headings = (document: LegalDocument) =>
  document.blocks.flatMap((block) => ('heading' in block ? [block.heading] : []))

describe('section 2 of the specification: screens', () => {
  test('the header names its links in order, the logo in the middle', () => {
    expect(global.header.items.map((item) => item.label)).toEqual([
      'Home',
      'Chi Sono',
      "Cos'è il Rebirthing",
      '{{brand}}',
      'Testimonianze',
      'Eventi',
      'Contatti',
    ])
  })

  test('the home page has its heading, two slides and a button to /rebirthing', () => {
    expect(home.hero.title).toBe('Rebirthing: Respirare bene per vivere meglio!')
    expect(home.hero.slides).toHaveLength(2)
    expect(home.hero.cta.href).toBe('/rebirthing')
    expect(home.practitioner.cta.href).toBe('/chi-sono')
    expect(home.testimonial.cta.href).toBe('/testimonianze')
    expect(home.audiences.cards.map((card) => card.cta.href)).toEqual([
      '/rebirthing#aziende',
      '/rebirthing#sport',
    ])
  })

  test('there are ten physical and nine mental benefits', () => {
    const counts = benefits.cards.map((card) => [card.title, card.items.length])
    expect(counts).toEqual([
      ['FISICI', 10],
      ['MENTALI', 9],
    ])
  })

  test('the timeline has its eight milestones', () => {
    expect(chiSono.timeline.items.map((item) => item.year)).toEqual([
      '1987',
      '1993',
      '2004',
      '2005/2006',
      '2009-2018',
      '2014-2015',
      'Dal 2019',
      'Oggi',
    ])
  })

  test('the page about the practitioner has two book links and four experience cards', () => {
    expect(chiSono.book.links).toHaveLength(2)
    expect(chiSono.experience.cards).toHaveLength(4)
  })

  test('the booking section has three cards and one button', () => {
    expect(booking.cards.map((card) => card.duration)).toEqual([
      "Circa un'ora",
      'Circa due ore',
      'Una giornata',
    ])
    expect(booking.cards[2].topics).toHaveLength(4)
    expect(booking.cta).toEqual({
      label: 'Contattami per Info e Prenotazioni',
      href: '/contatti',
    })
  })

  test('the services page is titled as specified and has six services and four blocks', () => {
    expect(services.hero.title).toBe('I Nostri Servizi')
    expect(services.services).toHaveLength(6)
    expect(services.expectations.title).toBe('Cosa Aspettarti dalle Sessioni')
    expect(services.expectations.blocks).toHaveLength(4)
    expect(pricing.title).toBe('Pacchetti e Prezzi')
  })

  test('the page about the method has the two anchors, each with flip cards', () => {
    expect([business.anchor, sport.anchor]).toEqual(['aziende', 'sport'])
    expect([business.flipCards.length, sport.flipCards.length]).toEqual([3, 3])
    for (const card of [...business.flipCards, ...sport.flipCards]) {
      expect(card.back.items).toHaveLength(4)
    }
  })

  test('testimonials, events and blog keep their wordings', () => {
    expect(testimonianze.loading).toBe('Caricamento...')
    expect(testimonianze.lightbox.counter).toBe('{n} / {total}')
    expect(testimonianze.sections.courseTestimonials.fallbackProfession).toBe('Corsista Rebirthing')
    expect(eventi.list.card.detailsLink).toBe('Vedi dettagli')
    expect(eventi.detail.contentTitle).toBe('Informazioni dettagliate')
    expect(eventi.detail.moreInfo).toBe('Maggiori Informazioni')
    expect(eventi.detail.participate).toEqual({
      label: 'Contattaci per Partecipare',
      href: '/contatti',
    })
    expect(blog.loadMore).toBe('Carica Altri Articoli')
    expect(blog.newsletter.button).toBe('Iscriviti')
    expect(blog.categories.items.map((item) => item.name)).toEqual([
      'Tecniche',
      'Guarigione',
      'Spiritualità',
      'Benessere',
    ])
  })

  test('the contact page has three cards with their hints and eight questions', () => {
    expect(contatti.hero.title).toBe('Contatti')
    expect(contatti.cards).toHaveLength(3)
    expect(contatti.cards[0].hint).toBe('Clicca per chiamare')
    expect(contatti.cards[1].hint).toBe('Clicca per scrivere')
    expect(faq.items).toHaveLength(8)
  })

  test('the legal pages carry their date and sections', () => {
    for (const document of [privacy, terms, cookies]) {
      expect(document.modified).toBe('Ultima modifica: Agosto 2024')
    }
    expect(headings(terms).filter((heading) => /^\d\. /.test(heading))).toHaveLength(9)
    const rights = [
      'accesso',
      'rettifica',
      'cancellazione',
      'limitazione',
      'portabilità',
      'opposizione',
    ]
    for (const right of rights) expect(textOf(privacy)).toContain(`${right}: `)
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
    expect(cookieBanner.banner.buttons).toEqual({
      necessaryOnly: 'Solo Necessari',
      acceptAll: 'Accetta Tutti',
      customize: 'Personalizza',
    })
    expect(cookieBanner.storageKey).toBe('cookie-consent')
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
    expect(Object.values(testimonianze.sections).map((section) => section.empty)).toEqual([
      'Le testimonianze dei corsisti verranno pubblicate presto',
      'La galleria fotografica verrà pubblicata presto',
      'I ringraziamenti speciali verranno pubblicati presto',
      'Le menzioni stampa verranno pubblicate presto',
    ])
    expect(eventi.list.empty).toEqual({
      title: 'Nessun evento programmato',
      text:
        'Al momento non ci sono eventi in programma. ' +
        'Torna presto per scoprire i prossimi workshop e corsi di Rebirthing.',
    })
  })
})

describe('section 9 of the specification: prices and limits', () => {
  test('the six services have their prices and facts', () => {
    const prices = services.services.map((service) => [service.id, service.price])
    expect(prices).toEqual([
      ['individual', euro('95')],
      ['group', euro('45')],
      ['training', euro('2.500')],
      ['online', euro('75')],
      ['retreat', euro('450')],
      ['couple', euro('160')],
    ])
    expect(services.services[0].features).toContain('Durata: 1,5-2 ore')
    expect(services.services[1].features).toContain('Massimo 8 persone')
    expect(services.services[2].features).toContain('300+ ore di formazione')
    expect(services.services[3].features).toContain('In videochiamata')
    expect(services.services[4].features).toContain('2 giorni, pasti inclusi')
    const colors = new Set<string>(services.services.map((service) => service.color))
    expect([...colors].sort()).toEqual(['accent', 'primary', 'secondary'])
  })

  test('the packages cost and save what is specified', () => {
    const [base, complete, intensive] = pricing.packages
    expect([base.title, base.price, base.savings]).toEqual([
      'Base',
      euro('270'),
      `Risparmi ${euro('15')}`,
    ])
    expect([complete.title, complete.price, complete.savings]).toEqual([
      'Completo',
      euro('850'),
      `Risparmi ${euro('100')}`,
    ])
    expect([base.popular, complete.popular, intensive.popular]).toEqual([false, true, false])
    expect([intensive.title, intensive.price]).toEqual(['Intensivo', euro('1.200')])
    expect(base.features).toContain('3 sessioni individuali da 90 minuti')
    expect(complete.features).toContain('10 sessioni da 90 minuti')
    expect(intensive.description).toContain('3 mesi')
    expect(intensive.features).toEqual([
      '12 sessioni individuali',
      '2 sessioni di gruppo',
      '1 ritiro nel fine settimana',
      'Attestato di completamento',
    ])
  })

  test('the questions name every contraindication and duration', () => {
    const answers = faq.items.map((item) => item.answer).join('\n')
    const contraindications = [
      'gravidanza',
      'gravi problemi cardiaci',
      'epilessia',
      'disturbi psichiatrici acuti',
      'uso di psicofarmaci',
    ]
    for (const words of contraindications) {
      expect(answers).toContain(words)
      expect(rebirthing.method.boundaries.text).toContain(words)
      expect(textOf(terms)).toContain(words)
    }
    expect(answers).toContain('da 90 a 120 minuti, di cui da 60 a 90 minuti di respirazione')
    expect(answers).toContain('da 45 a 60 minuti')
    expect(answers).toContain('un ciclo di 10 sessioni')
    expect(contatti.consultationNote).toContain('20 minuti')
  })

  test('the terms ask for 24 hours and half the price', () => {
    expect(textOf(terms)).toContain('con almeno 24 ore di anticipo')
    expect(textOf(terms)).toContain('meno di 24 ore di preavviso è dovuto il 50%')
  })
})

describe('section 1 of the specification: search metadata', () => {
  test('the organization serves Italy and Switzerland', () => {
    expect(seo.organization.areaServed).toEqual(['IT', 'CH'])
    expect(seo.locale).toBe('it_IT')
  })

  test('every description is its own and fits a result', () => {
    const described = Object.values(seo.routes).map((route) => route.description)
    expect(new Set(described).size).toBe(described.length)
    for (const description of described) expect(description.length).toBeLessThanOrEqual(155)
  })

  test('the footer promotes the certificate and links the legal pages', () => {
    expect(footer.columns[1].links.map((link) => link.href)).toEqual([
      '/privacy',
      '/terms',
      '/cookies',
    ])
    expect(footer.certificate.button.opens).toBe('messaging')
  })
})
