// Drawing for a missing picture: ridges above a lake, different for each seed, so that no two
// places of the site look the same. Muted, it has one tint, no sun and no water.

import { classNames } from '../../../lib/class-names'
import styles from './placeholder-art.module.css'

type DrawingProps = {
  /** Names the place or the item that the drawing is for. */
  readonly seed: string
  readonly isQuiet: boolean
  readonly extraClass?: string | undefined
}

const palettes = [styles.dawn, styles.lake, styles.dusk]
/** Top and amplitude of each ridge, in the 400 by 300 view box. */
const ridges = [
  { top: 138, rise: 44 },
  { top: 172, rise: 32 },
  { top: 202, rise: 20 },
] as const
const water = 216
const waves = [
  { top: 252, rise: 12 },
  { top: 278, rise: 12 },
] as const

export function PlaceholderArt({ seed, isQuiet, extraClass }: DrawingProps) {
  const next = numbersOf(seed)
  const palette = palettes[Math.floor(next() * palettes.length)]
  const sun = Math.round(130 + next() * 140)
  const shown = isQuiet ? [...ridges, ...waves] : ridges
  return (
    <svg
      class={classNames(styles.drawing, isQuiet ? styles.quiet : palette, extraClass)}
      viewBox="0 0 400 300"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      data-drawing=""
    >
      {!isQuiet && <circle class={styles.glow} cx={sun} cy={112} r={96} />}
      {!isQuiet && <circle class={styles.sun} cx={sun} cy={112} r={20} />}
      {shown.map((ridge) => (
        <path d={outline(ridge, next)} key={ridge.top} />
      ))}
      {!isQuiet && <path class={styles.water} d={`M0 ${water}H400V300H0z`} />}
      {!isQuiet &&
        waves.map((wave) => <path class={styles.wave} d={outline(wave, next)} key={wave.top} />)}
    </svg>
  )
}

/** A smooth outline from edge to edge, closed at the bottom. */
function outline({ top, rise }: { top: number; rise: number }, next: () => number): string {
  const height = () => Math.round(top + (next() - 0.5) * 2 * rise)
  const first = height()
  let last = first
  const steps = Array.from({ length: 4 }, () => {
    const to = height()
    const by = to - last
    last = to
    return `c40 0 60 ${by} 100 ${by}`
  })
  return `M0 ${first}${steps.join('')}V300H0z`
}

/**
 * Pseudo-random numbers from 0 to 1 (mulberry32), the same for the same seed: rendering is
 * deterministic.
 */
function numbersOf(seed: string): () => number {
  let state = 0x811c9dc5
  for (let index = 0; index < seed.length; index++)
    state = Math.imul(state ^ seed.charCodeAt(index), 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
