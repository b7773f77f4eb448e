// Texts of the shell of the panel.
export const shellMessages = {
  subtitle: 'Quello che pubblichi qui si vede subito sul sito.',
  viewSite: 'Vai al sito',
  tabs: 'Sezioni del pannello',
  areas: 'Aree del pannello',
  ownersOnly: 'Questa parte è di chi può tutto. Se ti serve, chiedi a chi ti ha invitato.',
  dropFiles: 'Rilascia per caricare',
} as const
