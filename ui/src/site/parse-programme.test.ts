import { describe, expect, it } from 'vitest'
import { type ProgrammePart, parseLines, parseProgramme } from './parse-programme'

const words = (parts: readonly ProgrammePart[]) =>
  parts.flatMap((part) => {
    if (part.kind === 'hours') return part.rows.flatMap(({ hour, text }) => [hour, text])
    return part.kind === 'list' ? part.items : [part.text]
  })

describe('the programme of an event', () => {
  it('tells days, hours, headings and text apart', () => {
    const content =
      'Programma\n\nSabato\n10:00 Accoglienza\n10.30 – Respiro\n\nDomenica 11 aprile\n9:30-11:00 Silenzio\n\nChe cosa portare\nUna coperta,\ncalze calde.'
    expect(parseProgramme(content)).toEqual([
      { kind: 'heading', text: 'Programma' },
      { kind: 'day', text: 'Sabato' },
      {
        kind: 'hours',
        rows: [
          { hour: '10:00', text: 'Accoglienza' },
          { hour: '10.30', text: 'Respiro' },
        ],
      },
      { kind: 'day', text: 'Domenica 11 aprile' },
      { kind: 'hours', rows: [{ hour: '9:30-11:00', text: 'Silenzio' }] },
      { kind: 'heading', text: 'Che cosa portare' },
      { kind: 'text', text: 'Una coperta,\ncalze calde.' },
    ])
  })

  it('knows a day without its accent and every hour of one', () => {
    for (const line of ['Venerdi', "Venerdi'", 'Lunedì 3 marzo', 'mercoledi sera'])
      expect(parseProgramme(line)).toEqual([{ kind: 'day', text: line }])
    for (const hour of ['9.30', '00:15', '23:59', '24:00', '8.00-9.30'])
      expect(parseProgramme(`${hour} Europa e respiro`)).toEqual([
        { kind: 'hours', rows: [{ hour, text: 'Europa e respiro' }] },
      ])
  })

  it('takes no sentence for a day or an hour', () => {
    for (const line of [
      'Sabato ci vediamo alle 10',
      'Alle 10:00 si comincia',
      '10 persone al massimo',
      'Domenica è festa',
      // Regression: prices appeared in the column of the times.
      '45.00 € a persona',
      '12.50 € il pranzo',
      '12.50€ il pranzo',
      '15.00 euro la cena',
      '12.00 - 15.00 € a pasto',
      '20.00 CHF in contanti',
      '10.75 metri di sala',
    ])
      expect(parseProgramme(line)).toEqual([{ kind: 'text', text: line }])
  })

  // Regression: the hyphens of a list were shown as text.
  it('reads lines that begin with a hyphen or a bullet as a list', () => {
    const content =
      'Che cosa portare\n- Una coperta\n– Calze calde\n•\tAcqua\n\n-Un quaderno\nA presto'
    expect(parseProgramme(content)).toEqual([
      { kind: 'heading', text: 'Che cosa portare' },
      { kind: 'list', items: ['Una coperta', 'Calze calde', 'Acqua', 'Un quaderno'] },
      { kind: 'text', text: 'A presto' },
    ])
    expect(parseProgramme('- 10:00 Accoglienza\n- 11:00 Respiro')).toEqual([
      {
        kind: 'hours',
        rows: [
          { hour: '10:00', text: 'Accoglienza' },
          { hour: '11:00', text: 'Respiro' },
        ],
      },
    ])
    for (const line of ['-10 gradi la mattina', '*su prenotazione', '---', '- '])
      expect(parseProgramme(line)).toEqual([{ kind: 'text', text: line.trim() }])
  })

  it('loses no word, whatever is written', () => {
    const lines = [
      'Sabato',
      '10:00 A',
      'Costi:',
      '',
      'b',
      '  9.15   c d ',
      '***',
      'ore 20:30 Pratica',
      '- una coperta',
      '•12',
    ]
    for (let seed = 1; seed < 400; seed += 1) {
      const picked = Array.from(
        { length: 6 },
        (_, at) => lines[(seed * (at + 3) + at * at) % lines.length] ?? '',
      )
      const kept = words(parseProgramme(picked.join('\n')))
        .join(' ')
        .replace(/\W+/g, '')
      const written = picked
        .join(' ')
        .replace(/\bore\b/g, '')
        .replace(/\W+/g, '')
      expect(kept).toBe(written)
    }
  })
})

describe('a short description', () => {
  it('has lists where lines begin with hyphens, and its other lines as typed', () => {
    expect(parseLines('Portate:\n- una coperta\n– calze calde\n\nVi aspetto,\nAnna')).toEqual([
      { kind: 'text', text: 'Portate:' },
      { kind: 'list', items: ['una coperta', 'calze calde'] },
      { kind: 'text', text: 'Vi aspetto,\nAnna' },
    ])
  })

  it('leaves a hyphen within a line, and a number below zero', () => {
    const text = 'Corpo-mente: 10:00 - 12:00\n-5 gradi'
    expect(parseLines(text)).toEqual([{ kind: 'text', text }])
  })
})
