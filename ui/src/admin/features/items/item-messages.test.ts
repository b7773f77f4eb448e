// The words that were asked for, letter by letter: a changed one is a changed promise.

import { describe, expect, it } from 'vitest'
import { CONTENT_KINDS, kindLabels } from '../../api/kind-labels'
import { words } from '../../ui/messages'
import { formMessages } from './form-messages'
import { listMessages } from './list-messages'

/** Toasts after adding one and three, updating, publishing in the form and deleting; then the question. */
const ASKED: Readonly<Record<string, readonly string[]>> = {
  'photo-gallery': [
    '1 foto caricate con successo!',
    '3 foto caricate con successo!',
    'Foto aggiornata con successo!',
    'Stato pubblicazione aggiornato!',
    'Foto eliminata con successo!',
    'Sei sicuro di voler eliminare questa foto?',
  ],
  'special-thanks': [
    'Ringraziamento aggiunto con successo!',
    'Ringraziamento aggiunto con successo!',
    'Ringraziamento aggiornato!',
    'Stato pubblicazione aggiornato!',
    'Ringraziamento eliminato!',
    'Sei sicuro di voler eliminare questo ringraziamento?',
  ],
  'course-testimonials': [
    'Testimonianza aggiunta con successo!',
    'Testimonianza aggiunta con successo!',
    'Testimonianza aggiornata!',
    'Stato pubblicazione aggiornato!',
    'Testimonianza eliminata!',
    'Sei sicuro di voler eliminare questa testimonianza?',
  ],
  'media-features': [
    'Media aggiunto con successo!',
    '3 media aggiunti con successo!',
    'Media aggiornato!',
    'Stato pubblicazione aggiornato!',
    'Media eliminato!',
    'Sei sicuro di voler eliminare questo media?',
  ],
  events: [
    '1 eventi caricati con successo!',
    '3 eventi caricati con successo!',
    'Evento aggiornato con successo!',
    'Evento pubblicato con successo!',
    'Evento eliminato con successo!',
    'Sei sicuro di voler eliminare questo evento?',
  ],
}

describe('the words of the panel', () => {
  it('are those of the specification for every kind', () => {
    expect(CONTENT_KINDS.toSorted()).toEqual(Object.keys(ASKED).toSorted())
    for (const kind of CONTENT_KINDS) {
      const { added, updated, published } = formMessages[kind]
      const { confirmDelete } = listMessages[kind]
      const { deleted } = kindLabels[kind]
      expect([added(1), added(3), updated, published, deleted, confirmDelete]).toEqual(ASKED[kind])
    }
  })

  it('name a failure by what was tried', () => {
    const failed = CONTENT_KINDS.map((kind) => formMessages[kind].addFailed)
    expect(failed).toEqual(['Errore nel salvataggio', ...Array(4).fill('Errore nel caricamento')])
    const { upload, update, remove, reorder, noImage, ordered, toggled } = words.toasts
    expect([upload, update, remove, reorder, noImage, ordered, toggled]).toEqual([
      'Errore nel caricamento',
      "Errore nell'aggiornamento",
      "Errore nell'eliminazione",
      'Errore nel riordino',
      "Seleziona almeno un'immagine",
      'Ordine aggiornato!',
      'Stato pubblicazione aggiornato!',
    ])
  })
})
