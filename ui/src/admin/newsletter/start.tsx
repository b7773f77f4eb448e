// What a newsletter begins with: nothing, an article, or an event.
import { useState } from 'preact/hooks'
import { call } from '../api'
import { WhenLoaded } from '../areas/area'
import areas from '../areas/areas.module.css'
import { attempt } from '../item-actions'
import { Button } from '../parts/button'
import { Dialog } from '../parts/dialog'
import { type Item, textOf } from '../schema'
import { toastDone } from '../toast-store'
import { useLoad } from '../use-load'
import { words as panelWords } from '../words'
import styles from './newsletter.module.css'
import { newsletterWords } from './words'

const words = newsletterWords.start
/** The latest are what newsletters are about. */
const SHOWN_MAX = 30

type Source = 'blog' | 'events'
type StartProps = { onStart: (item: Item | null) => void; onClose: () => void }

export function StartDialog({ onStart, onClose }: StartProps) {
  const [source, setSource] = useState<Source | null>(null)
  return (
    <Dialog title={words.title} onClose={onClose} size="small">
      <div className={styles.fields}>
        <div className={styles.buttons}>
          <Button onClick={() => onStart(null)}>{words.blank}</Button>
          <Button tone="outline" pressed={source === 'blog'} onClick={() => setSource('blog')}>
            {words.article}
          </Button>
          <Button tone="outline" pressed={source === 'events'} onClick={() => setSource('events')}>
            {words.event}
          </Button>
        </div>
        {source === null ? null : <Choice key={source} source={source} onStart={onStart} />}
      </div>
    </Dialog>
  )
}

function Choice({ source, onStart }: { source: Source; onStart: StartProps['onStart'] }) {
  const data = useLoad<readonly Item[]>(`/api/${source}?limit=${SHOWN_MAX}`)
  const begin = async (from: Item) => {
    await attempt(panelWords.toasts.save, async () => {
      const body = source === 'blog' ? ofArticle(from) : ofEvent(from)
      const item = await call<Item>('POST', '/api/admin/newsletters', body)
      toastDone(words.taken(textOf(from, 'title')))
      onStart(item)
    })
  }
  return (
    <WhenLoaded data={data}>
      {(items) =>
        items.length === 0 ? (
          <p>{source === 'blog' ? words.noArticles : words.noEvents}</p>
        ) : (
          <ul className={areas.rows}>
            {items.map((item) => (
              <li key={item.id}>
                <Button tone="quiet" onClick={() => void begin(item)}>
                  {textOf(item, 'title')}
                </Button>
              </li>
            ))}
          </ul>
        )
      }
    </WhenLoaded>
  )
}

function ofArticle(item: Item) {
  const title = textOf(item, 'title')
  return {
    title,
    content: ['Ciao,', `ho scritto qualcosa di nuovo: «${title}».`, textOf(item, 'excerpt')]
      .filter((text) => text !== '')
      .join('\n\n'),
    buttonText: 'Leggi l’articolo',
    buttonUrl: `${location.origin}/blog/${textOf(item, 'slug')}`,
  }
}

function ofEvent(item: Item) {
  const title = textOf(item, 'title')
  const when = [textOf(item, 'date'), textOf(item, 'time')].filter((text) => text !== '').join(', ')
  const where = textOf(item, 'location')
  return {
    title,
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
    buttonUrl: `${location.origin}/evento/${item.id}`,
  }
}
