// Creates a newsletter draft from a published item, with its text and a link to it.
import { kinds } from '../../../kinds/kinds.gen'
import { createOnce } from '../../api/client'
import { attempt } from '../../api/item-actions'
import { type Item, type Kind, pagePath, textOf } from '../../api/schema'
import { words as panelWords } from '../../ui/messages'
import { toastDone } from '../../ui/toast-store'
import { newsletterMessages } from './messages'

/** Builds the initial fields of a draft, by kind. */
const beginnings: Readonly<Partial<Record<Kind, (item: Item) => object>>> = {
  blog: ofArticle,
  events: ofEvent,
}

const subjectMax = kinds.newsletters.fields.title.max

/** Returns the draft; null when the server did not create it. */
export async function createFromItem(kind: Kind, from: Item): Promise<Item | null> {
  let made: Item | null = null
  await attempt(panelWords.toasts.save, async () => {
    const buttonUrl = location.origin + (pagePath(kind, from) ?? '')
    const body = { ...beginnings[kind]?.(from), buttonUrl }
    made = await createOnce<Item>('/api/admin/newsletters', body)
    toastDone(newsletterMessages.start.taken(textOf(from, 'title')))
  })
  return made
}

function ofArticle(item: Item) {
  const title = textOf(item, 'title')
  return {
    title,
    content: ['Ciao,', `ho scritto qualcosa di nuovo: «${title}».`, textOf(item, 'excerpt')]
      .filter((text) => text !== '')
      .join('\n\n'),
    buttonText: 'Leggi l’articolo',
  }
}

function ofEvent(item: Item) {
  const title = textOf(item, 'title')
  const when = [textOf(item, 'date'), textOf(item, 'time')].filter((text) => text !== '').join(', ')
  const where = textOf(item, 'location')
  const subject = [title, textOf(item, 'date')].filter((text) => text !== '').join(': ')
  return {
    title: subject.length <= subjectMax ? subject : title,
    content: [
      'Ciao,',
      `c’è un nuovo appuntamento: «${title}».`,
      when === '' ? '' : `**Quando:** ${when}`,
      where === '' ? '' : `**Dove:** ${where}`,
      'Se sei in gravidanza, hai problemi di salute o prendi farmaci, scrivimi prima di iscriverti.',
    ]
      .filter((text) => text !== '')
      .join('\n\n'),
    buttonText: 'Vedi dettagli',
  }
}
