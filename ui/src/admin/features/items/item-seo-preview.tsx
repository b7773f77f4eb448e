// Shows how search engines and messengers present an item that has its own page, while it is typed.
import { shorten } from '../../../lib/escape-html'
import { type Item, type Kind, kindSpecs, type Values } from '../../api/schema'
import { useLoad } from '../../api/use-load'
import own from '../../ui/seo-messages.json'
import { ChatBubble, GoogleResult, LengthMeter, useMeasures } from '../../ui/seo-preview'
import styles from '../../ui/seo-preview.module.css'
// biome-ignore lint/style/noRestrictedImports: an empty description falls back to a content block
import type { Block } from '../site-editor/api/content-api'
// biome-ignore lint/style/noRestrictedImports: an empty description falls back to a content block
import { shownText } from '../site-editor/model/rich-value'
// biome-ignore lint/style/noRestrictedImports: a content block may hold chips
import { useChipContext } from '../site-editor/model/use-chip-context'

/** The same value as `descriptionMax` of the site's pages. */
const DESCRIPTION_MAX = 155

type Told = {
  /** Field with the item's description, and the block that provides a default when the field is empty. */
  readonly description: string
  readonly block: string
  /** Picture of an unpublished item: the one that messengers show for an item without a picture. */
  readonly picture: string
}

/** The same fields and blocks as in the `<head>` of the pages in `ui/src/site/pages/`. */
const told: Readonly<Partial<Record<Kind, Told>>> = {
  events: { description: 'description', block: 'seo.evento', picture: '/social/events.jpg' },
  blog: { description: 'excerpt', block: 'seo.articolo', picture: '/social/blog.jpg' },
}

type ItemSearchProps = { kind: Kind; item: Item | null; values: Values }

export function ItemSeoPreview(props: ItemSearchProps) {
  const search = told[props.kind]
  return search === undefined ? null : <Shown {...props} search={search} />
}

function Shown({ kind, item, values, search }: ItemSearchProps & { search: Told }) {
  const known = useChipContext()
  const block = useLoad<Block>(`/api/admin/words/${search.block}`).value
  const measures = useMeasures()
  const text = (name: string) => {
    const value = values[name]
    return typeof value === 'string' ? value.trim() : ''
  }
  const brand = typeof known.settings.brand === 'string' ? known.settings.brand : ''
  const title = text('title')
  const whole = brand === '' ? title : `${title} | ${brand}`
  const written = text(search.description)
  const description = written === '' ? shownText(block?.value.description, known) : written
  const picture = text('imageUrl')
  const { page } = kindSpecs[kind]
  const key = page ? item?.[page.key] : null
  // The social picture of an item exists only once it is published.
  const drawn = item?.published && key ? `/social${page?.prefix}${key}.jpg` : search.picture
  // Browsers may cache the picture for a day; each save changes it.
  const version = encodeURIComponent(item?.updatedAt ?? '')
  return (
    <section className={styles.search} aria-label={own.heading}>
      <h3>{own.heading}</h3>
      <div>
        <p className={styles.name}>{own.title}</p>
        <LengthMeter part="title" text={title === '' ? '' : whole} measures={measures} />
      </div>
      <div>
        <p className={styles.name}>{own.description}</p>
        <LengthMeter part="description" text={written} measures={measures} />
      </div>
      <GoogleResult
        brand={brand}
        path={(kindSpecs[kind].page?.prefix ?? '').replaceAll('/', '')}
        title={whole}
        description={shorten(description, DESCRIPTION_MAX)}
        measures={measures}
      />
      <h3>{own.chatHeading}</h3>
      <ChatBubble
        picture={picture === '' ? drawn : `${picture}/social.jpg?${version}`}
        title={whole}
        description={shorten(description, DESCRIPTION_MAX)}
      />
    </section>
  )
}
