// All testimonials, paginated.

import type { Input } from '../page-data'
import { disclosureId, type Testimonial, TestimonialCard } from '../sections/cards/testimonial-card'
import {
  type CollectionData,
  CollectionPage,
  collectionMeta,
  collectionReads,
  collectionSlice,
} from '../sections/collection-page'
import { TextLink } from '../sections/links'
import { testimonials } from '../testimonial-page-collections'
import { useContent } from '../use-content'

type Data = CollectionData<Testimonial>

export const reads = /* @__PURE__ */ collectionReads(testimonials)

export const slice = (input: Input): Data => collectionSlice(testimonials, input)

export const meta = (data: Data) => collectionMeta(testimonials, data)

function Disclosure() {
  const { link } = useContent('testimonianze.disclosure')
  return link === '' ? null : <TextLink href={`/testimonianze#${disclosureId}`}>{link}</TextLink>
}

export function Page({ data }: { readonly data: Data }) {
  return (
    <CollectionPage collection={testimonials} part={data.part} note={<Disclosure />}>
      {data.slides.items.map((item) => (
        <li key={item.id}>
          <TestimonialCard item={item} />
        </li>
      ))}
    </CollectionPage>
  )
}
