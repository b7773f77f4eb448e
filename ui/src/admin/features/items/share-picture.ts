// Draws the pictures that announce an event: a post, a story and a sheet of paper. All three are one layout, 1,080 units
// wide, of different height.
import { cropPosition, magnificationMax, visibleParts } from '../../../lib/picture'

export type ShareFormat = 'post' | 'story' | 'paper'

export type QrCode = { readonly side: number; readonly path: string }

export type Poster = {
  readonly title: string
  /** Day, time and place, without those that are empty. */
  readonly facts: readonly string[]
  readonly seal: { readonly text: string; readonly isCancelled: boolean } | null
  readonly brand: string
  /** The site's host, for those who type it. */
  readonly host: string
  readonly qrCode: QrCode
  readonly picture: {
    readonly image: HTMLImageElement
    readonly focusX: number
    readonly focusY: number
  } | null
}

type Layout = {
  readonly width: number
  readonly height: number
  /** Edge of the picture and of the text, in units. The app covers the top and the foot of a story. */
  readonly top: number
  readonly foot: number
  readonly ground: string
  readonly ink: string
  readonly soft: string
  readonly line: string
}

const deep = { ground: '#12312f', ink: '#f3efe6', soft: '#c8d3cd', line: '#2f5150' } as const
const paper = { ground: '#fff', ink: '#12312f', soft: '#47605d', line: '#d9d0c0' } as const

/** Sizes in pixels; the sheet is A4 at 300 dots an inch. */
export const layouts: Readonly<Record<ShareFormat, Layout>> = {
  post: { width: 1080, height: 1350, top: 64, foot: 64, ...deep },
  story: { width: 1080, height: 1920, top: 150, foot: 345, ...deep },
  paper: { width: 2480, height: 3508, top: 76, foot: 76, ...paper },
}

const UNITS = 1080
const MARGIN = 72
const TEXT_WIDTH = UNITS - 2 * MARGIN
const QR_SIDE = 224
const FACTS_WIDTH = TEXT_WIDTH - QR_SIDE - 44
const QR_HINT = ['Inquadra', 'per saperne di più']
const GAP = 42
/** Height below which the title takes a smaller size. */
const PICTURE_MIN = 430
const TITLE_SIZES = [94, 82, 72, 62, 54, 48] as const
const TITLE_LINES_MAX = 5
const FACT_LINES_MAX = 3
const FACT = { size: 36, line: 46 } as const
const ROW_GAP = 34
const FOOTER = 54

const serif = (size: number) => `420 ${size}px Fraunces, serif`
const sans = (size: number, weight = 400) => `${weight} ${size}px Figtree, sans-serif`

/** Loads the typefaces of the texts; a canvas does not wait for them. */
export async function loadTypefaces(poster: Poster): Promise<void> {
  const text = [poster.title, ...poster.facts, poster.brand, poster.host, ...QR_HINT].join(' ')
  const fonts = [serif(48), sans(36), sans(36, 600)]
  await Promise.all(fonts.map((font) => document.fonts.load(font, text).catch(() => [])))
}

export function drawPoster(format: ShareFormat, poster: Poster): HTMLCanvasElement {
  const layout = layouts[format]
  const canvas = document.createElement('canvas')
  canvas.width = layout.width
  canvas.height = layout.height
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('no canvas')
  const unit = layout.width / UNITS
  context.scale(unit, unit)
  const height = layout.height / unit
  context.fillStyle = layout.ground
  context.fillRect(0, 0, UNITS, height)
  if (format === 'story') drawLake(context, height)

  const texts = arrange(context, poster, height - layout.foot - layout.top)
  const frame = { x: MARGIN, y: layout.top, width: TEXT_WIDTH, height: texts.pictureHeight }
  drawPicture(context, frame, poster.picture)
  if (poster.seal !== null) drawSeal(context, frame, poster.seal)
  drawTexts(context, layout, poster, texts, frame.y + frame.height + GAP)
  return canvas
}

type Frame = { x: number; y: number; width: number; height: number }

type Texts = {
  readonly title: readonly string[]
  readonly titleSize: number
  readonly facts: readonly (readonly string[])[]
  readonly rowHeight: number
  readonly pictureHeight: number
}

/** Chooses the largest title that leaves the picture its height, and gives the picture what is left. */
function arrange(context: CanvasRenderingContext2D, poster: Poster, height: number): Texts {
  const facts = poster.facts.map((text, index) => {
    context.font = sans(FACT.size, index === 0 ? 600 : 400)
    return wrap(context, text, FACTS_WIDTH, FACT_LINES_MAX)
  })
  const lines = facts.flat().length
  const rowHeight = Math.max(
    lines * FACT.line + (facts.length - 1) * 8,
    QR_SIDE + QR_HINT.length * 30 + 6,
  )
  let title: readonly string[] = []
  let titleSize: number = TITLE_SIZES[0]
  let pictureHeight = 0
  for (const size of TITLE_SIZES) {
    context.font = serif(size)
    titleSize = size
    title = wrap(context, poster.title, TEXT_WIDTH, TITLE_LINES_MAX)
    const isCut = title.at(-1)?.endsWith('…') === true && !poster.title.endsWith('…')
    const isBroken = poster.title.split(/\s+/).some((word) => widthOf(context, word) > TEXT_WIDTH)
    const text = title.length * lineOf(size) + ROW_GAP + rowHeight + ROW_GAP + FOOTER
    pictureHeight = height - GAP - text
    if (pictureHeight >= PICTURE_MIN && !isCut && !isBroken) break
  }
  return {
    title: balance(context, poster.title, title.length),
    titleSize,
    facts,
    rowHeight,
    pictureHeight,
  }
}

/** Breaks a title into as many lines of about the same length, as `text-wrap: balance` does on pages. */
function balance(
  context: CanvasRenderingContext2D,
  text: string,
  count: number,
): readonly string[] {
  const widest = Math.max(0, ...text.split(/\s+/).map((word) => widthOf(context, word)))
  let lines = wrap(context, text, TEXT_WIDTH, TITLE_LINES_MAX)
  for (let width = TEXT_WIDTH - 20; width > widest; width -= 20) {
    const narrower = wrap(context, text, width, count)
    if (narrower.at(-1)?.endsWith('…') === true) break
    lines = narrower
  }
  return lines
}

const lineOf = (size: number) => Math.round(size * 1.1)
const widthOf = (context: CanvasRenderingContext2D, text: string) => context.measureText(text).width

/** Breaks a text into lines of this width; a word that is wider is broken, and what is left over ends in '…'. */
export function wrap(
  context: Pick<CanvasRenderingContext2D, 'measureText'>,
  text: string,
  width: number,
  linesMax: number,
): readonly string[] {
  const fits = (line: string) => context.measureText(line).width <= width
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (fits(longer)) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = ''
    for (const letter of word) {
      if (line !== '' && !fits(line + letter)) {
        lines.push(line)
        line = ''
      }
      line += letter
    }
  }
  if (line !== '') lines.push(line)
  if (lines.length <= linesMax) return lines
  let last = lines[linesMax - 1] ?? ''
  while (last !== '' && !fits(`${last}…`)) last = last.slice(0, -1)
  return [...lines.slice(0, linesMax - 1), `${last.trimEnd()}…`]
}

function drawTexts(
  context: CanvasRenderingContext2D,
  layout: Layout,
  poster: Poster,
  { title, titleSize, facts, rowHeight }: Texts,
  top: number,
): void {
  context.textBaseline = 'alphabetic'
  context.textAlign = 'left'
  let y = top
  context.font = serif(titleSize)
  context.fillStyle = layout.ink
  for (const line of title) {
    context.fillText(line, MARGIN, y + titleSize * 0.86)
    y += lineOf(titleSize)
  }
  y += ROW_GAP
  drawQrCode(context, layout, poster.qrCode, y)
  let factY = y
  facts.forEach((lines, index) => {
    context.font = sans(FACT.size, index === 0 ? 600 : 400)
    context.fillStyle = index === 0 ? layout.ink : layout.soft
    context.textAlign = 'left'
    for (const line of lines) {
      context.fillText(line, MARGIN, factY + FACT.size * 0.86)
      factY += FACT.line
    }
    factY += 8
  })
  y += rowHeight + ROW_GAP
  context.fillStyle = layout.line
  context.fillRect(MARGIN, y - ROW_GAP / 2, TEXT_WIDTH, 2)
  drawFooter(context, layout, poster, y + FOOTER - 10)
}

/** The site's name at the left, its host at the right; a host that has no room there is left out. */
function drawFooter(
  context: CanvasRenderingContext2D,
  layout: Layout,
  { brand, host }: Poster,
  baseline: number,
): void {
  context.textAlign = 'right'
  context.font = sans(28)
  const hostWidth = widthOf(context, host)
  const hasRoom = hostWidth < TEXT_WIDTH * 0.6
  context.fillStyle = layout.soft
  if (hasRoom) context.fillText(host, UNITS - MARGIN, baseline)
  context.textAlign = 'left'
  context.font = serif(36)
  context.fillStyle = layout.ink
  const [name = ''] = wrap(context, brand, TEXT_WIDTH - (hasRoom ? hostWidth + 40 : 0), 1)
  context.fillText(name, MARGIN, baseline)
}

function drawQrCode(
  context: CanvasRenderingContext2D,
  layout: Layout,
  { side, path }: QrCode,
  y: number,
): void {
  const x = UNITS - MARGIN - QR_SIDE
  context.fillStyle = '#fff'
  roundedBox(context, { x, y, width: QR_SIDE, height: QR_SIDE }, 20)
  context.fill()
  context.save()
  context.translate(x, y)
  context.scale(QR_SIDE / side, QR_SIDE / side)
  context.fillStyle = '#12312f'
  context.fill(new Path2D(path))
  context.restore()
  context.font = sans(25)
  context.fillStyle = layout.soft
  context.textAlign = 'center'
  QR_HINT.forEach((line, index) => {
    context.fillText(line, x + QR_SIDE / 2, y + QR_SIDE + 32 + index * 30)
  })
}

function roundedBox(
  context: CanvasRenderingContext2D,
  { x, y, width, height }: Frame,
  radius: number,
): void {
  context.beginPath()
  context.roundRect(x, y, width, height, radius)
}

/** The frame of the site's own pictures: an arch above, small corners below. */
function arch(context: CanvasRenderingContext2D, { x, y, width, height }: Frame): void {
  const rise = Math.min(width / 2, height * 0.5)
  const corner = 28
  context.beginPath()
  context.moveTo(x, y + rise)
  context.ellipse(x + width / 2, y + rise, width / 2, rise, 0, Math.PI, 0)
  context.lineTo(x + width, y + height - corner)
  context.arcTo(x + width, y + height, x + width - corner, y + height, corner)
  context.lineTo(x + corner, y + height)
  context.arcTo(x, y + height, x, y + height - corner, corner)
  context.closePath()
}

function drawPicture(
  context: CanvasRenderingContext2D,
  frame: Frame,
  picture: Poster['picture'],
): void {
  context.save()
  arch(context, frame)
  context.clip()
  if (picture === null) drawLandscape(context, frame)
  else drawPhotograph(context, frame, picture)
  context.restore()
}

/** Fills the frame around the focal point. A picture too small for that stands on the drawing, as on the site. */
function drawPhotograph(
  context: CanvasRenderingContext2D,
  frame: Frame,
  { image, focusX, focusY }: NonNullable<Poster['picture']>,
): void {
  const { naturalWidth: width, naturalHeight: height } = image
  const filling = Math.max(frame.width / width, frame.height / height)
  if (filling > magnificationMax) {
    const scale = Math.min(
      magnificationMax,
      (frame.width * 0.62) / width,
      (frame.height * 0.62) / height,
    )
    const box = {
      x: frame.x + (frame.width - width * scale) / 2,
      y: frame.y + frame.height * 0.56 - (height * scale) / 2,
      width: width * scale,
      height: height * scale,
    }
    drawLandscape(context, frame)
    roundedBox(context, box, 16)
    context.clip()
    context.drawImage(image, box.x, box.y, box.width, box.height)
    return
  }
  const { across, down } = visibleParts({ width, height }, frame.width / frame.height)
  const [shownWidth, shownHeight] = [width * across, height * down]
  const left = ((width - shownWidth) * cropPosition(focusX, across)) / 100
  const top = ((height - shownHeight) * cropPosition(focusY, down)) / 100
  context.drawImage(
    image,
    left,
    top,
    shownWidth,
    shownHeight,
    frame.x,
    frame.y,
    frame.width,
    frame.height,
  )
}

/** The lake at dawn, drawn like the site's own openings. */
function drawLandscape(context: CanvasRenderingContext2D, frame: Frame): void {
  const { x, y, width, height } = frame
  const sky = context.createLinearGradient(0, y, 0, y + height)
  sky.addColorStop(0, '#cfe3e1')
  sky.addColorStop(0.62, '#f6e6d6')
  context.fillStyle = sky
  context.fillRect(x, y, width, height)
  context.fillStyle = '#f0b793'
  context.beginPath()
  context.arc(x + width * 0.66, y + height * 0.5, Math.min(width, height) * 0.13, 0, 2 * Math.PI)
  context.fill()
  ridge(context, frame, '#9fc0bd', [0.66, 0.5, 0.64, 0.55, 0.67])
  ridge(context, frame, '#5f9391', [0.74, 0.7, 0.6, 0.72, 0.68])
  ridge(context, frame, '#1f5c5c', [0.86, 0.8, 0.85, 0.79, 0.86])
}

function drawLake(context: CanvasRenderingContext2D, height: number): void {
  const frame = { x: 0, y: height - 345, width: UNITS, height: 345 }
  ridge(context, frame, '#1b4341', [0.5, 0.24, 0.44, 0.3, 0.52])
  ridge(context, frame, '#1f5c5c', [0.72, 0.66, 0.56, 0.68, 0.6])
}

/** A line of hills through points at even distances, given as shares of the height, filled to the foot of the frame. */
function ridge(
  context: CanvasRenderingContext2D,
  { x, y, width, height }: Frame,
  colour: string,
  points: readonly number[],
): void {
  const step = width / (points.length - 1)
  const at = (index: number) => y + height * (points[index] ?? 1)
  context.fillStyle = colour
  context.beginPath()
  context.moveTo(x, at(0))
  for (let index = 1; index < points.length; index += 1) {
    const [from, to] = [x + (index - 1) * step, x + index * step]
    const half = (from + to) / 2
    context.bezierCurveTo(half, at(index - 1), half, at(index), to, at(index))
  }
  context.lineTo(x + width, y + height)
  context.lineTo(x, y + height)
  context.fill()
}

function drawSeal(
  context: CanvasRenderingContext2D,
  frame: Frame,
  { text, isCancelled }: NonNullable<Poster['seal']>,
): void {
  context.font = sans(38, 600)
  const box = {
    x: frame.x + 32,
    y: frame.y + frame.height - 32 - 72,
    width: widthOf(context, text) + 56,
    height: 72,
  }
  context.fillStyle = isCancelled ? '#9c2118' : '#8a5413'
  roundedBox(context, box, 16)
  context.fill()
  context.fillStyle = '#fff'
  context.textAlign = 'left'
  context.textBaseline = 'middle'
  context.fillText(text, box.x + 28, box.y + box.height / 2 + 2)
}
