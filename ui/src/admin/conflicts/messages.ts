// Strings of the conflict dialog.
import { counted } from '../../lib/plural'

export const conflictMessages = {
  title: 'Questo testo è cambiato anche altrove',
  text: (what: string, time: string | null) =>
    `Mentre scrivevi, da un'altra scheda o da un altro dispositivo è stata pubblicata un'altra versione di ${what}${time === null ? '' : ` alle ${time}`}. Non si perde niente: scegli tu.`,
  mine: 'Il tuo',
  mineHint: 'quello che hai scritto tu',
  other: "L'altro",
  otherHint: (when: string) => `pubblicato ${when}`,
  keepMine: 'Tieni il mio',
  takeOther: "Prendi l'altro",
  keepAllMine: 'Tieni tutto il mio',
  takeAllOther: "Prendi tutto l'altro",
  chosen: (count: number, total: number) => `Scelti ${count} su ${total}`,
  same: (count: number) =>
    counted(count, "L'altro campo è uguale.", 'Gli altri {n} campi sono uguali.'),
  joined: (count: number) =>
    counted(
      count,
      "Un'altra modifica, fatta da una parte sola, resta.",
      'Altre {n} modifiche, fatte da una parte sola, restano tutte.',
    ),
  removed: 'Voce tolta: non è più in questo elenco.',
  tooMany: (total: number, max: number) =>
    `Con le aggiunte di tutte e due le parti le voci sarebbero ${total}, e il massimo è ${max}. Scegli quali tenere; per tenerle tutte, «Decido dopo» e togli prima ${counted(total - max, 'una voce', '{n} voci')}.`,
  tooFew: (total: number, min: number) =>
    `Con ciò che hanno tolto tutte e due le parti ${counted(total, 'resterebbe una voce', 'resterebbero {n} voci', 'non resterebbe nessuna voce')}, e ${counted(min, 'ne serve almeno una', 'ne servono almeno {n}')}. Scegli quale elenco tenere.`,
  later: 'Decido dopo',
  laterDone: 'La tua versione resta fra le bozze, non pubblicata.',
  publish: 'Pubblica le scelte',
  again: 'È cambiato ancora mentre sceglievi: ecco il testo nuovo.',
  fieldGroup: (field: string) => `${field}: scegli quale tenere`,
  empty: 'vuoto',
} as const
