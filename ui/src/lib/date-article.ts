// Joins an article to a date; apart from the formats of dates, because the server's engine has no `Intl`.

type Article = 'il' | 'al' | 'dal' | 'Dal' | 'del'

/** Joins an article to a date that begins with its day: `il 12 marzo`, `dall’8 marzo`, `l’11`. */
export function withArticle(article: Article, date: string): string {
  if (!/^(?:8|11)(?!\d)/.test(date)) return `${article} ${date}`
  return article === 'il' ? `l’${date}` : `${article}l’${date}`
}
