// Texts of the links between the pages of a long list.

export const pager = {
  label: 'Pagine',
  current: 'Pagina {n}',
  previous: 'Pagina precedente',
  next: 'Pagina successiva',
} as const
