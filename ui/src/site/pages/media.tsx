// All press mentions, paginated.

import type { Input } from '../page-data'
import {
  type CollectionData,
  collectionMeta,
  collectionReads,
  collectionSlice,
} from '../sections/collection-page'
import { PictureCollection } from '../sections/media/picture-collection'
import { mentions, type Shown } from '../testimonial-page-collections'

type Data = CollectionData<Shown>

export const reads = /* @__PURE__ */ collectionReads(mentions)

export const slice = (input: Input): Data => collectionSlice(mentions, input)

export const meta = (data: Data) => collectionMeta(mentions, data)

export function Page({ data }: { readonly data: Data }) {
  return <PictureCollection collection={mentions} data={data} look="clipping" />
}
