// Measures how strong the scrim between a photograph and the text over it has to be, at this size of the window.

/** Colour of the scrim, as in `hero.module.css`. */
const tone = [10, 40, 42] as const

/** Enough for white text on snow; the style sheet has it until the photographs are measured. */
export const strengthMax = 0.64

/** Keeps the text calm over a photograph that is dark enough by itself. */
export const strengthMin = 0.2

/** Slightly more than WCAG AA, because a sample averages neighbouring pixels. */
const contrast = 4.8
const groundMax = 1.05 / contrast - 0.05

/** Window pixels per sample, in each direction. */
const samplePx = 2

/** What the practitioner adds to the measured strength. */
const extraByChoice: { readonly [choice: string]: number } = { darker: 0.15, darkest: 0.3 }
const darkestMax = 0.85

type Box = Pick<DOMRect, 'left' | 'top' | 'width' | 'height'>

function luminance(red: number, green: number, blue: number): number {
  const linear = (byte: number) => {
    const part = byte / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** Returns the smallest opacity of the scrim, in steps of 0.02, with which white text is readable on all pixels. */
export function scrimStrength(rgba: ArrayLike<number>): number {
  let [brightest, at] = [0, 0]
  for (let index = 0; index < rgba.length; index += 4) {
    const [red = 0, green = 0, blue = 0] = [rgba[index], rgba[index + 1], rgba[index + 2]]
    const value = 0.2126 * red * red + 0.7152 * green * green + 0.0722 * blue * blue
    if (value > brightest) [brightest, at] = [value, index]
  }
  for (let strength = strengthMin; strength < strengthMax; strength += 0.02) {
    const over = (part: 0 | 1 | 2) =>
      (rgba[at + part] ?? 0) * (1 - strength) + tone[part] * strength
    if (luminance(over(0), over(1), over(2)) <= groundMax) return strength
  }
  return strengthMax
}

/** Returns the strength for the part of a loaded image that is behind the boxes; the image covers its own box. */
function strengthOver(image: HTMLImageElement, boxes: readonly Box[]): number {
  const { naturalWidth, naturalHeight, ownerDocument: page } = image
  const frame = image.getBoundingClientRect()
  const scale = Math.max(frame.width / naturalWidth, frame.height / naturalHeight)
  const [x = 50, y = 50] = (page.defaultView?.getComputedStyle(image).objectPosition ?? '')
    .split(' ')
    .map(Number.parseFloat)
  const left = frame.left + ((frame.width - naturalWidth * scale) * x) / 100
  const top = frame.top + ((frame.height - naturalHeight * scale) * y) / 100
  return boxes.reduce((most, box) => {
    const [width, height] = [box.width / samplePx, box.height / samplePx].map(Math.ceil)
    if (!width || !height) return most
    const canvas = Object.assign(page.createElement('canvas'), { width, height })
    const context = canvas.getContext('2d', { willReadFrequently: true })
    if (context === null) return strengthMax
    context.drawImage(
      image,
      (left - box.left) / samplePx,
      (top - box.top) / samplePx,
      (naturalWidth * scale) / samplePx,
      (naturalHeight * scale) / samplePx,
    )
    return Math.max(most, scrimStrength(context.getImageData(0, 0, width, height).data))
  }, strengthMin)
}

/**
 * Sets `--veil` and `--veil-top` of an opening, the strengths behind its text and behind the menu. They stay at the
 * maximum until all its photographs are loaded.
 */
export async function fitScrim(opening: HTMLElement): Promise<void> {
  const images = [...opening.querySelectorAll<HTMLImageElement>('img:not([aria-hidden])')]
  await Promise.all(images.map((image) => image.decode()))
  const { left, top, width } = opening.getBoundingClientRect()
  const range = opening.ownerDocument.createRange()
  const words = [...opening.querySelectorAll('h1, p, a')].map((element) => {
    range.selectNodeContents(element)
    return range.getBoundingClientRect()
  })
  const menu = { left, top, width, height: menuPx }
  for (const [name, boxes] of [
    ['--veil', words],
    ['--veil-top', [menu]],
  ] as const) {
    const measured = Math.max(...images.map((image) => strengthOver(image, boxes)))
    const extra = extraByChoice[opening.dataset.scrim ?? ''] ?? 0
    const strength = Math.min(measured + extra, darkestMax)
    opening.style.setProperty(name, `${Math.round(strength * 100) / 100}`)
  }
}

/** Height of the menu over the opening. */
const menuPx = 72
