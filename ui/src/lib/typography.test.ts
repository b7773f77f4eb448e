import { expect, test } from 'vitest'
import { typeset, typesetHtml } from './typography'

test('apostrophes are curved, quotation marks and what is cut stay what they are', () => {
  expect(typeset("Cos'è il Rebirthing, un'ora d'aria")).toBe('Cos’è il Rebirthing, un’ora d’aria')
  expect(typeset("Un po' di pace, da' retta")).toBe('Un po’ di pace, da’ retta')
  expect(typeset("Disse 'respira' e 'calma'")).toBe("Disse 'respira' e 'calma'")
  expect(typeset("dal 10 all'11 aprile, l'8 marzo")).toBe('dal 10 all’11 aprile, l’8 marzo')
  expect(typeset("Gli anni '90 e 5' di pausa")).toBe("Gli anni '90 e 5' di pausa")
})

test('running text breaks neither after one letter nor before a unit', () => {
  const text =
    'Il ritiro costa 450 € a persona e comprende i pasti, il viaggio è a carico di chi viene.'
  expect(typeset(text)).toBe(
    'Il ritiro costa 450\u00a0€ a\u00a0persona e\u00a0comprende i\u00a0pasti, il viaggio è\u00a0a\u00a0carico di chi viene.',
  )
  expect(typeset('Contattami per Info e Prenotazioni')).toBe('Contattami per Info e Prenotazioni')
  expect(typeset('P. IVA 0123')).toBe('P.\u00a0IVA 0123')
})

test('addresses stay as they are copied', () => {
  // Her address was shown with another apostrophe than the one that post arrives at.
  expect(typeset("d'angelo@x.it")).toBe("d'angelo@x.it")
  expect(typeset("L'indirizzo: d'angelo@x.it, https://x.it/l'aria o un'altra")).toBe(
    "L’indirizzo: d'angelo@x.it, https://x.it/l'aria o un’altra",
  )
})

test('times do not stand apart from their number', () => {
  const text = 'Un incontro dura 90 minuti o 2 ore, la sala è a 300 m dalla stazione, 5 minutini.'
  expect(typeset(text)).toBe(
    'Un incontro dura 90\u00a0minuti o 2\u00a0ore, la sala è\u00a0a 300\u00a0m dalla stazione, 5 minutini.',
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
