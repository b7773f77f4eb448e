// Tests that every text of the specification is in the HTML of its page.

import { expect, pathOf, test } from './test'

/** Texts by page; prices in Italian format. */
const wordings: Readonly<Record<string, readonly string[]>> = {
  '/': [
    'Rebirthing: Respirare bene per vivere meglio!',
    'FISICI',
    'MENTALI',
    'Contattami per Info e Prenotazioni',
    '© 2025',
  ],
  '/chi-sono': [
    '1987',
    '1993',
    '2004',
    '2005/2006',
    '2009-2018',
    '2014-2015',
    'Dal 2019',
    'Oggi',
    'Terza edizione prevista per gennaio 2026',
    'Contattami per Info e Prenotazioni',
  ],
  '/servizi': [
    'I Nostri Servizi',
    'Cosa Aspettarti dalle Sessioni',
    'Pacchetti e Prezzi',
    ...['95 €', '45 €', '2.500 €', '75 €', '450 €', '160 €'],
    ...['270 €', 'Risparmi 15 €', '850 €', 'Risparmi 100 €', '1.200 €'],
  ],
  '/rebirthing': ['id="aziende"', 'id="sport"', 'Contattami per Info e Prenotazioni'],
  '/testimonianze': ['Corsista Rebirthing', 'href="/contatti"', 'href="/rebirthing"'],
  '/eventi': ['Vedi dettagli', 'href="/contatti"', 'href="/rebirthing"'],
  '/evento/{id}': [
    'Informazioni dettagliate',
    'Contattaci per Partecipare',
    'href="/eventi"',
    'href="/rebirthing"',
  ],
  '/blog': [
    ...['Tecniche', 'Guarigione', 'Spiritualità', 'Benessere', 'Iscriviti'],
    'type="email"',
    '11 febbraio 2025',
  ],
  '/contatti': [
    'Contatti',
    'Clicca per chiamare',
    'Clicca per scrivere',
    'href="tel:',
    'href="mailto:',
    'da 90 a 120 minuti, di cui da 60 a 90 minuti di respirazione',
    ...['gravidanza', 'gravi problemi cardiaci', 'epilessia', 'disturbi psichiatrici acuti'],
  ],
  '/privacy': ['Agosto 2024', 'accesso', 'rettifica', 'portabilità', 'opposizione'],
  '/terms': ['Agosto 2024', 'almeno 24 ore', '50%'],
  '/cookies': ['Agosto 2024'],
}

const everywhere = [
  '<html lang="it">',
  'href="/privacy"',
  'href="/terms"',
  'href="/cookies"',
  'Richiedi informazioni',
  // Texts that Italian law requires of a professional.
  'P. IVA 00000000000',
  'Professione esercitata ai sensi della legge 14 gennaio 2013, n. 4',
]

/** Treats no-break spaces and both forms of the apostrophe as equal. */
const plain = (html: string) =>
  html.replaceAll(/[\u00a0\u202f]|&nbsp;/g, ' ').replaceAll(/&#39;|’/g, "'")

for (const [name, expected] of Object.entries(wordings)) {
  test(`${name} says what the specification says`, async ({ request, site }) => {
    const answer = await request.get(site.origin + (await pathOf(name, site)))
    const html = plain(await answer.text())
    for (const words of [...everywhere, ...expected]) expect(html).toContain(words)
  })
}

test('the navigation keeps its order, and links that leave open a new tab', async ({
  page,
  site,
}) => {
  await page.goto(`${site.origin}/contatti`)
  const words = await page.getByRole('banner').getByRole('link').allInnerTexts()
  expect(words.slice(0, 7)).toEqual([
    'Home',
    'Chi Sono',
    'Cos’è il Rebirthing',
    'Respiro',
    'Testimonianze',
    'Eventi',
    'Contatti',
  ])
  for (const url of ['/contatti', '/chi-sono']) {
    await page.goto(site.origin + url)
    const leaving = page.getByRole('main').locator('a[href^="http"]')
    expect(await leaving.count()).toBe(2)
    for (const link of await leaving.all()) await expect(link).toHaveAttribute('target', '_blank')
  }
})

test('an event offers more information where it has an address for it', async ({
  request,
  site,
}) => {
  const events = await (await request.get(`${site.origin}/api/events`)).json()
  const has = await Promise.all(
    events.map(async ({ id, url }: { id: string; url: string | null }) => {
      const html = await (await request.get(`${site.origin}/evento/${id}`)).text()
      // The end of the document contains the page's texts once more, as JSON data.
      const [shown = ''] = html.split('id="page-data"')
      return [Boolean(url), shown.includes('Maggiori Informazioni')]
    }),
  )
  expect(has.flat()).toContain(true)
  expect(has.flat()).toContain(false)
  for (const [isNamed, isOffered] of has) expect(isOffered).toBe(isNamed)
})
