// Names of the areas, for the title of the window and for the search.
import type { Area } from './routes'

export const AREA_TITLES: Readonly<Record<Area, string>> = {
  casa: 'Casa',
  contenuti: 'Contenuti',
  pagine: 'Pagine',
  blog: 'Blog',
  visite: 'Visite',
  newsletter: 'Newsletter',
  impostazioni: 'Impostazioni',
  backup: 'Backup',
  account: 'Account',
  cestino: 'Cestino',
  cronologia: 'Cronologia',
  avvisi: 'Avvisi',
  guida: 'Guida',
}
