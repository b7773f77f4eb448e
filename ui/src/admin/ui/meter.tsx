// Fill level as a thin bar; text next to it gives the same information.

import { useLayoutEffect, useRef } from 'preact/hooks'
import { classNames } from '../../lib/class-names'
import styles from './meter.module.css'

/** `share` is between 0 and 1. */
export function Meter({ share, isOver = false }: { share: number; isOver?: boolean }) {
  const bar = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    // The content security policy forbids style attributes; the style object is not one.
    bar.current?.style.setProperty('--share', `${Math.round(share * 100)}%`)
  }, [share])
  return (
    <div className={classNames(styles.bar, isOver && styles.over)} ref={bar} aria-hidden="true">
      <span />
    </div>
  )
}
