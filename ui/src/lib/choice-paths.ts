// Paths of the contact page for a given choice. Each choice is a published page of its own, so that the browser stores
// nothing and no query has to be parsed.

export const choiceKeys = {
  individual: 'sessione-individuale',
  group: 'sessione-di-gruppo',
  training: 'formazione',
  online: 'sessione-online',
  retreat: 'ritiro',
  couple: 'sessione-di-coppia',
  base: 'pacchetto-base',
  complete: 'pacchetto-completo',
  intensive: 'percorso-intensivo',
  freeConsultation: 'consulenza',
  atHome: 'a-domicilio',
  seminars: 'seminario',
  business: 'aziende',
  sport: 'sport',
  certificate: 'attestato',
} as const

const keys: ReadonlyMap<string, string> = new Map(Object.entries(choiceKeys))

/** Built-in choices keep their named path when their text changes; choices that the practitioner adds use their id. */
export function choicePath(id: string): string {
  return `/contatti/per/${keys.get(id) ?? id}`
}

export function eventChoicePath(id: string): string {
  return `/contatti/evento/${id}`
}
