// List of times that writes the words of an event's time; after the start it offers the end.
import { useEffect, useRef, useState } from 'preact/hooks'
import styles from './date-picker.module.css'
import { durationWords, timeWords } from './italian-dates'

const STEP = 30
const FIRST = 7 * 60
const LAST = 23 * 60 + 30
/** Shown first while no time is written. */
const USUAL = 20 * 60 + 30
const DURATIONS = [60, 90, 120, 150, 180, 240, 360, 480]

const clock = (minutes: number) =>
  `${String(Math.trunc(minutes / 60) % 24).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

type TimeListProps = {
  /** `20:30`; null when no time is written. */
  from: string | null
  to: string | null
  /** Start of the most recent other event. */
  last: string | null
  onWrite: (words: string) => void
  onClose: () => void
}

export function TimeList({ from, to, last, onWrite, onClose }: TimeListProps) {
  const [start, setStart] = useState(from)
  const starts = withTimes(from, last)
  const begins = start === null ? null : minutesOf(start)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a frame of its own and no height in a grid
    <div
      role="group"
      aria-label="Ore"
      className={styles.times}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        // The form would close.
        event.preventDefault()
        event.stopPropagation()
        onClose()
      }}
    >
      <Options
        label="Comincia alle"
        minutes={starts}
        chosen={begins}
        shown={begins ?? minutesOf(last ?? clock(USUAL))}
        takesFocus
        note={(minutes) => (clock(minutes) === last ? 'come l’ultima volta' : '')}
        onChoose={(minutes) => {
          setStart(clock(minutes))
          onWrite(timeWords(clock(minutes), null))
        }}
      />
      {begins === null || start === null ? null : (
        <>
          <p aria-hidden="true">Finisce alle</p>
          <Options
            label="Finisce alle"
            minutes={DURATIONS.map((duration) => begins + duration)}
            chosen={to === null ? null : minutesOf(to)}
            shown={begins + 90}
            note={(minutes) => durationWords(minutes - begins)}
            onChoose={(minutes) => {
              onWrite(timeWords(start, clock(minutes)))
              onClose()
            }}
          />
        </>
      )}
    </div>
  )
}

/** Every half hour, and the times that are no half hours but written now or last time. */
function withTimes(...times: readonly (string | null)[]): readonly number[] {
  const all = new Set<number>()
  for (let minutes = FIRST; minutes <= LAST; minutes += STEP) all.add(minutes)
  for (const time of times) if (time !== null) all.add(minutesOf(time))
  return [...all].sort((one, other) => one - other)
}

type OptionsProps = {
  label: string
  minutes: readonly number[]
  chosen: number | null
  /** The option that is in the tab order and in sight at first. */
  shown: number
  takesFocus?: boolean
  note: (minutes: number) => string
  onChoose: (minutes: number) => void
}

/** A listbox with a roving tab stop. */
function Options({ label, minutes, chosen, shown, takesFocus, note, onChoose }: OptionsProps) {
  const list = useRef<HTMLDivElement>(null)
  const [active, setActive] = useState(shown)
  const stop = minutes.includes(active) ? active : (minutes[0] ?? 0)
  const focus = (index: number) => {
    const bounded = Math.min(Math.max(index, 0), minutes.length - 1)
    setActive(minutes[bounded] ?? 0)
    const option = list.current?.children[bounded]
    if (option instanceof HTMLElement) option.focus()
  }
  useEffect(() => {
    if (takesFocus !== true) return
    const option = list.current?.querySelector<HTMLElement>('[tabindex="0"]')
    const box = list.current?.parentElement
    if (option && box) box.scrollTop = option.offsetTop - box.offsetTop - 90
    option?.focus({ preventScroll: true })
    box?.scrollIntoView({ block: 'nearest' })
  }, [takesFocus])
  return (
    <div ref={list} role="listbox" aria-label={label}>
      {minutes.map((time, index) => (
        <div
          key={time}
          role="option"
          aria-selected={time === chosen}
          tabIndex={time === stop ? 0 : -1}
          onClick={() => {
            setActive(time)
            onChoose(time)
          }}
          onKeyDown={(event) => {
            const next = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: minutes.length }[
              event.key
            ]
            if (next !== undefined) {
              event.preventDefault()
              focus(next)
            } else if (event.key === 'Enter' || event.key === ' ') {
              event.preventDefault()
              onChoose(time)
            }
          }}
        >
          {clock(time)}
          {note(time) === '' ? null : <small>{note(time)}</small>}
        </div>
      ))}
    </div>
  )
}
