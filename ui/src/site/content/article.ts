// Words of the article page that the copy deck does not have.

export const article = {
  related: 'Altri articoli',
  contents: 'In questo articolo',
  updatedOn: 'Aggiornato il {date}',
  minuteOne: '1 minuto di lettura',
  minutes: '{n} minuti di lettura',
  neighbours: 'Altri articoli, in ordine di data',
  previous: 'Articolo precedente',
  next: 'Articolo successivo',
} as const
