// Texts of item lists and forms that are the same for every kind.
import { counted } from '../../../lib/plural'
import { shortcutText } from '../../ui/shortcut-text'

export const itemMessages = {
  newsletterFrom: 'Scrivi una newsletter da qui',
  toolbar: {
    undo: `Annulla (${shortcutText('Ctrl+Z')})`,
    redo: `Ripeti (${shortcutText('Ctrl+Maiusc+Z')})`,
    kept: 'Bozza conservata alle {time}',
    sideHide: 'Nascondi il pannello',
    sideShow: 'Mostra il pannello',
  },
  order: 'Ordine',
  unsaved: 'Ci sono modifiche non salvate. Vuoi chiudere senza salvare?',
  move: {
    title: 'Sposta nell’elenco',
    label: (title: string, total: number) => `Posizione di «${title}» (sono ${total})`,
    wrong: (total: number) => `Scrivi un numero da 1 a ${total}`,
    action: 'Sposta',
  },
  staleList: "Non è stato possibile rileggere l'elenco: quello che vedi può non essere aggiornato.",
} as const

export function moveUpLabel(title: string): string {
  return `Sposta su: ${title}`
}

export function moveDownLabel(title: string): string {
  return `Sposta giù: ${title}`
}

export function dragLabel(title: string): string {
  return `Trascina per riordinare: ${title}`
}

export function editLabel(title: string): string {
  return `Modifica: ${title}`
}

export function placesText(count: number): string {
  return counted(count, '1 posto rimasto', '{n} posti rimasti', 'Nessun posto rimasto')
}
