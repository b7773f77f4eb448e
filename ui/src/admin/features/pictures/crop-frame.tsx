// The picture with the frame that crops it. Frame and corners follow pointer, finger and arrow keys.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Rectangle, StoredPicture } from '../../api/pictures'
import { type Corner, move, moveCorner } from './crop-rectangle'
import { pictureDialogMessages } from './messages'
import styles from './picture-editor.module.css'

const own = pictureDialogMessages.edit
const STEP = 0.01
const BIG_STEP = 0.05
/** The picture is shown at no more than this width. */
const SHOWN_PX_MAX = 1280
const CORNERS = Object.keys(own.corner) as readonly Corner[]

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

type CropFrameProps = {
  source: StoredPicture
  turns: number
  frame: Rectangle
  /** Width by height in parts of the sides; null for any. */
  ratio: number | null
  /** Id of the text that says how the frame is moved. */
  hint: string
  onChange: (frame: Rectangle) => void
}

type Drag = { readonly x: number; readonly y: number; readonly frame: Rectangle }

export function CropFrame(props: CropFrameProps) {
  const { source, turns, frame, ratio, hint, onChange } = props
  const area = useRef<HTMLDivElement>(null)
  const drag = useRef<Drag | null>(null)

  // The content security policy forbids style attributes; the style object is not one.
  useEffect(() => {
    for (const [name, part] of Object.entries(frame)) {
      area.current?.style.setProperty(`--${name}`, `${part * 100}%`)
    }
  }, [frame])

  const moved = (from: Rectangle, corner: Corner | null, across: number, down: number) =>
    corner === null ? move(from, across, down) : moveCorner(from, corner, across, down, ratio)

  const handlers = (corner: Corner | null) => ({
    onPointerDown: (event: PointerEvent & { currentTarget: HTMLElement }) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      drag.current = { x: event.clientX, y: event.clientY, frame }
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      const size = area.current?.getBoundingClientRect()
      if (drag.current === null || size === undefined || size.width === 0) return
      const across = (clientX - drag.current.x) / size.width
      const down = (clientY - drag.current.y) / size.height
      onChange(moved(drag.current.frame, corner, across, down))
    },
    onPointerUp: () => {
      drag.current = null
    },
    onPointerCancel: () => {
      drag.current = null
    },
    onKeyDown: (event: KeyboardEvent) => {
      const arrow = ARROWS[event.key]
      if (arrow === undefined) return
      event.preventDefault()
      const step = event.shiftKey ? BIG_STEP : STEP
      onChange(moved(frame, corner, arrow[0] * step, arrow[1] * step))
    },
  })
  const percent = (part: number) => Math.round(part * 100)
  return (
    <div className={styles.area}>
      <div className={styles.picture} ref={area}>
        <TurnedPicture source={source} turns={turns} />
        <div className={styles.veil}>
          <span />
        </div>
        <div className={styles.frame}>
          <button
            type="button"
            className={styles.move}
            aria-label={`${own.frame}, ${percent(frame.left)}% da sinistra, ${percent(frame.top)}% dall’alto`}
            aria-describedby={hint}
            {...handlers(null)}
          />
          {CORNERS.map((corner) => (
            <button
              key={corner}
              type="button"
              className={`${styles.corner} ${styles[corner]}`}
              aria-label={own.corner[corner]}
              aria-describedby={hint}
              {...handlers(corner)}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

/** A canvas, because CSS turns a picture without turning the room that it takes. */
function TurnedPicture({ source, turns }: { source: StoredPicture; turns: number }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [image, setImage] = useState<HTMLImageElement | null>(null)
  useEffect(() => {
    const loading = new Image()
    loading.onload = () => setImage(loading)
    const width = source.widths.filter((one) => one <= SHOWN_PX_MAX).at(-1)
    loading.src = width === undefined ? source.url : `${source.url}/${width}.webp`
    return () => {
      loading.onload = null
    }
  }, [source])
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (image === null || !context) return
    const { naturalWidth: width, naturalHeight: height } = image
    const isUpright = turns % 2 === 0
    context.canvas.width = isUpright ? width : height
    context.canvas.height = isUpright ? height : width
    context.translate(context.canvas.width / 2, context.canvas.height / 2)
    context.rotate((turns * Math.PI) / 2)
    context.drawImage(image, -width / 2, -height / 2)
  }, [image, turns])
  const { width, height } = source
  return (
    <div aria-hidden="true">
      <canvas
        ref={canvas}
        className={styles.canvas}
        width={turns % 2 === 0 ? width : height}
        height={turns % 2 === 0 ? height : width}
      />
    </div>
  )
}
