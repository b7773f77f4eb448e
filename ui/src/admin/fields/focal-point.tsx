// Where the important part of a picture is: a dot to drag, or to move with the arrow keys.
import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../parts/button'
import styles from './picture.module.css'

type FocalPointProps = {
  src: string
  x: number
  y: number
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

export function FocalPoint({ src, x, y, onChange }: FocalPointProps) {
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
          aria-label={`Punto da non tagliare: ${x}% da sinistra, ${y}% dall’alto. Usa le frecce per spostarlo.`}
        />
      </div>
      <div className={styles.crops} aria-hidden="true">
        <figure>
          <img src={src} alt="" className={styles.cropCard} />
          <figcaption>Scheda</figcaption>
        </figure>
        <figure>
          <img src={src} alt="" className={styles.cropWide} />
          <figcaption>Apertura</figcaption>
        </figure>
        <figure>
          <img src={src} alt="" className={styles.cropSocial} />
          <figcaption>WhatsApp</figcaption>
        </figure>
      </div>
      <div className={styles.focalWords}>
        <p>Tocca il punto che non va mai tagliato, oppure spostalo con le frecce.</p>
        {x === 50 && y === 50 ? null : (
          <Button tone="quiet" small onClick={() => onChange(50, 50)}>
            Rimetti al centro
          </Button>
        )}
      </div>
    </div>
  )
}

function clamped(percent: number): number {
  return Math.min(100, Math.max(0, percent))
}
