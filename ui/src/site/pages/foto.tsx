// All photographs, paginated.

import { photos, type Shown } from '../collections'
import type { Input } from '../data'
import {
  type CollectionData,
  collectionMeta,
  collectionReads,
  collectionSlice,
} from '../sections/collection-page'
import { PictureCollection } from '../sections/media/picture-collection'

type Data = CollectionData<Shown>

export const reads = /* @__PURE__ */ collectionReads(photos)

export const slice = (input: Input): Data => collectionSlice(photos, input)

export const meta = (data: Data) => collectionMeta(photos, data)

export function Page({ data }: { readonly data: Data }) {
  return <PictureCollection collection={photos} data={data} look="arched" />
}
