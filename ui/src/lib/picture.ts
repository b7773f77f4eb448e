// An uploaded picture as the server describes it, and the addresses of its variants.

export type Picture = {
  readonly url: string
  readonly width: number
  readonly height: number
  /** A tiny blur as a `data:` address. */
  readonly placeholder: string
  /** Null while nobody has written one; empty for a decoration. */
  readonly alt: string | null
  readonly focusX: number
  readonly focusY: number
  readonly widths: readonly number[]
  readonly formats: readonly string[]
  readonly social: string
}

const endingByFormat: Readonly<Record<string, string>> = { webp: 'webp', jpeg: 'jpg' }

/** The `srcset` of one format. */
export function sourceSet(picture: Picture, format: 'webp' | 'jpeg'): string {
  const ending = endingByFormat[format]
  return picture.widths.map((width) => `${picture.url}/${width}.${ending} ${width}w`).join(', ')
}

/** What a browser without `srcset` gets: the widest variant up to 1280 px, else the picture. */
export function plainSource(picture: Picture): string {
  const width = picture.widths.filter((candidate) => candidate <= 1280).at(-1)
  return width === undefined ? picture.url : `${picture.url}/${width}.jpg`
}

/** `sizes` for a picture that fills a frame of this width over height: what it crops at the sides is wider. */
export function fillingSizes(sizes: string, picture: Picture, frame: number): string {
  const wider = Math.max(1, picture.width / picture.height / frame)
  return sizes.replace(
    /([\d.]+)(rem|vw)(?=,|$)/g,
    (_, length: string, unit: string) => `${Math.round(Number(length) * wider * 10) / 10}${unit}`,
  )
}

/** The nearest of eleven steps, because a class can say a step but not a number. */
export function focusStep(percent: number): number {
  return Math.min(10, Math.max(0, Math.round(percent / 10)))
}
