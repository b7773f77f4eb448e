import { expect, test } from 'vitest'
import type { Item } from './page-data'
import { photos } from './testimonial-page-collections'

const image = { url: '/objects/uploads/a' }
const titleOf = (title: string | null) =>
  photos.slideOf({ id: 'a', title, description: null, image, updatedAt: '' } as Item<never>)?.title

test('a title that is only the name of the file is not shown', () => {
  for (const title of ['Foto IMG_4824.JPG', 'IMG_4824.jpeg', 'Foto WhatsApp Image 2026-05-01.webp'])
    expect(titleOf(title), title).toBe(null)
  for (const title of ['La sala di Como', 'Foto di gruppo', 'Alba n. 2'])
    expect(titleOf(title), title).toBe(title)
  expect(titleOf(null)).toBe(null)
})
