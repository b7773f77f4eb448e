// Links and buttons: pills, text links and round icon buttons.

import type { IconNode } from 'lucide'
import { type ButtonHTMLAttributes, type ComponentChildren, Fragment } from 'preact'
import { classNames } from '../lib/class-names'
import { hasMarkers } from '../lib/content-source-map'
import styles from './buttons.module.css'
import { Icon } from './icon'

export type Tone = 'primary' | 'light' | 'outline' | 'quiet' | 'ghost'

/** Returns the class of a pill, for an element that is neither `PillLink` nor `PillButton`. */
export function pillClass(tone: Tone = 'primary', isBusy = false): string {
  return classNames(styles.button, styles[tone], isBusy && styles.isBusy)
}

type PillLinkProps = {
  readonly href: string
  readonly tone?: Tone
  /** Opens a new tab; the children must say so. */
  readonly isExternal?: boolean
  readonly children: ComponentChildren
}

export function PillLink({ href, tone, isExternal, children }: PillLinkProps) {
  return (
    <a class={pillClass(tone)} href={href} {...newTab(isExternal)}>
      {children}
    </a>
  )
}

type WordLinkProps = Omit<PillLinkProps, 'tone'> & {
  /** The children end in an icon, which stays on the line of the last word. */
  readonly endsInIcon?: boolean | undefined
}

export function WordLink({ href, isExternal, endsInIcon, children }: WordLinkProps) {
  return (
    <a
      class={classNames(styles.textLink, endsInIcon && styles.endsInIcon)}
      href={href}
      {...newTab(isExternal)}
    >
      {children}
    </a>
  )
}

function newTab(isExternal = false) {
  return isExternal ? { target: '_blank', rel: 'noopener' } : {}
}

type PillButtonProps = ButtonHTMLAttributes & {
  readonly tone?: Tone
  readonly isBusy?: boolean
}

export function PillButton({ tone, isBusy = false, ...rest }: PillButtonProps) {
  return <button type="button" {...rest} class={pillClass(tone, isBusy)} />
}

type IconButtonProps = ButtonHTMLAttributes & {
  readonly icon: IconNode
  readonly 'aria-label': string
  readonly hasRing?: boolean
  readonly extraClass?: string | undefined
}

export function IconButton({ icon, hasRing, extraClass, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      class={classNames(styles.iconButton, hasRing && styles.ring, extraClass)}
    >
      <Icon of={icon} />
    </button>
  )
}

/**
 * Lets an e-mail address break after its signs instead of inside a word. Not in the editor, where an
 * element would split the text that is edited.
 */
export function AddressText({ text }: { readonly text: string }) {
  if (!text.includes('@') || hasMarkers(text)) return text
  return text.split(/(?<=[@._-])/).map((part, index) => (
    <Fragment key={`${index}${part}`}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
