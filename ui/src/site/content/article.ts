// Words of the article page that the copy deck does not have.

export const article = {
  related: 'Altri articoli',
} as const
