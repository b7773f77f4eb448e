// The words of a clash: nothing is lost, and somebody chooses.

export const conflictWords = {
  title: 'Questo testo è cambiato anche altrove',
  text: (what: string, time: string | null) =>
    `Mentre scrivevi, da un'altra scheda o da un altro dispositivo è stata pubblicata un'altra versione di ${what}${time === null ? '' : ` alle ${time}`}. Non si perde niente: scegli tu.`,
  mine: 'Il tuo',
  mineHint: 'su questo dispositivo',
  other: "L'altro",
  otherHint: (when: string) => `pubblicato ${when}`,
  keepMine: 'Tieni il mio',
  takeOther: "Prendi l'altro",
  keepAllMine: 'Tieni tutto il mio',
  takeAllOther: "Prendi tutto l'altro",
  chosen: (count: number, total: number) => `Scelti ${count} su ${total}`,
  same: (count: number) =>
    count === 1 ? "L'altro campo è uguale." : `Gli altri ${count} campi sono uguali.`,
  later: 'Decido dopo',
  laterDone: 'La tua versione resta su questo dispositivo, non pubblicata.',
  publish: 'Pubblica le scelte',
  publishing: 'Pubblicazione in corso...',
  again: 'È cambiato ancora mentre sceglievi: ecco il testo nuovo.',
  fieldGroup: (field: string) => `${field}: scegli quale tenere`,
  empty: 'vuoto',
} as const
