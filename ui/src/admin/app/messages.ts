// Texts of the shell of the panel.
export const shellMessages = {
  subtitle: 'Quello che pubblichi qui si vede subito sul sito.',
  viewSite: 'Vai al sito',
  tabs: 'Sezioni del pannello',
  areas: 'Aree del pannello',
  dropFiles: 'Rilascia per caricare',
} as const
