// Words of the article page that the copy deck does not have.

export const article = {
  related: 'Altri articoli',
  contents: 'In questo articolo',
  updatedOn: 'Aggiornato il {date}',
} as const
