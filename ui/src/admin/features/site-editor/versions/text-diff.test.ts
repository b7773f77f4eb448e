// @vitest-environment node
import { expect, test } from 'vitest'
import { type Piece, pieces } from './text-diff'

/** Removed text in brackets, added text in braces. */
function read(now: string, then: string): string {
  const sign = ({ text, kind }: Piece) =>
    kind === 'same' ? text : kind === 'removed' ? `[${text}]` : `{${text}}`
  return pieces(now, then).map(sign).join('')
}

// Regression: shared blanks counted as equal text, so removed and added words alternated.
test('a sentence that was rewritten is one part that goes and one that comes', () => {
  const now = 'Parole mie «nuove» con una prova di citazione'
  const then = 'Ho provato il Rebirthing per una settimana e dormo'
  expect(read(now, then)).toBe(`[${now}]{${then}}`)
  expect(read(then, now)).toBe(`[${then}]{${now}}`)
  expect(read('Respira con me, al lago.', 'Vieni qui con noi, nel bosco.')).toBe(
    '[Respira con me, al lago]{Vieni qui con noi, nel bosco}.',
  )
})

test('small corrections stay small, and sentences and paragraphs apart', () => {
  expect(read('Dal 3 maggio al 5 giugno', 'Dal 4 maggio al 6 giugno')).toBe(
    'Dal [3]{4} maggio al [5]{6} giugno',
  )
  expect(read('Un respiro lento', 'Un respiro molto lento')).toBe('Un respiro {molto }lento')
  expect(read('Oggi. Domani no', 'Ieri. Domani sì')).toBe('[Oggi]{Ieri}. Domani [no]{sì}')
  expect(read('Prima.\n\nPoi', 'Adesso.\n\nMai')).toBe('[Prima]{Adesso}.\n\n[Poi]{Mai}')
  expect(read('Solo tolto qui', 'Solo qui')).toBe('Solo [tolto ]qui')
  expect(read('Uguale', 'Uguale')).toBe('Uguale')
})

test('both texts can be read from what is shown', () => {
  const now = 'Il respiro, che è mio.\n\nE il tuo: no'
  const then = 'La voce, che è tua!\n\nE la mia: sì, no'
  const all = pieces(now, then)
  const of = (kind: Piece['kind']) =>
    all
      .filter((piece) => piece.kind === 'same' || piece.kind === kind)
      .map(({ text }) => text)
      .join('')
  expect([of('removed'), of('added')]).toEqual([now, then])
})
