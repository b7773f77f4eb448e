// Texts of the shell of the panel.
export const shellMessages = {
  subtitle: 'Quello che pubblichi qui si vede subito sul sito.',
  viewSite: 'Vai al sito',
  tabs: 'Sezioni del pannello',
  areas: 'Aree del pannello',
  ownersOnly: 'Questa parte è di chi può tutto. Se ti serve, chiedi a chi ti ha invitato.',
  firstAreas: 'Aree principali',
  more: 'Altro',
  home: 'Respiro, vai a Casa',
  dropFiles: 'Rilascia per caricare',
} as const
