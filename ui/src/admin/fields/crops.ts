// Which frames cut a picture, as visitors see them: one table for what the panel shows beside the
// point that is not cut.

import {
  cropPosition,
  focusStep,
  frameByPlace,
  frameByShape,
  isTooSmall,
  shapeOf,
  visibleParts,
} from '../../lib/picture'
import type { Kind } from '../schema'
import { pictureWords as words } from './picture-words'

export type Size = { readonly width: number; readonly height: number }
export type Point = { readonly x: number; readonly y: number }

/** A frame that cuts: the ratio the page reckons with, and the one it has on that screen. */
export type Crop = { readonly label: string; readonly frame: number; readonly seen: number }

/** Below this width the page draws a picture smaller than its place. */
export const smallBelowPx = 800
const iconBelowPx = 200
const tallBelow = 0.7
const wideAbove = 2

/** As `Picture::focus` of the server: what nobody chose is the upper part of a tall picture. */
const centre: Point = { x: 50, y: 50 }
const tallPoint: Point = { x: 50, y: 22 }

const {
  card,
  social,
  eventHead,
  articleHead,
  hero,
  portrait,
  scene,
  opening,
  openingArch,
  openingBand,
} = frameByPlace
const cardCrop = { label: words.cardCropLabel, frame: card, seen: card }
const shareCrop = { label: words.shareCropLabel, frame: social, seen: social }

const cropsByKind: Readonly<Partial<Record<Kind, readonly Crop[]>>> = {
  events: [
    { label: words.wideCropLabel, frame: eventHead, seen: 1.23 },
    { label: words.phoneCropLabel, frame: eventHead, seen: eventHead },
    cardCrop,
    shareCrop,
  ],
  blog: [
    { label: words.wideCropLabel, frame: articleHead, seen: articleHead },
    cardCrop,
    shareCrop,
  ],
}

/** Where letters and clippings stand, they stand whole. */
const wholeKinds: readonly Kind[] = ['special-thanks', 'media-features']

/** The cuts of an item's picture; none where it is shown whole. */
export function cropsOf(kind: Kind, size: Size): readonly Crop[] {
  if (wholeKinds.includes(kind)) return []
  const tile = frameByShape[shapeOf(size)]
  return cropsByKind[kind] ?? [{ ...cardCrop, frame: tile, seen: tile }]
}

const heroCrops: readonly Crop[] = [
  { label: words.wideCropLabel, frame: hero, seen: hero },
  { label: words.phoneCropLabel, frame: hero, seen: 0.65 },
]
const one = (frame: number): readonly Crop[] => [{ ...cardCrop, frame, seen: frame }]

/** By the name of a setting, or of a field with its block: the first that fits. Whole pictures have none. */
const siteCrops: readonly (readonly [RegExp, readonly Crop[]])[] = [
  [/heroImage|picture(One|Two)/, heroCrops],
  [/portrait/, [...one(portrait), shareCrop]],
  [/contatti\.hero/, one(opening)],
  [/(eventi|testimonianze)\.hero/, one(openingArch)],
  [/(blog|servizi|rebirthing)\.hero/, one(openingBand)],
  [/home|rebirthing/, one(scene)],
]

/** The cuts of the site's own pictures. */
export function siteCropsOf(name: string): readonly Crop[] {
  return siteCrops.find(([places]) => places.test(name))?.[1] ?? []
}

/** The cuts inside an article: one that is taller than a screen, and those of a gallery. */
export function textCropsOf(size: Size, inGallery: boolean): readonly Crop[] {
  if (inGallery) return one(scene)
  return size.width / size.height < portrait ? one(portrait) : []
}

export function proposedPoint({ width, height }: Size): Point {
  return height > width ? tallPoint : centre
}

/** The point that counts: what stands at the centre was not chosen. */
export function pointOf(chosen: Point, size: Size): Point {
  return chosen.x === centre.x && chosen.y === centre.y ? proposedPoint(size) : chosen
}

/** The `object-position` of a cut, in percent, as pages say it: in steps that a class can say. */
export function positionOf({ frame }: Crop, point: Point, size: Size): Point {
  const { across, down } = visibleParts(size, frame)
  const step = (focus: number, visible: number) => focusStep(cropPosition(focus, visible)) * 10
  return { x: step(point.x, across), y: step(point.y, down) }
}

/** How much of a cut a picture fills that is too small for it, from 0 to 1. */
export function fillOf({ frame }: Crop, size: Size): number {
  return isTooSmall(size, frame, smallBelowPx) ? (size.width * 2) / smallBelowPx : 1
}

export function isExtreme({ width, height }: Size): boolean {
  return width / height < tallBelow || width / height > wideAbove
}

/** What is worth saying of a picture of this size, in words. */
export function warningsOf({ width, height }: Size, isCut: boolean): readonly string[] {
  const size = { width: String(width), height: String(height), min: String(smallBelowPx) }
  const fill = (text: string) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => size[name as keyof typeof size])
  const small = width < iconBelowPx ? words.tinyWarningText : words.smallWarningText
  return [
    ...(width < smallBelowPx ? [fill(small)] : []),
    ...(isCut && width / height < tallBelow ? [words.tallWarningText] : []),
    ...(isCut && width / height > wideAbove ? [words.wideWarningText] : []),
  ]
}
