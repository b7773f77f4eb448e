// All thank-you letters and certificates, paginated.

import { type Shown, thanks } from '../collections'
import type { Input } from '../data'
import {
  type CollectionData,
  collectionMeta,
  collectionReads,
  collectionSlice,
} from '../sections/collection-page'
import { PictureCollection } from '../sections/media/picture-collection'

type Data = CollectionData<Shown>

export const reads = /* @__PURE__ */ collectionReads(thanks)

export const slice = (input: Input): Data => collectionSlice(thanks, input)

export const meta = (data: Data) => collectionMeta(thanks, data)

export function Page({ data }: { readonly data: Data }) {
  return <PictureCollection collection={thanks} data={data} look="framed" />
}
