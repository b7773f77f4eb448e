// Addresses of the contact page for a choice: the query names a prepared message of
// `contatti.messages` or an event by its id.

/** Query parameters of the contact page. The fast path knows them too: `src/server/http/front/head.rs`. */
export const choiceParameters = { message: 'servizio', event: 'evento' } as const

export function choicePath(id: string): string {
  return `/contatti?${choiceParameters.message}=${id}`
}

export function eventChoicePath(id: string): string {
  return `/contatti?${choiceParameters.event}=${id}`
}

/** Former path segments of the built-in messages; those that the admin added had their id. */
const formerKeys: Readonly<Record<string, string>> = {
  'sessione-individuale': 'individual',
  'sessione-di-gruppo': 'group',
  formazione: 'training',
  'sessione-online': 'online',
  ritiro: 'retreat',
  'sessione-di-coppia': 'couple',
  'pacchetto-base': 'base',
  'pacchetto-completo': 'complete',
  'percorso-intensivo': 'intensive',
  consulenza: 'freeConsultation',
  'a-domicilio': 'atHome',
  seminario: 'seminars',
  aziende: 'business',
  sport: 'sport',
  attestato: 'certificate',
}

const formerPrefix = '/contatti/per/'

/** Former paths of messages and the paths that they redirect to. `{key}` stands for an id. */
export const formerChoicePaths: Readonly<Record<string, string>> = Object.fromEntries(
  [...Object.entries(formerKeys), ['{key}', '{key}'] as const].map(([key, id]) => [
    formerPrefix + key,
    choicePath(id),
  ]),
)

/** Returns the present address of a choice for a saved link, which may hold a former one. */
export function currentChoicePath(href: string): string {
  const [path = ''] = href.split(/[?#]/)
  if (!path.startsWith(formerPrefix)) return href
  const key = path.slice(formerPrefix.length).replace(/\/$/, '')
  return choicePath(formerKeys[key] ?? key)
}
