// Buttons of the panel: with text, or with an icon alone. A busy button keeps its label and the
// focus.

import type { IconNode } from 'lucide'
import type { ComponentChildren } from 'preact'
import { classNames } from '../../lib/class-names'
import { Icon } from '../../primitives/icon'
import { isAccidentalDoubleClick } from './accidental-double-click'
import styles from './button.module.css'
import { useTooltip } from './tooltip'

export type ButtonProps = {
  children: ComponentChildren
  onClick?: (() => void) | undefined
  tone?: 'primary' | 'outline' | 'quiet' | 'danger'
  small?: boolean
  busy?: boolean
  disabled?: boolean
  /** Disabled with `aria-disabled`, so that it keeps the focus. */
  reachable?: boolean
  icon?: IconNode
  submit?: boolean
  /** Id of a form elsewhere on the page that this button submits. */
  form?: string
  className?: string
  pressed?: boolean
  /** Accessible name with the object, where several buttons show the same text. */
  label?: string
  /** Takes the focus when its dialog opens. */
  isSafe?: boolean
}

export function Button(props: ButtonProps) {
  const { children, tone = 'primary', small = false, busy = false, disabled = false } = props
  const { icon, onClick } = props
  const stopped = busy || disabled
  const names = classNames(styles.button, styles[tone], small && styles.small, props.className)
  return (
    <button
      type={props.submit === true ? 'submit' : 'button'}
      {...(props.form === undefined ? {} : { form: props.form })}
      {...(props.pressed === undefined ? {} : { 'aria-pressed': props.pressed })}
      {...(props.label === undefined ? {} : { 'aria-label': props.label })}
      {...(tone === 'primary' ? { 'data-primary': '' } : {})}
      {...(props.isSafe === true ? { 'data-first-focus': '' } : {})}
      className={names}
      disabled={disabled && props.reachable !== true}
      aria-disabled={stopped}
      onClick={(event) => {
        if (stopped) event.preventDefault()
        else onClick?.()
      }}
    >
      {busy ? <span className={styles.ring} aria-hidden="true" /> : null}
      {!busy && icon !== undefined ? <Icon of={icon} size={20} /> : null}
      {children}
    </button>
  )
}

type IconButtonProps = {
  label: string
  /** Tooltip, when shorter than the label. */
  tip?: string
  icon: IconNode
  onClick?: () => void
  /** Uses `aria-disabled`: a button that disables itself on a press would lose the focus. */
  disabled?: boolean
  danger?: boolean
  className?: string | undefined
  pressed?: boolean
}

export function IconButton(props: IconButtonProps) {
  const { label, icon, disabled = false, danger = false, className } = props
  const names = classNames(styles.iconButton, danger && styles.iconDanger, className)
  const tooltip = useTooltip(props.tip ?? label)
  return (
    <button
      type="button"
      aria-label={label}
      aria-disabled={disabled}
      {...(props.pressed === undefined ? {} : { 'aria-pressed': props.pressed })}
      className={names}
      onClick={(event) => {
        if (!disabled && !(danger && isAccidentalDoubleClick(event))) props.onClick?.()
      }}
      {...tooltip.on}
    >
      <Icon of={icon} size={20} />
      {tooltip.bubble}
    </button>
  )
}

/** A link styled as a button. */
export function ButtonLink(props: {
  href: string
  children: ComponentChildren
  icon?: IconNode
  /** Downloads the target; a string is the file name. */
  download?: boolean | string
  /** Opens a new tab. */
  isExternal?: boolean
  onClick?: (event: MouseEvent) => void
}) {
  const { icon } = props
  return (
    <a
      className={`${styles.button} ${styles.outline}`}
      href={props.href}
      onClick={(event) => props.onClick?.(event)}
      {...(props.download ? { download: props.download === true ? '' : props.download } : {})}
      {...(props.isExternal === true ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
    >
      {icon !== undefined ? <Icon of={icon} size={20} /> : null}
      {props.children}
    </a>
  )
}
