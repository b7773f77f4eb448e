// Whether the entries of the menu fit beside the name: reckoned where pages are made, so that the
// menu's button stands in their place without any script. The widths are those of header.module.css.

import type { Words } from '../content'

type Menu = Words['header.menu']

/** From so many letters on a name is long: it takes two lines. */
const longMin = 24
/** So many letters in one word would not fit a small phone at the size of a short name. */
const longWordMin = 16

/** In em of the entries' typeface, rather too much than too little. The first that holds a letter. */
const widths: readonly (readonly [RegExp, em: number])[] = [
  // On the page that is edited each entry tells where it comes from (`word-marks.ts`).
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

/** The typeface of the name is narrower than its 1.7rem say. */
const rem = { entry: 0.9, brand: 1.6, betweenEntries: 1.2, besideBrand: 1.5 }
/** What the bar holds from `width >= 60rem` and from `width >= 76rem` on, beside a wide scrollbar. */
const room = { narrow: 54, wide: 69 }

export function isLongName(brand: string): boolean {
  const words = brand.split(/\s+/)
  return brand.length > longMin || words.some((word) => word.length >= longWordMin)
}

/** `crowded`: on large screens alone; `full`: nowhere. */
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

/** A long one in two lines, none of them within a word. */
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
