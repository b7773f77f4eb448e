// Small calendar that writes the words of a date: one day, several days, or a span. The grid follows the ARIA
// practices: one day is in the tab order, arrow keys move by day and week, Page Up and Page Down by month.
import { ChevronLeft, ChevronRight } from 'lucide'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { classNames } from '../../../lib/class-names'
import { now } from '../../../lib/clock'
import { romeDay } from '../../../lib/rome-time'
import { Button, IconButton } from '../../ui/button'
import segmented from '../../ui/segmented-control.module.css'
import styles from './date-picker.module.css'
import {
  addDays,
  addMonths,
  datesInWords,
  longDay,
  monthName,
  type Span,
  weekdayOf,
  weeksOf,
} from './italian-dates'

export type Mode = 'day' | 'several' | 'span'

const MODES: readonly (readonly [Mode, string])[] = [
  ['day', 'Un giorno'],
  ['several', 'Più date'],
  ['span', 'Da… a…'],
]

const WEEKDAYS = ['lunedì', 'martedì', 'mercoledì', 'giovedì', 'venerdì', 'sabato', 'domenica']

/** Returns the day that a key moves the focus to; undefined for other keys. */
function moved(day: string, event: KeyboardEvent): string | undefined {
  const months = event.shiftKey ? 12 : 1
  switch (event.key) {
    case 'ArrowLeft':
      return addDays(day, -1)
    case 'ArrowRight':
      return addDays(day, 1)
    case 'ArrowUp':
      return addDays(day, -7)
    case 'ArrowDown':
      return addDays(day, 7)
    case 'Home':
      return addDays(day, -weekdayOf(day))
    case 'End':
      return addDays(day, 6 - weekdayOf(day))
    case 'PageUp':
      return addMonths(day, -months)
    case 'PageDown':
      return addMonths(day, months)
    default:
      return undefined
  }
}

/** The days of all occurrences, one by one. */
function daysOf(spans: readonly Span[]): readonly string[] {
  const days: string[] = []
  for (const { first, last } of spans) {
    for (let day = first; day <= last && days.length < 60; day = addDays(day, 1)) days.push(day)
  }
  return days
}

/** A choice in progress. A span whose end is not chosen yet has one day. */
type Choice = { readonly mode: Mode; readonly days: readonly string[] }

function choiceOf(spans: readonly Span[], mode: Mode): Choice {
  const days = daysOf(spans)
  if (mode === 'several') return { mode, days }
  const [first = '', last = first] = [days[0], days.at(-1)]
  const isSpan = mode === 'span' && days.length > 1
  return { mode, days: days.length === 0 ? [] : isSpan ? [first, last] : [first] }
}

function chosen({ mode, days }: Choice, day: string): Choice {
  if (mode === 'day') return { mode, days: [day] }
  if (mode === 'several') {
    const rest = days.filter((other) => other !== day)
    return { mode, days: rest.length < days.length ? rest : [...rest, day].sort() }
  }
  const [first] = days
  return { mode, days: days.length === 1 && first !== undefined ? [first, day].sort() : [day] }
}

export function spansOfChoice({ mode, days }: Choice): readonly Span[] {
  const [first] = days
  const last = days.at(-1)
  if (mode !== 'span') return days.map((day) => ({ first: day, last: day }))
  return first === undefined || last === undefined ? [] : [{ first, last }]
}

export function modeOf(spans: readonly Span[]): Mode {
  if (spans.length > 1) return 'several'
  return spans[0] !== undefined && spans[0].first !== spans[0].last ? 'span' : 'day'
}

type DatePickerProps = {
  spans: readonly Span[]
  mode: Mode
  /** Days with another event. */
  busy: ReadonlySet<string>
  /** On a phone nothing is written before the button, which says the words. */
  isSheet: boolean
  onWrite: (words: string) => void
  onClose: () => void
}

export function DatePicker({ spans, mode, busy, isSheet, onWrite, onClose }: DatePickerProps) {
  const today = romeDay(now(), 0)
  const [choice, setChoice] = useState(() => choiceOf(spans, mode))
  const [focused, setFocused] = useState(choice.days[0] ?? today)
  const heading = useId()
  const group = useId()
  const grid = useRef<HTMLTableElement>(null)
  /** Only keys move the focus; turning the page with a button leaves it on the button. */
  const isMoving = useRef(!isSheet)
  const hasKey = busy.size > 0
  // The key comes once the other events are loaded; without scrolling again it was hidden by the footer of the form.
  useEffect(() => {
    if (!isSheet) grid.current?.parentElement?.scrollIntoView({ block: 'nearest' })
  }, [isSheet, hasKey])
  useEffect(() => {
    if (isMoving.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    isMoving.current = false
  }, [focused])

  const words = datesInWords(spansOfChoice(choice))
  const choose = (day: string) => {
    const next = chosen(choice, day)
    setChoice(next)
    setFocused(day)
    if (isSheet) return
    onWrite(datesInWords(spansOfChoice(next)))
    if (next.mode === 'day') onClose()
  }
  const change = (next: Mode) => {
    const days = choiceOf(spansOfChoice(choice), next)
    setChoice(days)
    if (!isSheet && days.days.length > 0) onWrite(datesInWords(spansOfChoice(days)))
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a frame of its own and no height in a grid
    <div
      role="group"
      aria-label="Calendario"
      className={classNames(styles.calendar, isSheet && styles.inSheet)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || isSheet) return
        // The form would close.
        event.preventDefault()
        event.stopPropagation()
        onClose()
      }}
    >
      <div className={styles.head}>
        <IconButton
          label={`Mese prima: ${monthName(addMonths(focused, -1))}`}
          icon={ChevronLeft}
          onClick={() => setFocused(addMonths(focused, -1))}
        />
        <b id={heading} aria-live="polite">
          {monthName(focused)}
        </b>
        <IconButton
          label={`Mese dopo: ${monthName(addMonths(focused, 1))}`}
          icon={ChevronRight}
          onClick={() => setFocused(addMonths(focused, 1))}
        />
      </div>
      <table
        ref={grid}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the grid pattern of the ARIA practices
        role="grid"
        aria-labelledby={heading}
        onKeyDown={(event) => {
          const day = moved(focused, event)
          if (day === undefined) return
          event.preventDefault()
          isMoving.current = true
          setFocused(day)
        }}
      >
        <thead>
          <tr>
            {WEEKDAYS.map((name) => (
              <th key={name} scope="col" abbr={name}>
                {name.slice(0, 3)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(focused).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <Day
                  key={day}
                  day={day}
                  choice={choice}
                  isFocused={day === focused}
                  isOutside={day.slice(0, 7) !== focused.slice(0, 7)}
                  today={today}
                  isBusy={busy.has(day)}
                  onChoose={choose}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <fieldset className={classNames(segmented.control, styles.modes)}>
        <legend>Quanti giorni</legend>
        {MODES.map(([value, label]) => (
          <label key={value}>
            <input
              type="radio"
              name={group}
              checked={choice.mode === value}
              onChange={() => change(value)}
            />
            {label}
          </label>
        ))}
      </fieldset>
      {hasKey ? (
        <p className={styles.key}>
          <i />
          hai già un evento
        </p>
      ) : null}
      {isSheet ? (
        <Button disabled={words === ''} onClick={() => onWrite(words)}>
          {words === '' ? 'Scegli un giorno' : `Scrivi ${words}`}
        </Button>
      ) : null}
    </div>
  )
}

type DayProps = {
  day: string
  choice: Choice
  isFocused: boolean
  isOutside: boolean
  today: string
  isBusy: boolean
  onChoose: (day: string) => void
}

function Day({ day, choice, isFocused, isOutside, today, isBusy, onChoose }: DayProps) {
  const [first = '', last = ''] = choice.days
  const isOn = choice.days.includes(day)
  const isWithin = choice.mode === 'span' && day > first && day < last
  const names = classNames(
    isOutside && styles.outside,
    day < today && styles.past,
    day === today && styles.today,
    isBusy && styles.busy,
    isWithin && styles.within,
    isOn && styles.on,
  )
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: its button takes the focus
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the grid pattern of the ARIA practices
    <td role="gridcell" aria-selected={isOn || isWithin}>
      <button
        type="button"
        className={names}
        tabIndex={isFocused ? 0 : -1}
        {...(isFocused ? { 'data-first-focus': '' } : {})}
        aria-label={`${longDay(day)}${isBusy ? ', hai già un evento' : ''}`}
        {...(day === today ? { 'aria-current': 'date' as const } : {})}
        onClick={() => onChoose(day)}
      >
        {Number(day.slice(8))}
      </button>
    </td>
  )
}
