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

/**
 * The `object-position`, in percent, that puts the focal point in the middle of what a frame shows,
 * or as near to it as the picture's edge allows; `visible` is the part that is not cut away. Where
 * nothing is cut it is the point itself: another screen's frame may cut there after all.
 */
export function cropPosition(focus: number, visible: number): number {
  if (visible >= 1) return focus
  return Math.min(100, Math.max(0, (focus - visible * 50) / (1 - visible)))
}

/** The parts of a picture, across and down, that a frame of this width over height shows. */
export function visibleParts(picture: Pick<Picture, 'width' | 'height'>, frame: number) {
  const ratio = picture.width / picture.height
  return { across: Math.min(1, frame / ratio), down: Math.min(1, ratio / frame) }
}

/** The nearest of eleven steps, because a class can say a step but not a number. */
export function focusStep(percent: number): number {
  return Math.min(10, Math.max(0, Math.round(percent / 10)))
}

/** A picture is never drawn at more than this many times its pixels: it would be a blur. */
export const magnificationMax = 2

/** Whether a frame that grows to `widestPx` asks for more than the picture has. */
export function isTooSmall(
  picture: Pick<Picture, 'width' | 'height'>,
  frame: number,
  widestPx: number,
): boolean {
  const scale = Math.max(widestPx / picture.width, widestPx / frame / picture.height)
  return scale > magnificationMax
}

/** `sizes` for a picture that stands free on its mat, as wide as it may be drawn. */
export function matSizes(picture: Picture): string {
  return `min(100vw, ${picture.width * magnificationMax}px)`
}

/** Width over height of the frames that fill themselves; the panel shows what each cuts. */
export const frameByPlace = {
  /** Beside its words a card is taller; `cardSizes` allows for it. */
  card: 3 / 2,
  eventHead: 4 / 3,
  articleHead: 16 / 9,
  /** As on a computer; a telephone's is taller and crops nothing of a tall picture. */
  hero: 8 / 5,
  portrait: 4 / 5,
  scene: 4 / 3,
  /** The two cards of the home page that say for whom. */
  audience: 16 / 10,
  opening: 16 / 9,
  /** Beside the words of a page's opening, and below them. */
  openingArch: 4 / 3,
  openingBand: 2,
  social: 1200 / 630,
} as const

/** How wide those frames get at most; all others are as wide as a card over the whole of a small tablet. */
export const widestPxByPlace = {
  card: 706,
  eventHead: 1000,
  articleHead: 960,
  hero: 1920,
  opening: 1600,
  openingArch: 736,
  openingBand: 1152,
} as const

/** The shape of frame that loses nothing of a picture, or little: classes can say a step but not a number. */
export type Shape = 'tall' | 'square' | 'broad' | 'wide' | 'strip'

/** Width over height of each shape, as in `picture-shape.module.css`. */
export const frameByShape = {
  tall: 4 / 5,
  square: 1,
  broad: 5 / 4,
  wide: 3 / 2,
  strip: 2,
} as const satisfies Readonly<Record<Shape, number>>

export function shapeOf(picture: Pick<Picture, 'width' | 'height'>): Shape {
  const ratio = picture.width / picture.height
  if (ratio < 0.9) return 'tall'
  if (ratio < 1.12) return 'square'
  if (ratio < 1.37) return 'broad'
  return ratio < 1.75 ? 'wide' : 'strip'
}
