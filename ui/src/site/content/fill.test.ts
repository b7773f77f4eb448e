import { describe, expect, test } from 'vitest'
import { emailHref, fill, type Identity, phoneHref, webHref, whatsappHref } from './fill'

const nobody: Identity = {
  brand: null,
  practitioner: null,
  towns: null,
  phone: null,
  email: null,
  whatsapp: null,
  whatsappGreeting: null,
  socialName: null,
  socialUrl: null,
  bookTitle: null,
  bookstoreUrl: null,
  publisherUrl: null,
  vatNumber: null,
  address: null,
  certifyingBody: null,
  copyrightYear: null,
  bookEdition: null,
}
const anna: Identity = { ...nobody, practitioner: 'Anna Neri', phone: '+39 (02) 123 45' }

describe('fill', () => {
  test('puts settings into a text', () => {
    expect(fill('Mi chiamo {{practitioner}}.', anna)).toBe('Mi chiamo Anna Neri.')
  })

  test('gives nothing when a setting the text needs is unknown', () => {
    expect(fill('E-mail: {{email}}', anna)).toBe('')
    expect(fill('{{unheard_of}}', anna)).toBe('')
  })

  test('drops or replaces the part that needs an unknown setting', () => {
    expect(fill('Ritratto[[ di {{practitioner}}]]', nobody)).toBe('Ritratto')
    expect(fill('[[Sono {{practitioner}} e insegno||Insegno]] qui', nobody)).toBe('Insegno qui')
    expect(fill('[[Sono {{practitioner}} e insegno||Insegno]] qui', anna)).toBe(
      'Sono Anna Neri e insegno qui',
    )
  })

  test('has neutral words for the brand, the year and the edition', () => {
    expect(fill('© {{copyright_year}} {{brand}}', nobody)).toBe('© 2025 Respiro')
    expect(fill('{{book_edition}}', nobody)).toBe('Terza edizione prevista per gennaio 2026')
  })

  test('takes a setting literally, whatever it contains', () => {
    const odd = { ...nobody, practitioner: '$& {{brand}} [[x||y]] <b>' }
    expect(fill('Io: {{practitioner}}', odd)).toBe('Io: $& {{brand}} [[x||y]] <b>')
  })

  test('treats blanks as unknown', () => {
    expect(fill('{{practitioner}}', { ...nobody, practitioner: '  ' })).toBe('')
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
