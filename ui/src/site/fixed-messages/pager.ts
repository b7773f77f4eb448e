// The words of the way from one part of a long list to the next.

export const pager = {
  label: 'Pagine',
  current: 'Pagina {n}',
  previous: 'Pagina precedente',
  next: 'Pagina successiva',
} as const
