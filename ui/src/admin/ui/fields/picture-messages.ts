// Texts of a picture field: its size, its crop and its buttons.

export const pictureMessages = {
  smallWarningText:
    'È larga {width} pixel: {places} resterà più piccola del suo posto, perché più grande si vedrebbe sgranata. Da {min} pixel in su lo riempie.',
  coarseWarningText:
    'È larga {width} pixel: sugli schermi grandi si vedrà un po’ sgranata. Da {min} pixel in su è nitida.',
  placesBetween: ' e ',
  openingPlace: 'in apertura di pagina',
  headPlace: 'in testa alla sua pagina',
  cardPlace: 'nella scheda',
  tinyWarningText:
    'È grande {width}×{height} pixel: sembra un’icona. Se puoi, carica la foto originale.',
  tallWarningText: 'È molto alta: scegli che cosa non tagliare.',
  wideWarningText: 'È molto larga: scegli che cosa non tagliare.',
  wholeNote: 'Ringraziamenti e stampa si vedono interi: qui non si taglia nulla.',
  focusTitle: 'Che cosa non tagliare',
  focusText: 'Tocca il punto più importante, di solito il viso. Accanto vedi i tagli veri.',
  focusKeysHint: 'Con la tastiera: le frecce spostano il punto.',
  focusAria: 'Punto da non tagliare',
  cropsTitle: 'Come si vedrà',
  wideCropLabel: 'Computer',
  phoneCropLabel: 'Telefono',
  cardCropLabel: 'Scheda',
  shareCropLabel: 'Link condiviso',
  resetAction: 'Torna al punto proposto',
  replace: 'Sostituisci immagine',
  add: "Seleziona un'immagine",
  remove: 'Togli immagine',
  choose: 'Scegli fra le tue',
  crop: 'Ritaglia e ruota',
  knownAlt: 'Altrove sul sito la stessa immagine dice: «{alt}».',
  takeAlt: 'Usa questo testo',
} as const
