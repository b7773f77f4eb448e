// Texts of the shell of the panel.
export const shellMessages = {
  subtitle: 'Gestisci i contenuti del sito. Le modifiche pubblicate sono visibili subito.',
  viewSite: 'Vai al sito',
  tabs: 'Sezioni del pannello',
  areas: 'Aree del pannello',
  dropFiles: 'Rilascia per caricare',
} as const
