// Editor of a link target: a typed or pasted URL, or a page of the site.

import { ExternalLink } from 'lucide'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { isEmailAddress } from '../../lib/email-address'
import { isImeKey } from '../../lib/ime-key'
import { visibleText } from '../../lib/invisible-characters'
import { completeWebAddress } from '../../lib/web-address'
import { Icon } from '../../primitives/icon'
import { Button } from '../ui/button'
import { richTextMessages } from './messages'
import styles from './overlay.module.css'
import { type ParsedPhoneLink, withCountry } from './phone-links'
import { isSafe } from './schema'

export const SITE_PAGES: readonly (readonly [string, string])[] = [
  ['/chi-sono', 'Chi Sono'],
  ['/servizi', 'Servizi'],
  ['/rebirthing', 'Rebirthing'],
  ['/testimonianze', 'Testimonianze'],
  ['/eventi', 'Eventi'],
  ['/blog', 'Blog'],
  ['/contatti', 'Contatti'],
]

type LinkBoxProps = {
  href: string
  onApply: (href: string) => void
  onRemove: (() => void) | null
  onClose: () => void
}

const words = richTextMessages.link

export function LinkBox(props: LinkBoxProps) {
  const { onApply, onRemove, onClose } = props
  const own = useId()
  const link = useTypedLink(props)
  const { input, typed, address, refused, choices } = link
  return (
    <fieldset
      ref={link.box}
      className={styles.linkBox}
      aria-label={words.label}
      // Safari on a Mac gives a pressed button no focus: the field would lose it, and the box would close before the click.
      onMouseDown={(event) => {
        if (event.target !== input.current) event.preventDefault()
      }}
      onKeyDown={(event) => {
        if (isImeKey(event)) return
        if (event.key === 'Escape') {
          event.preventDefault()
          event.stopPropagation()
          onClose()
        }
        // Enter must not submit the surrounding form.
        if (event.key === 'Enter' && event.target === input.current) {
          event.preventDefault()
          void link.apply()
        }
      }}
    >
      <input
        ref={(field) => {
          if (field !== null && input.current === null) field.focus()
          input.current = field
        }}
        aria-label={words.label}
        aria-invalid={refused !== null}
        {...(refused !== null ? { 'aria-describedby': `${own}-refused` } : {})}
        list={own}
        value={typed}
        inputMode="url"
        autoCapitalize="none"
        autoCorrect="off"
        spellcheck={false}
        placeholder={words.placeholder}
        onInput={(event) => link.type(event.currentTarget.value)}
      />
      <datalist id={own}>
        {SITE_PAGES.map(([path, name]) => (
          <option key={path} value={path}>
            {name}
          </option>
        ))}
      </datalist>
      <Button small onClick={() => void link.apply()}>
        {words.apply}
      </Button>
      {onRemove === null ? null : (
        <Button small tone="quiet" onClick={onRemove}>
          {words.remove}
        </Button>
      )}
      {isSafe(address) && !address.startsWith('#') ? <TryLink address={address} /> : null}
      {refused === null ? null : (
        <p id={`${own}-refused`} role="alert">
          {refused}
        </p>
      )}
      {choices.map((one) => (
        <Button key={one.address} tone="outline" small onClick={() => onApply(one.address)}>
          {one.text}
        </Button>
      ))}
    </fieldset>
  )
}

function TryLink({ address }: { address: string }) {
  return (
    <a className={styles.try} href={address} target="_blank" rel="noopener noreferrer">
      {words.open}
      <Icon of={ExternalLink} />
    </a>
  )
}

/** The typed address, why it is refused, and the telephone numbers that it may stand for. */
function useTypedLink({ href, onApply, onRemove }: LinkBoxProps) {
  const [typed, setTyped] = useState(href)
  const [refused, setRefused] = useState<string | null>(null)
  const [choices, setChoices] = useState<ParsedPhoneLink['choices']>([])
  const input = useRef<HTMLInputElement>(null)
  const box = useRef<HTMLFieldSetElement>(null)
  const address = completed(typed)

  // At the bottom of the viewport the error and the number choices would be out of view.
  useEffect(() => {
    if (refused !== null) box.current?.scrollIntoView({ block: 'nearest' })
  }, [refused, choices])

  const refuse = (reason: string) => {
    setRefused(reason)
    input.current?.focus()
  }
  const apply = async () => {
    if (address === '') onRemove?.()
    else if (!isSafe(address)) refuse(words.refused)
    else {
      const understood = await withCountry(address, typed)
      // The box was closed or edited while the request was pending.
      if (input.current?.value !== typed) return
      setChoices(understood.choices)
      if (understood.address !== null) onApply(understood.address)
      else refuse(understood.question ?? words.noNumber)
    }
  }
  const type = (text: string) => {
    setTyped(text)
    setRefused(null)
    setChoices([])
  }
  return { box, input, typed, type, address, refused, choices, apply }
}

/** Adds the missing scheme to a typed URL, e-mail address or telephone number. */
export function completed(typed: string): string {
  const text = visibleText(typed).trim()
  if (text === '' || isSafe(text)) return text
  if (isEmailAddress(text)) return `mailto:${text}`
  // The server reads the number as it was typed (`withCountry`).
  if (/^[+(]?\d[\d\s.()/\u2010-\u2014\u2212-]{4,}$/.test(text))
    return `tel:${text.replace(/[^\d+]/g, '')}`
  return completeWebAddress(text)
}
