import { expect, test } from 'vitest'
import { encodeMarker } from './content-source-map'
import { curve, typeset, typesetHeading, typesetHtml } from './typography'

test('apostrophes are curved, quotation marks and what is cut stay what they are', () => {
  expect(typeset("Cos'è il Rebirthing, un'ora d'aria")).toBe('Cos’è il Rebirthing, un’ora d’aria')
  expect(typeset("Un po' di pace, da' retta")).toBe('Un po’ di pace, da’ retta')
  expect(typeset("Disse 'respira' e 'calma'")).toBe("Disse 'respira' e 'calma'")
  expect(typeset("dal 10 all'11 aprile, l'8 marzo")).toBe('dal 10 all’11 aprile, l’8 marzo')
  expect(typeset("Gli anni '90 e 5' di pausa")).toBe("Gli anni '90 e 5' di pausa")
})

/** Typesets and shows no-break spaces as underscores. */
const seen = (text: string) => typeset(text).replaceAll('\u00a0', '_')

test('running text breaks neither after a short word nor before a unit', () => {
  expect(
    seen(
      'Il ritiro costa 450 € a persona e comprende i pasti, il viaggio è a carico di chi viene.',
    ),
  ).toBe('Il ritiro costa 450_€ a_persona e_comprende i_pasti, il_viaggio è_a_carico di_chi viene.')
  expect(seen('Un incontro per chi cerca (da solo o in due) «la calma» di un respiro')).toBe(
    'Un incontro per chi cerca (da_solo o_in_due) «la_calma» di_un_respiro',
  )
  expect(typeset('P. IVA 0123')).toBe('P.\u00a0IVA 0123')
})

test('a label, a figure and a word of three letters are followed by a plain space', () => {
  expect(typeset('Contattami per Info e Prenotazioni')).toBe('Contattami per Info e Prenotazioni')
  const text = 'Dal 10 al 12, per chi comincia con noi: 30 e più giorni, mai meno'
  expect(seen(text)).toBe(text)
})

// Regression: on the contact page a line ended between the day and the month of the chosen event.
test('a date stays in one line', () => {
  expect(seen('Hai scelto: Il respiro del mattino, Sabato 6 Marzo 2027, e poi 1° maggio')).toBe(
    'Hai scelto: Il_respiro del mattino, Sabato 6_Marzo_2027, e_poi 1°_maggio',
  )
  const text =
    'Chi viene in marzo 2027 porta 2 marzapani, e 5 aprilini per tutti quelli che restano'
  expect(seen(text)).toBe(text.replace('in m', 'in_m').replace('e 5', 'e_5'))
})

test('a sentence that is compared has printed apostrophes, and its own spaces', () => {
  // Regression: no-break spaces made the specification's sentences differ.
  expect(curve("L'evento che stai cercando non esiste o è stato rimosso, e non torna.")).toBe(
    'L’evento che stai cercando non esiste o è stato rimosso, e non torna.',
  )
})

test('addresses stay as they are copied', () => {
  // Regression: an e-mail address was shown with a curved apostrophe and was wrong when copied.
  expect(typeset("d'angelo@x.it")).toBe("d'angelo@x.it")
  expect(typeset("L'indirizzo: d'angelo@x.it, https://x.it/l'aria o un'altra")).toBe(
    "L’indirizzo: d'angelo@x.it, https://x.it/l'aria o\u00a0un’altra",
  )
})

test('times do not stand apart from their number', () => {
  const text = 'Un incontro dura 90 minuti o 2 ore, la sala è a 300 m dalla stazione, 5 minutini.'
  expect(typeset(text)).toBe(
    'Un incontro dura 90\u00a0minuti o\u00a02\u00a0ore, la\u00a0sala è\u00a0a\u00a0300\u00a0m dalla stazione, 5 minutini.',
  )
})

test('what is set twice is set once', () => {
  const text = "L'una e l'altra: un po' alla volta, a 20 % in meno, con tutto il tempo che serve."
  expect(typeset(typeset(text))).toBe(typeset(text))
})

test('in HTML code, addresses and attributes stay as they were typed', () => {
  const html = `<p>L'ora <a href="/l'ora">dell'aria</a> <code>d'oro</code> d'oro</p>`
  expect(typesetHtml(html)).toBe(
    `<p>L’ora <a href="/l'ora">dell’aria</a> <code>d'oro</code> d’oro</p>`,
  )
})

// Regression: with its marker the heading counted as longer, and broke elsewhere in the editor than on the site.
test('a text of the editor is as long as without its marker', () => {
  const heading = 'Cos’è il Rebirthing'
  expect(typesetHeading(heading)).toBe(heading)
  expect(typesetHeading(heading + encodeMarker(300))).toBe(heading + encodeMarker(300))
  const long = 'Il respiro e la voce che cura'
  expect(typesetHeading(long + encodeMarker(3))).toBe(typesetHeading(long) + encodeMarker(3))
})
