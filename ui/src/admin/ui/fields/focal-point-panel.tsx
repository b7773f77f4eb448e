// Warnings about an image's size and crops; opens by itself when a crop removes much.

import { TriangleAlert } from 'lucide'
import { Icon } from '../../../primitives/icon'
import editor from '../item-form.module.css'
import { lazy } from '../lazy'
import { type Crop, isExtreme, proposedPoint, type Size, warningsOf } from './crop-frames'
import styles from './picture-field.module.css'
import { pictureMessages as words } from './picture-messages'
import { useImageSize } from './use-image-size'

type PictureFocusProps = {
  src: string
  /** Crops of an image of this size; empty when it is shown whole. */
  crops: (size: Size) => readonly Crop[]
  /** Absent when the focal point cannot be changed. */
  point?: { x: number; y: number; onChange: (x: number, y: number) => void } | undefined
  /** Says that the image is shown whole. */
  wholeNote?: boolean
  /** Renders nothing for images without warnings. */
  onlyWhereNeeded?: boolean
}

// Not part of the first load.
const FocalPoint = lazy(() => import('./focal-point').then(({ FocalPoint }) => FocalPoint))
const Crops = lazy(() => import('./focal-point').then(({ Crops }) => Crops))

export function FocalPointPanel(props: PictureFocusProps) {
  const { src, crops, point, wholeNote = false, onlyWhereNeeded = false } = props
  const size = useImageSize(src)
  if (size === null) return null
  const cuts = crops(size)
  const warnings = warningsOf(size, cuts, cuts.length > 0 && point !== undefined)
  if (onlyWhereNeeded && warnings.length === 0) return null
  return (
    <div className={styles.focus}>
      <div role="status" className={styles.focus}>
        {warnings.map((text) => (
          <p key={text} className={styles.warning}>
            <Icon of={TriangleAlert} size={18} />
            {text}
          </p>
        ))}
      </div>
      {cuts.length === 0 && wholeNote ? <p className={styles.help}>{words.wholeNote}</p> : null}
      {cuts.length > 0 && point !== undefined ? (
        <details className={editor.more} open={isExtreme(size)} key={src}>
          <summary>{words.focusTitle}</summary>
          <FocalPoint src={src} {...point} crops={crops} />
        </details>
      ) : null}
      {cuts.length > 0 && point === undefined ? (
        <Crops src={src} size={size} crops={cuts} point={proposedPoint(size)} />
      ) : null}
    </div>
  )
}
