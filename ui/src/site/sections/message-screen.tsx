// A screen with a short message, for example "not found": title, text and an optional button.

import type { ComponentChildren } from 'preact'
import { ButtonLink } from './links'
import styles from './message-screen.module.css'

type MissingProps = {
  readonly words: {
    readonly title: string
    readonly text: string
    /** Language of title and text, when it is not that of the page. */
    readonly language?: string
    readonly button?: { readonly label: string; readonly href: string }
  }
  readonly children?: ComponentChildren
}

export function MessageScreen({ words, children }: MissingProps) {
  return (
    <section class={styles.missing}>
      <div>
        <svg viewBox="0 0 240 120" aria-hidden="true">
          <circle cx="120" cy="52" r="26" />
          <path d="M14 84q26-18 53 0t53 0 53 0 53 0M40 106q20-14 40 0t40 0 40 0 40 0" />
        </svg>
        <h1 lang={words.language}>{words.title}</h1>
        <p lang={words.language} data-literal="">
          {words.text}
        </p>
        {words.button && <ButtonLink href={words.button.href}>{words.button.label}</ButtonLink>}
        {children}
      </div>
    </section>
  )
}
