import { expect, it } from 'vitest'
import { addressAlone, findAddresses, pastedAddress } from './addresses'

it.each([
  [
    'Scrivi a anna@example.it, oppure (www.example.com/a_(b)).',
    ['mailto:anna@example.it', 'https://www.example.com/a_(b)'],
  ],
  ['https://example.com/a?b=c#d… e sito.it!', ['https://example.com/a?b=c#d', 'https://sito.it']],
  ['Vai su «respiro.example.org/eventi»', ['https://respiro.example.org/eventi']],
  ['fine.Poi 3.5 km, a@b, vedi all.to e file.pdf, http://x', []],
  ['nome.cognome@posta.it. Ciao', ['mailto:nome.cognome@posta.it']],
])('finds the addresses of %s', (text, hrefs) => {
  expect(findAddresses(text).map(({ href }) => href)).toEqual(hrefs)
})

it('one address alone is a link, and words around it make it none', () => {
  expect(addressAlone(' www.sito.it/pagina \n')).toBe('https://www.sito.it/pagina')
  expect(addressAlone('anna@sito.it')).toBe('mailto:anna@sito.it')
  expect(addressAlone('tel:+393331234567')).toBe('tel:+393331234567')
  for (const text of ['', 'vedi sito.it', 'sito.it.', 'javascript:alert(1)', '#', 'https://']) {
    expect(addressAlone(text)).toBe(null)
  }
})

it.each([
  ['https://www.google.com/url?q=https://example.com/a&sa=D', 'https://example.com/a'],
  [
    'https://l.facebook.com/l.php?u=https%3A%2F%2Fexample.com%2F%3Ffbclid%3D1&h=AT',
    'https://example.com/',
  ],
  [
    'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fexample.com%2Fb&data=x',
    'https://example.com/b',
  ],
  ['https://example.com/a?utm_source=x&b=è&fbclid=1#c', 'https://example.com/a?b=è#c'],
  ['https://example.com/?mc_eid=1', 'https://example.com/'],
  ['https://example.com/a?b=%20c', 'https://example.com/a?b=%20c'],
  ['/contatti', '/contatti'],
  ['mailto:anna@example.it', 'mailto:anna@example.it'],
])('a pasted link %s leads to %s', (href, target) => {
  expect(pastedAddress(href)).toBe(target)
})

it.each([
  ...['', '#', '#_Toc123', 'javascript:void(0)', 'file:///C:/Documenti/a.docx', 'about:blank'],
  ...['mailto:', 'tel:', 'https://', 'http://?a', 'pagina.html', '//sito.it', 'data:text/html,x'],
  ...['https://www.google.com/url?sa=t', 'https://l.instagram.com/?u=javascript%3Aalert(1)'],
])('a pasted link %j leads nowhere', (href) => {
  expect(pastedAddress(href)).toBe(null)
})
