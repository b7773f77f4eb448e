// A whole collection of pictures, paginated.

import { useState } from 'preact/hooks'
import type { Collection, Shown } from '../../testimonial-page-collections'
import { useContent } from '../../use-content'
import { type CollectionData, CollectionPage } from '../collection-page'
import { Lightbox } from './lightbox'
import { type Look, PictureItems } from './picture-items'

type PictureCollectionProps = {
  readonly collection: Collection<Shown>
  readonly data: CollectionData<Shown>
  readonly look: Look
}

export function PictureCollection({ collection, data, look }: PictureCollectionProps) {
  const [open, setOpen] = useState<number | null>(null)
  const { items } = data.slides
  const { title } = useContent(collection.words)
  return (
    <>
      <CollectionPage collection={collection} part={data.part}>
        <PictureItems items={items} title={title} look={look} onOpen={setOpen} />
      </CollectionPage>
      {open !== null && <Lightbox pictures={items} start={open} onClose={() => setOpen(null)} />}
    </>
  )
}
