// Estimates whether the menu entries fit beside the site's name. The renderer decides, so that the
// menu button replaces the entries without a script. The sizes match header.module.css.

import type { Words } from '../content/blocks'

type Menu = Words['header.menu']

/** A name with more letters than this takes two lines. */
const longMin = 24
/** A word with this many letters does not fit on a small phone at the size of a short name. */
const longWordMin = 16

/** Width of a letter in em of the menu's typeface, rounded up. The first match applies. */
const widths: readonly (readonly [RegExp, em: number])[] = [
  // Invisible source markers, which each entry has in the editor (`lib/content-source-map.ts`).
  [/[\u200b\u200c\u2063]/, 0],
  [/[ilìjI.,:;'’|\s]/, 0.28],
  [/[rtf!()[\]1-]/, 0.4],
  [/[ksxJ/]/, 0.5],
  [/[aàcehnuvyzèéù]/, 0.55],
  [/[MWOQGmw@]/, 0.9],
  [/[a-zà-ÿ0-9?–]/, 0.62],
  [/[A-ZÀ-Þ&]/, 0.73],
]
const unknownEm = 1.2

/** `brand` is below the 1.7rem of the style sheet, because the name's typeface is narrower. */
const rem = { entry: 0.9, brand: 1.6, betweenEntries: 1.2, besideBrand: 1.5 }
/** Room in the bar from `width >= 60rem` and from `width >= 76rem`, beside a wide scrollbar. */
const room = { narrow: 54, wide: 69 }

export function isLongName(brand: string): boolean {
  const words = brand.split(/\s+/)
  return brand.length > longMin || words.some((word) => word.length >= longWordMin)
}

/** `roomy`: from 60rem; `crowded`: on large screens only; `full`: nowhere. */
export function fitOf({ left, right }: Menu, brand: string): 'roomy' | 'crowded' | 'full' {
  const sides = [left, right].map(
    (entries) =>
      entries.reduce((sum, { label }) => sum + emOf(label), 0) * rem.entry +
      (entries.length - 1) * rem.betweenEntries,
  )
  const name = nameEm(brand) * rem.brand
  const whole = sides.reduce((sum, side) => sum + side, name + 2 * rem.besideBrand)
  if (whole <= room.narrow) return 'roomy'
  return whole <= room.wide ? 'crowded' : 'full'
}

/** Width of the name; a long one breaks into two lines, but not within a word. */
function nameEm(brand: string): number {
  if (!isLongName(brand)) return emOf(brand)
  return Math.max(0.6 * emOf(brand), ...brand.split(/\s+/).map(emOf))
}

function emOf(text: string): number {
  return [...text].reduce((sum, letter) => sum + letterEm(letter), 0)
}

function letterEm(letter: string): number {
  return widths.find(([letters]) => letters.test(letter))?.[1] ?? unknownEm
}
