// Title and description of a page, with previews of how search engines and messengers show it.
import { fallbackImage } from '../../../../lib/image-fallbacks'
import { fill } from '../../../../lib/interpolate'
import { Button } from '../../../ui/button'
import { TextField } from '../../../ui/fields/text-field'
import { TextareaField } from '../../../ui/fields/textarea-field'
import own from '../../../ui/seo-messages.json'
import { ChatBubble, GoogleResult, LengthMeter, useMeasures } from '../../../ui/seo-preview'
import styles from '../../../ui/seo-preview.module.css'
import type { Block, ObjectValue } from '../api/content-api'
import { findDuplicateTitle } from '../lint/duplicate-titles'
import { picturePath } from '../model/block-pictures'
import type { SitePage } from '../model/editable-pages'
import { fieldId, isObjectValue } from '../model/field-path'
import { draftOf, usePages } from '../model/pages-store'
import { type ChipContext, shownText } from '../model/rich-value'
import { changeField } from './block-form'
import form from './form.module.css'

type SearchTextsProps = {
  page: SitePage
  block: Block
  known: ChipContext
  onChoose: (place: string) => void
}

/** Path of the picture that messengers show: an uploaded one from the top of the page, or its drawing. */
function pictureFor(
  { social }: SitePage,
  { id }: Block,
  { blocks, settings }: ChipContext,
  draft: (block: Block) => ObjectValue,
): string {
  const shared = fallbackImage(
    id.replace(/^seo\./, ''),
    (name, field) => {
      const block = blocks.find((one) => one.id === name)
      const word = block && draft(block)[field]
      return isObjectValue(word) && typeof word.path === 'string' ? word.path : null
    },
    (name) => picturePath(settings[name]),
  )
  return shared === null ? `/social/${social}.jpg` : `${shared.picture}/social.jpg`
}

export function SeoFields({ page, block, known, onChoose }: SearchTextsProps) {
  const draft = usePages((store) => draftOf(store, block))
  const text = (name: string) => shownText(draft.value[name], known)
  const brand = typeof known.settings.brand === 'string' ? known.settings.brand : ''
  const suffix = brand === '' ? '' : ` | ${brand}`
  const measures = useMeasures()
  const set = (name: string) => (next: string) => changeField(block, name, next, next)
  const same = usePages(
    (store) =>
      findDuplicateTitle(block, store.blocks ?? [], (one) => draftOf(store, one).value, known)
        ?.label,
  )
  const picture = usePages((store) =>
    pictureFor(page, block, known, (one) => draftOf(store, one).value),
  )
  const isTyped = (name: string) => typeof draft.value[name] === 'string'
  return (
    <section aria-label={own.heading}>
      <h3>{own.heading}</h3>
      {page.group === 'legal' ? <p className={form.soft}>{own.hints.noindex}</p> : null}
      <div className={styles.field}>
        {isTyped('title') ? (
          <TextField
            id={`search-${fieldId(block.id, 'title')}`}
            label={own.title}
            value={text('title')}
            help={own.hints.title}
            onChange={set('title')}
          />
        ) : null}
        <LengthMeter part="title" text={text('title') + suffix} measures={measures} />
        {same === undefined ? null : (
          <p className={form.soft} role="status">
            {fill(own.hints.duplicate, { page: same })}
          </p>
        )}
      </div>
      <div className={styles.field}>
        {isTyped('description') ? (
          <TextareaField
            id={`search-${fieldId(block.id, 'description')}`}
            label={own.description}
            value={text('description')}
            max={200}
            help={own.hints.description}
            onChange={set('description')}
          />
        ) : null}
        <LengthMeter part="description" text={text('description')} measures={measures} />
      </div>
      <GoogleResult
        brand={brand}
        path={page.pattern.slice(1)}
        title={text('title') + suffix}
        description={text('description')}
        measures={measures}
      />
      <h3>{own.chatHeading}</h3>
      <ChatBubble
        picture={picture}
        title={text('title') + suffix}
        description={text('description')}
      />
      <Button tone="quiet" small onClick={() => onChoose(`${block.id}:`)}>
        {block.label}
      </Button>
    </section>
  )
}
