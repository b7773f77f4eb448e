// Dialog that starts a newsletter: blank, from an article or from an event.
import { useState } from 'preact/hooks'
import { type Item, textOf } from '../../api/schema'
import { useLoad } from '../../api/use-load'
import { useDebouncedValue } from '../../hooks/use-debounced-value'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { WhenLoaded } from '../../ui/page-layout'
import areas from '../../ui/page-layout.module.css'
import { createFromItem } from './create-from-item'
import { newsletterMessages } from './messages'
import styles from './newsletter.module.css'

const words = newsletterMessages.start
/** Newsletters announce recent items. */
const SHOWN_MAX = 30

const SOURCES = ['blog', 'events'] as const
type Source = (typeof SOURCES)[number]
type StartProps = { onStart: (item: Item | null) => void; onClose: () => void }

export function NewNewsletterDialog({ onStart, onClose }: StartProps) {
  const [source, setSource] = useState<Source | null>(null)
  return (
    <Dialog title={words.title} onClose={onClose} size="small">
      <div className={styles.fields}>
        <div className={styles.buttons}>
          <Button tone={source === null ? 'primary' : 'outline'} onClick={() => onStart(null)}>
            {words.blank}
          </Button>
          {SOURCES.map((one) => (
            <Button
              key={one}
              tone={source === one ? 'primary' : 'outline'}
              pressed={source === one}
              onClick={() => setSource(one)}
            >
              {one === 'blog' ? words.article : words.event}
            </Button>
          ))}
        </div>
        {source === null ? null : <Choice key={source} source={source} onStart={onStart} />}
      </div>
    </Dialog>
  )
}

function Choice({ source, onStart }: { source: Source; onStart: StartProps['onStart'] }) {
  const [query, setQuery] = useState('')
  const search = useDebouncedValue(query)
  const data = useLoad<{ readonly items: readonly Item[] }>(
    `/api/admin/${source}/page?current=1&limit=${SHOWN_MAX}&search=${encodeURIComponent(search)}`,
  )
  const begin = async (from: Item) => {
    const item = await createFromItem(source, from)
    if (item !== null) onStart(item)
  }
  return (
    <>
      <label>
        {words.search}
        <input
          type="search"
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
      </label>
      <WhenLoaded data={data}>
        {({ items }) =>
          items.length === 0 ? (
            <p>{source === 'blog' ? words.noArticles : words.noEvents}</p>
          ) : (
            <ul className={`${areas.rows} ${styles.choices}`}>
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
    </>
  )
}
