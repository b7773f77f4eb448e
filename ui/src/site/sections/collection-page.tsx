// A whole collection, paginated; the carousels link to it.

import type { ComponentChildren } from 'preact'
import { classNames } from '../../lib/class-names'
import { type PageMeta, routeMeta } from '../meta'
import { found, type Input, type Read, type SiteData, siteOf } from '../page-data'
import { type Addresses, type Part, partMeta, partOf, partSize } from '../pagination'
import {
  type Collection,
  firstSlides,
  type Slides,
  slidesOf,
} from '../testimonial-page-collections'
import { useContent } from '../use-content'
import styles from './collection-page.module.css'
import { ListHeader } from './list-header'
import { Pager } from './pager'
import parts from './shared.module.css'

export type CollectionData<Slide> = SiteData & {
  readonly slides: Slides<Slide>
  readonly part: Part
}

type Named = Pick<Collection<unknown>, 'path' | 'words'>

function addressesOf(path: string): Addresses {
  return { first: path, rest: `${path}/{n}` }
}

export function collectionReads({ kind, path, fields }: Collection<unknown>): readonly Read[] {
  const { rest } = addressesOf(path)
  const how = 'parts'
  return [{ name: 'slides', of: kind, how, size: partSize, rest, over: firstSlides, fields }]
}

export function collectionSlice<Slide>(
  collection: Collection<Slide>,
  input: Input,
): CollectionData<Slide> {
  const slides = found(input, 'slides', collection.kind)
  return {
    ...siteOf(input),
    slides: slidesOf(collection, slides),
    part: partOf(input, slides),
  }
}

export function collectionMeta(
  { path, words: id }: Named,
  data: SiteData & { readonly part: Part },
): PageMeta {
  const list = routeMeta('testimonianze', data)
  const words = data.words[id]
  const whole = {
    ...list,
    title: words.title,
    description: words.text,
    breadcrumbs: [...(list.breadcrumbs ?? []), { name: words.title, path }],
  }
  return partMeta(whole, addressesOf(path), data.part)
}

type CollectionPageProps = {
  readonly collection: Named
  readonly part: Part
  /** Shown after the list. */
  readonly note?: ComponentChildren
  /** List items. */
  readonly children: ComponentChildren
}

export function CollectionPage({ collection, part, note, children }: CollectionPageProps) {
  const { path } = collection
  const words = useContent(collection.words)
  const lists = useContent('testimonianze.lists')
  const back = { href: '/testimonianze', label: lists.back }
  return (
    <>
      <ListHeader title={words.title} text={words.text} back={back} />
      <section class={classNames(parts.band, styles.band)} aria-label={words.title}>
        <div class={parts.wrap}>
          <ul class={styles.grid}>{children}</ul>
          <Pager addresses={addressesOf(path)} part={part} />
          {note}
        </div>
      </section>
    </>
  )
}
