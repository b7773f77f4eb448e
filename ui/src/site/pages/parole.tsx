// All the words of those who took part.

import { testimonials } from '../collections'
import type { Input } from '../data'
import {
  type CollectionData,
  CollectionPage,
  collectionMeta,
  collectionReads,
  collectionSlice,
} from '../sections/collection-page'
import { type Testimonial, TestimonialCard } from '../sections/testimonial-card'

type Data = CollectionData<Testimonial>

export const reads = /* @__PURE__ */ collectionReads(testimonials)

export const slice = (input: Input): Data => collectionSlice(testimonials, input)

export const meta = (data: Data) => collectionMeta(testimonials, data)

export function Page({ data }: { readonly data: Data }) {
  return (
    <CollectionPage collection={testimonials} part={data.part}>
      {data.slides.items.map((item) => (
        <li key={item.id}>
          <TestimonialCard item={item} />
        </li>
      ))}
    </CollectionPage>
  )
}
