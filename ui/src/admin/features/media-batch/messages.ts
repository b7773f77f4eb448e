// Texts of a batch upload of each kind.
import { limits } from '../../../kinds/kinds.gen'
import { withoutExtension } from '../../api/file-check'
import type { Kind } from '../../api/schema'

export const batchUploadMessages = {
  touch: 'Scegli dalle foto',
  drop: 'Trascina qui le immagini',
  or: 'oppure',
  choose: 'selezionale dal dispositivo',
  hint: `Solo immagini, massimo ${limits.uploadBytesMax / 1024 ** 2} MB ciascuna.`,
  resume: 'Riprendi il caricamento',
  stored: 'Scegli fra le tue',
  storedName: 'Immagine del sito',
} as const

type BatchMessages = {
  /** Title of an item made from a file without one; null leaves it without. */
  fileTitle: ((filename: string) => string) | null
  /** Whether the shared texts of a batch hold for every file, or for a single one only. */
  sharedTexts: 'all' | 'single'
  multipleHint?: string
}

export const batchMessages: Readonly<Record<Kind, BatchMessages>> = {
  'course-testimonials': {
    fileTitle: null,
    sharedTexts: 'all',
  },
  'photo-gallery': {
    fileTitle: (filename) => `Foto ${filename}`,
    sharedTexts: 'all',
  },
  'special-thanks': {
    fileTitle: null,
    sharedTexts: 'all',
  },
  'media-features': {
    fileTitle: null,
    sharedTexts: 'single',
    multipleHint:
      'Titolo, descrizione e link esterno si applicano solo se selezioni una sola immagine.',
  },
  events: {
    fileTitle: (filename) => `Evento ${withoutExtension(filename)}`,
    sharedTexts: 'all',
  },
  blog: {
    fileTitle: null,
    sharedTexts: 'all',
  },
  newsletters: {
    fileTitle: null,
    sharedTexts: 'all',
  },
}
