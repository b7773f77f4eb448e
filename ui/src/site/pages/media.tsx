// All press mentions, paginated.

import { mentions, type Shown } from '../collections'
import type { Input } from '../data'
import {
  type CollectionData,
  collectionMeta,
  collectionReads,
  collectionSlice,
} from '../sections/collection-page'
import { PictureCollection } from '../sections/media/picture-collection'

type Data = CollectionData<Shown>

export const reads = /* @__PURE__ */ collectionReads(mentions)

export const slice = (input: Input): Data => collectionSlice(mentions, input)

export const meta = (data: Data) => collectionMeta(mentions, data)

export function Page({ data }: { readonly data: Data }) {
  return <PictureCollection collection={mentions} data={data} look="clipping" />
}
