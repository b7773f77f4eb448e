// The button that stops and resumes everything on the page that moves by itself (WCAG 2.2.2).

import { Pause, Play } from 'lucide'
import { useEffect } from 'preact/hooks'
import { create } from 'zustand'
import { Icon } from '../../primitives/icon'
import { motionLabels as labels } from '../fixed-messages/control-labels'
import styles from './motion-toggle.module.css'

/** Holds across pages until the visitor leaves the site. */
export const useMotion = create<{ readonly isPaused: boolean }>(() => ({ isPaused: false }))

export function MotionToggle() {
  const isPaused = useMotion((state) => state.isPaused)
  // Style sheets read the attribute, also for what moves outside of the section with the button.
  useEffect(() => {
    document.documentElement.toggleAttribute('data-still', isPaused)
  }, [isPaused])
  return (
    <button
      type="button"
      class={styles.toggle}
      aria-label={isPaused ? labels.play : labels.pause}
      onClick={() => useMotion.setState({ isPaused: !isPaused })}
    >
      <Icon of={isPaused ? Play : Pause} />
    </button>
  )
}
