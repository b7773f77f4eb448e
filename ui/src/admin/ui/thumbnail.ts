// Chooses the smallest stored size of an image that is sharp at a given width.
import type { Picture } from '../api/schema'

export function thumbnailUrl(picture: Picture | null | undefined, width: number): string | null {
  if (picture === null || picture === undefined) return null
  const enough = picture.widths.find((one) => one >= width * 2) ?? picture.widths.at(-1)
  return enough === undefined ? picture.url : `${picture.url}/${enough}.webp`
}
