// All thank-you letters and certificates, paginated.

import type { Input } from '../page-data'
import {
  type CollectionData,
  collectionMeta,
  collectionReads,
  collectionSlice,
} from '../sections/collection-page'
import { PictureCollection } from '../sections/media/picture-collection'
import { type Shown, thanks } from '../testimonial-page-collections'

type Data = CollectionData<Shown>

export const reads = /* @__PURE__ */ collectionReads(thanks)

export const slice = (input: Input): Data => collectionSlice(thanks, input)

export const meta = (data: Data) => collectionMeta(thanks, data)

export function Page({ data }: { readonly data: Data }) {
  return <PictureCollection collection={thanks} data={data} look="framed" />
}
