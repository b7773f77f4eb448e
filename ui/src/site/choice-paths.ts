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

export type ChoiceName = keyof typeof choiceKeys

export function choicePath(name: ChoiceName): string {
  return `/contatti/per/${choiceKeys[name]}`
}

export function eventChoicePath(id: string): string {
  return `/contatti/evento/${id}`
}
