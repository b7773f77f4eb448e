// Which frames cut a picture, as visitors see them: one table for what the panel shows beside the
// point that is not cut.

import {
  cropPosition,
  focusStep,
  frameByPlace,
  frameByShape,
  isTooSmall,
  magnificationMax,
  shapeOf,
  visibleParts,
  widestPxByPlace as widest,
} from '../../../lib/picture'
import type { Kind } from '../../api/schema'
import { pictureMessages as words } from './picture-messages'

export type Size = { readonly width: number; readonly height: number }
export type Point = { readonly x: number; readonly y: number }

/** A frame that cuts: the ratio the page reckons with, and the one it has on that screen. */
export type Crop = {
  readonly label: string
  readonly frame: number
  readonly seen: number
  /** What is filled there, and how wide that gets; nothing where the program fills it in any case. */
  readonly place?: string
  readonly widestPx?: number
  /** How wide it is there, where that is less. */
  readonly seenPx?: number
}

/** Below this width a picture is worth a word wherever it stands. */
const smallBelowPx = 800
const iconBelowPx = 200
const tallBelow = 0.7
const wideAbove = 2
const phonePx = 390

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
  audience,
  opening,
  openingArch,
  openingBand,
} = frameByPlace
const inCard = { place: words.cardPlace, widestPx: widest.card }
const cardCrop: Crop = { label: words.cardCropLabel, frame: card, seen: card, ...inCard }
const shareCrop: Crop = { label: words.shareCropLabel, frame: social, seen: social }
const inHead = (widestPx: number) => ({ place: words.headPlace, widestPx })
const inOpening = (widestPx: number) => ({ place: words.openingPlace, widestPx })

type Place = Pick<Crop, 'place' | 'widestPx'>

function onDesk(frame: number, seen: number, place: Place): Crop {
  return { label: words.wideCropLabel, frame, seen, ...place }
}

function onPhone(frame: number, seen: number, place: Place): Crop {
  return { label: words.phoneCropLabel, frame, seen, ...place, seenPx: phonePx }
}

const cropsByKind: Readonly<Partial<Record<Kind, readonly Crop[]>>> = {
  events: [
    onDesk(eventHead, 1.23, inHead(widest.eventHead)),
    onPhone(eventHead, eventHead, inHead(widest.eventHead)),
    cardCrop,
    shareCrop,
  ],
  blog: [onDesk(articleHead, articleHead, inHead(widest.articleHead)), cardCrop, shareCrop],
}

/** Where letters and clippings stand, they stand whole. */
const wholeKinds: readonly Kind[] = ['special-thanks', 'media-features']

/** The cuts of an item's picture; none where it is shown whole. */
export function cropsOf(kind: Kind, size: Size): readonly Crop[] {
  if (wholeKinds.includes(kind)) return []
  const tile = frameByShape[shapeOf(size)]
  return cropsByKind[kind] ?? [{ ...cardCrop, frame: tile, seen: tile }]
}

/** Its frame is another one on a telephone. */
function openingOf(frame: number, seen: number, seenOnPhone: number, widestPx: number) {
  const place = inOpening(widestPx)
  return [onDesk(frame, seen, place), onPhone(frame, seenOnPhone, place)]
}

const one = (frame: number): readonly Crop[] => [{ ...cardCrop, frame, seen: frame }]

/** By the name of a setting, or of a field with its block: the first that fits. Whole pictures have none. */
const siteCrops: readonly (readonly [RegExp, readonly Crop[]])[] = [
  [/heroImage|picture(One|Two)/, openingOf(hero, hero, 0.65, widest.hero)],
  [/portrait/, [...one(portrait), shareCrop]],
  [/contatti\.hero/, openingOf(opening, 2.03, 1.38, widest.opening)],
  [
    /(eventi|testimonianze)\.hero/,
    [onDesk(openingArch, openingArch, inOpening(widest.openingArch))],
  ],
  [
    /(blog|servizi|rebirthing)\.hero/,
    [onDesk(openingBand, openingBand, inOpening(widest.openingBand))],
  ],
  [/home/, one(audience)],
  [/rebirthing|flip-cards/, one(scene)],
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

/** The proportions of cuts, each place once. */
export function ratiosOf(crops: readonly Crop[]): readonly { label: string; ratio: number }[] {
  const byLabel = new Map(crops.map(({ label, seen }) => [label, seen]))
  return [...byLabel].map(([label, ratio]) => ({ label, ratio }))
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
export function coverage({ frame, widestPx = 0, seenPx = widestPx }: Crop, size: Size): number {
  if (!isTooSmall(size, frame, widestPx)) return 1
  return Math.min(0.99, (size.width * magnificationMax) / seenPx)
}

/** How wide a picture of these proportions has to be to fill a frame. */
function leastPx({ frame, widestPx = 0 }: Crop, { width, height }: Size): number {
  return Math.ceil((Math.max(1, width / height / frame) * widestPx) / magnificationMax)
}

export function isExtreme({ width, height }: Size): boolean {
  return width / height < tallBelow || width / height > wideAbove
}

/** What is worth saying of a picture of this size, in words. */
export function warningsOf(size: Size, crops: readonly Crop[], isCut: boolean): readonly string[] {
  const { width, height } = size
  return [
    ...smallWarnings(size, crops),
    ...(isCut && width / height < tallBelow ? [words.tallWarningText] : []),
    ...(isCut && width / height > wideAbove ? [words.wideWarningText] : []),
  ]
}

/** For which of its places it is too small; where it fills them all, what is seen of its few pixels. */
function smallWarnings(size: Size, crops: readonly Crop[]): readonly string[] {
  const { width, height } = size
  const unfilled = crops.filter(({ frame, widestPx = 0 }) => isTooSmall(size, frame, widestPx))
  const places = [...new Set(unfilled.map(({ place }) => place))].join(words.placesBetween)
  const least = Math.max(...unfilled.map((crop) => leastPx(crop, size)))
  const fill = (text: string, min: number) =>
    text
      .replace('{width}', `${width}`)
      .replace('{height}', `${height}`)
      .replace('{places}', places)
      .replace('{min}', `${min}`)
  if (width < iconBelowPx) return [fill(words.tinyWarningText, least)]
  if (unfilled.length > 0) return [fill(words.smallWarningText, least)]
  return width < smallBelowPx ? [fill(words.coarseWarningText, smallBelowPx)] : []
}
