// Focal point of an image: a dot to drag or to move with the arrow keys, next to the resulting
// crops.
import { useEffect, useId, useRef } from 'preact/hooks'
import { Button } from '../button'
import {
  type Crop,
  coverage,
  type Point,
  pointOf,
  positionOf,
  proposedPoint,
  type Size,
} from './crop-frames'
import styles from './picture-field.module.css'
import { pictureMessages as words } from './picture-messages'
import { useImageSize } from './use-image-size'

type FocalPointProps = {
  src: string
  x: number
  y: number
  /** Crops of an image of this size. */
  crops: (size: Size) => readonly Crop[]
  onChange: (x: number, y: number) => void
}

const STEP_PERCENT = 2
const BIG_STEP_PERCENT = 10

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

export function FocalPoint({ src, x: chosenX, y: chosenY, crops, onChange }: FocalPointProps) {
  const hint = useId()
  const size = useImageSize(src)
  const chosen = { x: chosenX, y: chosenY }
  const { x, y } = size === null ? chosen : pointOf(chosen, size)
  const proposed = size === null ? chosen : proposedPoint(size)
  const frame = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLDivElement>(null)

  // The content security policy forbids style attributes; the style object is not one.
  useEffect(() => {
    box.current?.style.setProperty('--x', `${x}%`)
    box.current?.style.setProperty('--y', `${y}%`)
  }, [x, y])

  const fromPointer = (event: PointerEvent) => {
    const area = frame.current?.getBoundingClientRect()
    if (area === undefined || area.width === 0 || area.height === 0) return
    const percent = (part: number, whole: number) => clamped(Math.round((part / whole) * 100))
    onChange(
      percent(event.clientX - area.left, area.width),
      percent(event.clientY - area.top, area.height),
    )
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const arrow = ARROWS[event.key]
    if (arrow === undefined) return
    event.preventDefault()
    const size = event.shiftKey ? BIG_STEP_PERCENT : STEP_PERCENT
    onChange(clamped(x + arrow[0] * size), clamped(y + arrow[1] * size))
  }

  return (
    <div className={styles.focal} ref={box}>
      <div
        className={styles.frame}
        ref={frame}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          fromPointer(event)
        }}
        onPointerMove={(event) => event.buttons > 0 && fromPointer(event)}
      >
        <img src={src} alt="" draggable={false} />
        <button
          type="button"
          className={styles.dot}
          onKeyDown={onKeyDown}
          aria-label={`${words.focusAria}: ${x}% da sinistra, ${y}% dall’alto`}
          aria-describedby={hint}
        />
      </div>
      {size === null ? null : <Crops src={src} size={size} crops={crops(size)} point={{ x, y }} />}
      <div className={styles.focalWords}>
        <p>{words.focusText}</p>
        <p id={hint}>{words.focusKeysHint}</p>
        {x === proposed.x && y === proposed.y ? null : (
          <Button tone="quiet" small onClick={() => onChange(50, 50)}>
            {words.resetAction}
          </Button>
        )}
      </div>
    </div>
  )
}

type CropsProps = { src: string; size: Size; crops: readonly Crop[]; point: Point }

/** Preview of each crop of the site. */
export function Crops({ src, size, crops, point }: CropsProps) {
  if (crops.length === 0) return null
  return (
    <div className={styles.crops}>
      <p>{words.cropsTitle}</p>
      {crops.map((crop) => (
        <CropView key={crop.label} src={src} size={size} crop={crop} point={point} />
      ))}
    </div>
  )
}

type CropViewProps = { src: string; size: Size; crop: Crop; point: Point }

function CropView({ src, size, crop, point }: CropViewProps) {
  const frame = useRef<HTMLSpanElement>(null)
  const image = useRef<HTMLImageElement>(null)
  const { x, y } = positionOf(crop, point, size)
  const fill = coverage(crop, size)
  useEffect(() => {
    frame.current?.style.setProperty('aspect-ratio', String(crop.seen))
    image.current?.style.setProperty('object-position', `${x}% ${y}%`)
    image.current?.style.setProperty('scale', String(fill))
    image.current?.style.setProperty('object-fit', fill < 1 ? 'contain' : 'cover')
  }, [crop.seen, fill, x, y])
  return (
    <figure>
      <span className={styles.crop} ref={frame}>
        <img src={src} alt="" ref={image} />
      </span>
      <figcaption>{crop.label}</figcaption>
    </figure>
  )
}

function clamped(percent: number): number {
  return Math.min(100, Math.max(0, percent))
}
