// Where a button leads that is pressed for something: the contact page with that choice, published at
// an address of its own. So nothing is kept on the device, and no query has to be understood.

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

/** Those that the site was born with are named, whatever became of their words; hers have their id. */
export function choicePath(id: string): string {
  return `/contatti/per/${keys.get(id) ?? id}`
}

export function eventChoicePath(id: string): string {
  return `/contatti/evento/${id}`
}
