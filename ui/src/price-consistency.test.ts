import { describe, expect, it } from 'vitest'
import type { Block, FieldValue, ObjectValue } from './admin/features/site-editor/api/content-api'
import { legalChecks } from './admin/features/site-editor/lint/legal-checks'
import { findPriceMismatches } from './admin/features/site-editor/lint/price-mismatch'
import { setIn } from './admin/features/site-editor/model/field-path'
import { amountsIn } from './admin/features/site-editor/model/rich-value'
import { definitions } from './site/content/blocks-for-page'

/** All content blocks with their default values. */
const blocks: readonly Block[] = JSON.parse(definitions()).map(
  (block: Block) => ({ ...block, value: block.default, changed: false, hidden: false }) as Block,
)

function problemsWith(changes: Readonly<Record<string, FieldValue>>) {
  const draftIn = (block: Block): ObjectValue =>
    Object.entries(changes)
      .filter(([place]) => place.startsWith(`${block.id}:`))
      .reduce(
        (value, [place, word]) => setIn(value, place.slice(block.id.length + 1), word),
        block.value,
      )
  return findPriceMismatches(blocks, draftIn).map(({ block, path, message, fix }) => ({
    place: `${block.id}:${path}`,
    message: message.replaceAll('\u00a0', ' '),
    fix: fix?.text.replaceAll('\u00a0', ' '),
  }))
}

const single = 'servizi.offers:offers[0].price'
const own = 'pricing.packages:packages[0].saving'

describe('amounts in words', () => {
  it('are read as one writes them', () => {
    const read = amountsIn('90 € a sessione invece di 95,50 €, in tutto 1.200\u00a0€; 3 sessioni')
    expect(read.map(({ cents }) => cents)).toEqual([9000, 9550, 120_000])
  })

  it('fit as the program brings them', () => {
    expect(problemsWith({})).toEqual([])
  })

  it('are named where a price has left them behind, and never rewritten', () => {
    const found = problemsWith({ [single]: { cents: 11_000, currency: 'EUR' } })
    const places = found.map(({ place }) => place)
    expect(places).toContain('pricing.packages:packages[0].features[1].text')
    expect(places).toContain('contatti.faq:items[7].answer')
    const faq = found.find(({ place }) => place.startsWith('contatti.faq'))
    expect(faq?.message).toBe('Anche «95 €» non torna: ora sono 110 €.')
    expect(found.every(({ fix }) => fix === undefined)).toBe(true)
  })

  it('are named where the service is gone, with what counted on it', () => {
    const offers = blocks.find(({ id }) => id === 'servizi.offers')?.value.offers
    const [, ...others] = offers as readonly FieldValue[]
    const found = problemsWith({ 'servizi.offers:offers': others })
    expect(found.map(({ place }) => place)).toEqual([
      'pricing.packages:packages[0].parts[0].offer',
      'pricing.packages:packages[1].parts[0].offer',
      'pricing.packages:packages[2].parts[0].offer',
      'booking.cards:cards[0].price',
      'pricing.packages:packages[0].features[1].text',
      'pricing.packages:packages[1].features[1].text',
      'contatti.faq:items[7].answer',
      'seo.organization:services[0].text',
    ])
  })

  // Regression: 100 € is also what ten sessions save by default, so the message said 250 €.
  it('are told what the price has become that was published', () => {
    const published = blocks.map((block) =>
      block.id === 'servizi.offers'
        ? { ...block, value: setIn(block.value, 'offers[0].price.cents', 10_000) }
        : block,
    )
    const note = 'Una sessione costa 100 €, meno in un pacchetto.'
    const found = findPriceMismatches(published, ({ id, value }) => {
      if (id === 'servizi.offers') return setIn(value, 'offers[0].price.cents', 11_000)
      return id === 'home.intro' ? { ...value, note } : value
    })
    const own = found.find(({ block }) => block.id === 'home.intro')
    expect(own?.message).toBe('Anche «100 €» non torna: ora sono 110\u00a0€.')
  })

  it('give the saving in her own words the sum that fits', () => {
    expect(problemsWith({ [own]: 'Ben 15 € in meno' })).toEqual([])
    const [found] = problemsWith({
      [own]: 'Ben 15 € in meno',
      'pricing.packages:packages[0].price': { cents: 26_000, currency: 'EUR' },
    })
    expect(found).toEqual({
      place: own,
      message: 'Il risparmio scritto è 15 €, il conto dice 25 €',
      fix: 'Ben 25 € in meno',
    })
  })

  it('say when a package saves nothing any more', () => {
    const found = problemsWith({ [single]: { cents: 9000, currency: 'EUR' } })
    expect(found[0]).toMatchObject({
      place: 'pricing.packages:packages[0].price',
      message: 'Con questo prezzo il pacchetto non fa risparmiare: il conto dice 0 €.',
    })
  })

  // Regression: the card calculated with four sessions and said three.
  it('are counts too, of what a package holds, in its card and in the message it begins', () => {
    const count = 'pricing.packages:packages[0].parts[0].count'
    expect(problemsWith({ [count]: 4 }).map(({ place, message }) => [place, message])).toEqual([
      [
        'pricing.packages:packages[0].features[1].text',
        'Anche «90 €» non torna: ora sono 67,50 €.',
      ],
      [
        'pricing.packages:packages[0].features[0].text',
        'Anche «3 sessioni» non torna: ora sono 4.',
      ],
      ['contatti.messages:asks[6].ask', 'Anche «3 sessioni» non torna: ora sono 4.'],
    ])
    // Two parts of the package are called sessions; only the changed one is reported.
    const group = problemsWith({ 'pricing.packages:packages[2].parts[1].count': 3 })
    expect(group.map(({ place, message }) => [place, message])).toEqual([
      [
        'pricing.packages:packages[2].features[1].text',
        'Anche «2 sessioni» non torna: ora sono 3.',
      ],
    ])
    const written = 'pricing.packages:packages[0].description'
    const inWords = problemsWith({ [count]: 4, [written]: 'Tre sessioni, poi decidi in 3 minuti.' })
    expect(inWords.map(({ message }) => message)).toContain(
      'Anche «Tre sessioni» non torna: ora sono 4.',
    )
    // Regression: the second number was taken for the end of the first one's noun phrase.
    const both = problemsWith({
      'pricing.packages:packages[2].parts[1].count': 3,
      'pricing.packages:packages[2].description':
        'Cinque sessioni individuali e due sessioni di gruppo.',
    })
    expect(both.map(({ message }) => message)).toContain(
      'Anche «due sessioni» non torna: ora sono 3.',
    )
  })

  // Regression: the button of 'Primo passo' led to 'Hai scelto: Pacchetto Base'.
  it('are told of a name that the message of a button has no more', () => {
    const title = 'pricing.packages:packages[0].title'
    const message = 'contatti.messages:asks[6].title'
    expect(problemsWith({ [title]: 'Primo passo' })).toMatchObject([
      {
        place: message,
        message: 'Chi preme il pulsante legge «Pacchetto Base», che ora si chiama «Primo passo».',
      },
    ])
    expect(problemsWith({ [title]: 'Primo passo', [message]: 'Primo passo' })).toEqual([])
    expect(problemsWith({ [title]: 'Pacchetto Base' })).toEqual([])
  })
})

describe('what the law asks', () => {
  const checked = (
    settings: Readonly<Record<string, string>>,
    changes: Readonly<Record<string, ObjectValue>> = {},
  ) => {
    const known = { settings, settingLabels: {}, blocks }
    const checks = legalChecks(blocks, (block) => changes[block.id] ?? block.value, known)
    return checks.filter(({ isThere }) => !isThere).map(({ name }) => name)
  }

  it('is in the texts that the program brings, but for what she alone knows', () => {
    expect(checked({})).toEqual(['vat', 'controller'])
    expect(checked({ vatNumber: '01234567890', email: 'anna@example.com' })).toEqual([])
  })

  it('is missed where she has taken it out', () => {
    const privacy = { sections: [{ id: '1', when: 'always', title: 'Privacy', text: 'Niente.' }] }
    const missing = checked({ vatNumber: '1', email: 'a@b.example' }, { 'legal.privacy': privacy })
    expect(missing).toEqual(['controller', 'purposes', 'retention', 'rights'])
  })

  // Regression: the check passed because the settings contained the text, although the site did not show it.
  it('is missed where the site does not say what the settings know', () => {
    const settings = { vatNumber: '01234567890', email: 'anna@example.com' }
    const foot = (notice: string) => ({
      'footer.legal': { disclaimer: 'Non curo.', notice, copyright: '©' },
    })
    const law = 'Anna, Como. Legge n. 4/2013'
    expect(checked(settings, foot(law))).toEqual(['vat'])
    expect(checked(settings, foot(`${law}, P. IVA 0123 4567 890`))).toEqual([])
    expect(checked({ email: 'a@b.example' }, foot(`${law}. P. IVA: IT01234567890`))).toEqual([])
    expect(checked({ email: 'a@b.example' }, foot(`${law}. CHE-123.456.789 IVA`))).toEqual([])
    const text = 'Titolare: Anna. Finalità e consenso; conservati; diritti; Garante.'
    const privacy = { sections: [{ id: '1', when: 'always', title: 'Privacy', text }] }
    expect(checked(settings, { 'legal.privacy': privacy })).toEqual(['controller'])
    const typed = { sections: [{ ...privacy.sections[0], text: `${text} Scrivi a me@mia.it` }] }
    expect(checked({ vatNumber: '01234567890' }, { 'legal.privacy': typed })).toEqual([])
  })
})
