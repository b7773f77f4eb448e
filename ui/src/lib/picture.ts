// Type of an uploaded picture as the server describes it, the URLs of its variants, and the geometry of its frames.

export type Picture = {
  readonly url: string
  readonly width: number
  readonly height: number
  /** Tiny blurred preview as a `data:` URL. */
  readonly placeholder: string
  /** Alternative text: null if not written yet, empty for a decorative picture. */
  readonly alt: string | null
  readonly focusX: number
  readonly focusY: number
  readonly widths: readonly number[]
  readonly formats: readonly string[]
  readonly social: string
}

const endingByFormat: Readonly<Record<string, string>> = { webp: 'webp', jpeg: 'jpg' }

/** Returns the `srcset` of one format. */
export function sourceSet(picture: Picture, format: 'webp' | 'jpeg'): string {
  const ending = endingByFormat[format]
  return picture.widths.map((width) => `${picture.url}/${width}.${ending} ${width}w`).join(', ')
}

/** Returns the `src` for browsers without `srcset`: the widest variant up to 1280 px, else the original. */
export function plainSource(picture: Picture): string {
  const width = picture.widths.filter((candidate) => candidate <= 1280).at(-1)
  return width === undefined ? picture.url : `${picture.url}/${width}.jpg`
}

/** Returns `sizes` for a picture that fills a frame with this aspect ratio: wider if its sides are cut. */
export function fillingSizes(sizes: string, picture: Picture, frame: number): string {
  const wider = Math.max(1, picture.width / picture.height / frame)
  return sizes.replace(
    /([\d.]+)(rem|vw)(?=,|$)/g,
    (_, length: string, unit: string) => `${Math.round(Number(length) * wider * 10) / 10}${unit}`,
  )
}

/**
 * Returns the `object-position`, in percent, that centres the focal point in the frame, or as near as the edge of the
 * picture allows. `visible` is the share of the picture that is not cut away. If nothing is cut, returns the focal
 * point itself, because the frame on another screen may cut there.
 */
export function cropPosition(focus: number, visible: number): number {
  if (visible >= 1) return focus
  return Math.min(100, Math.max(0, (focus - visible * 50) / (1 - visible)))
}

/** Returns the shares of the picture's width and height that a frame with this aspect ratio shows. */
export function visibleParts(picture: Pick<Picture, 'width' | 'height'>, frame: number) {
  const ratio = picture.width / picture.height
  return { across: Math.min(1, frame / ratio), down: Math.min(1, ratio / frame) }
}

/** Rounds to one of eleven steps, because the style sheet has a rule for each step. */
export function focusStep(percent: number): number {
  return Math.min(10, Math.max(0, Math.round(percent / 10)))
}

/** Largest magnification of a picture's pixels; beyond it the picture looks blurred. */
export const magnificationMax = 2

/** Whether a frame with this aspect ratio and width `widestPx` exceeds `magnificationMax`. */
export function isTooSmall(
  picture: Pick<Picture, 'width' | 'height'>,
  frame: number,
  widestPx: number,
): boolean {
  const scale = Math.max(widestPx / picture.width, widestPx / frame / picture.height)
  return scale > magnificationMax
}

/** Returns `sizes` for a small picture on a mat: the width at `magnificationMax`. */
export function matSizes(picture: Picture): string {
  return `min(100vw, ${picture.width * magnificationMax}px)`
}

/** Aspect ratios (width over height) of the frames that crop; the admin panel previews the crop of each. */
export const frameByPlace = {
  /** A card with the picture beside its text is taller; `cardSizes` accounts for that. */
  card: 3 / 2,
  eventHead: 4 / 3,
  articleHead: 16 / 9,
  /** On wide screens; on phones the frame is taller and does not crop a tall picture. */
  hero: 8 / 5,
  portrait: 4 / 5,
  scene: 4 / 3,
  /** The two target audience cards of the home page. */
  audience: 16 / 10,
  opening: 16 / 9,
  /** Beside the text of a page's opening; `openingBand` is below the text. */
  openingArch: 4 / 3,
  openingBand: 2,
  social: 1200 / 630,
} as const

/** Largest width of these frames in px; all other frames are as wide as a card across a small tablet. */
export const widestPxByPlace = {
  card: 706,
  eventHead: 1000,
  articleHead: 960,
  hero: 1920,
  opening: 1600,
  openingArch: 736,
  openingBand: 1152,
} as const

/** Frame shape that crops little of a picture; five steps, because the style sheet has a class for each. */
export type Shape = 'tall' | 'square' | 'broad' | 'wide' | 'strip'

/** Aspect ratio (width over height) of each shape, as in `picture-shape.module.css`. */
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
