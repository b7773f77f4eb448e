// One picture over the whole screen, with its texts; keys, swipes and buttons show the others.

import { ChevronLeft, ChevronRight, X } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import type { Picture } from '../../../lib/picture'
import { IconButton } from '../../../primitives/buttons'
import hidden from '../../../primitives/hidden.module.css'
import { PictureImage } from '../../../primitives/picture'
import { useOpen } from '../../../primitives/use-modal'
import { lightboxLabels as words } from '../../fixed-messages/control-labels'
import parts from '../shared.module.css'
import styles from './lightbox.module.css'

export type Shown = {
  readonly id: string
  readonly title: string | null
  readonly description: string | null
  readonly image: Picture
}

type LightboxProps = {
  readonly pictures: readonly Shown[]
  readonly start: number
  readonly onClose: () => void
}

const swipeThresholdPx = 50
/** Nearly the whole width of a large screen. */
const lightboxWidestPx = 1920

export function Lightbox({ pictures, start, onClose }: LightboxProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const pressedAt = useRef<number | null>(null)
  const [index, setIndex] = useState(start)
  useOpen(dialog)
  const total = pictures.length
  const step = (by: number) => setIndex((current) => (current + by + total) % total)
  const shown = pictures[index]
  if (shown === undefined) return null
  return (
    <dialog
      ref={dialog}
      class={styles.lightbox}
      tabIndex={-1}
      aria-label={words.dialogLabel}
      onClose={onClose}
      onKeyDown={(event) => {
        if (event.key === 'ArrowLeft') step(-1)
        if (event.key === 'ArrowRight') step(1)
      }}
      onPointerDown={(event) => {
        pressedAt.current = event.clientX
      }}
      onPointerUp={(event) => {
        const moved = event.clientX - (pressedAt.current ?? event.clientX)
        pressedAt.current = null
        if (Math.abs(moved) > swipeThresholdPx) step(moved < 0 ? 1 : -1)
      }}
      onPointerCancel={() => {
        pressedAt.current = null
      }}
    >
      {total > 1 && (
        <p class={styles.count} aria-live="polite">
          {words.counter.replace('{n}', `${index + 1}`).replace('{total}', `${total}`)}
        </p>
      )}
      <IconButton
        icon={X}
        extraClass={styles.close}
        aria-label={words.close}
        onClick={() => dialog.current?.close()}
      />
      {total > 1 && (
        <IconButton
          icon={ChevronLeft}
          extraClass={styles.previous}
          aria-label={words.previous}
          onClick={() => step(-1)}
        />
      )}
      <figure key={shown.id} class={styles.figure}>
        <div class={styles.frame}>
          <PictureImage
            picture={shown.image}
            sizes="100vw"
            widestPx={lightboxWidestPx}
            alt={shown.title ?? ''}
            priority="high"
            isWhole
          />
        </div>
        <figcaption>
          {shown.title && <h2>{shown.title}</h2>}
          {shown.description && <p class={parts.lines}>{shown.description}</p>}
        </figcaption>
      </figure>
      {total > 1 && (
        <IconButton
          icon={ChevronRight}
          extraClass={styles.next}
          aria-label={words.next}
          onClick={() => step(1)}
        />
      )}
      <p class={hidden.hidden} aria-live="polite">
        {shown.title}
      </p>
    </dialog>
  )
}
