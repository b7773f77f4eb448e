// All photographs, paginated.

import type { Input } from '../page-data'
import {
  type CollectionData,
  collectionMeta,
  collectionReads,
  collectionSlice,
} from '../sections/collection-page'
import { PictureCollection } from '../sections/media/picture-collection'
import { photos, type Shown } from '../testimonial-page-collections'

type Data = CollectionData<Shown>

export const reads = /* @__PURE__ */ collectionReads(photos)

export const slice = (input: Input): Data => collectionSlice(photos, input)

export const meta = (data: Data) => collectionMeta(photos, data)

export function Page({ data }: { readonly data: Data }) {
  return <PictureCollection collection={photos} data={data} look="arched" />
}
