// Asks for consent to cookies once, and again after six months or on request.

import { X } from 'lucide'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { IconButton, PillButton } from '../../primitives/buttons'
import { Dialog } from '../../primitives/dialog'
import { cookieLabels, labels } from '../fixed-messages/control-labels'
import { TextLink } from '../sections/links'
import { useContent } from '../use-content'
import {
  choose,
  leavePreferences,
  openPreferences,
  startConsent,
  useConsent,
} from './consent-store'
import styles from './cookie-banner.module.css'

const focusMarginPx = 12

type CookieBannerProps = { readonly countsVisits: boolean }

export function CookieBanner({ countsVisits }: CookieBannerProps) {
  const shown = useConsent((state) => state.shown)
  useEffect(startConsent, [])
  const isAsked = useConsent((state) => state.consent === null)
  useFocusAfter(shown !== 'nothing')
  if (shown === 'nothing') return null
  // The banner stays behind the preferences, so that the focus can return to the pressed button.
  return (
    <>
      {isAsked && <Banner />}
      {shown === 'preferences' && <Preferences countsVisits={countsVisits} />}
    </>
  )
}

/**
 * Moves the focus to the page when the pressed button disappears with the banner. Waits until
 * banner and preferences are gone: an open dialog keeps the page from taking the focus.
 */
function useFocusAfter(isShown: boolean) {
  const wasShown = useRef(false)
  useLayoutEffect(() => {
    const isLost = document.activeElement === document.body
    if (wasShown.current && !isShown && isLost)
      document.querySelector('main')?.focus({ preventScroll: true })
    wasShown.current = isShown
  }, [isShown])
}

function Banner() {
  const words = useContent('cookies.banner')
  const box = useRef<HTMLDivElement>(null)
  useFocusClearOf(box)
  return (
    <section class={styles.layer} aria-label={cookieLabels.region} data-asks="">
      <div class={styles.banner} ref={box}>
        <p>
          {words.text} <TextLink href={words.policyLink}>{words.policy}</TextLink>
        </p>
        <IconButton
          icon={X}
          extraClass={styles.close}
          aria-label={cookieLabels.close}
          onClick={() => choose(false, false)}
        />
        <div class={styles.choices}>
          <PillButton onClick={() => choose(false, false)}>{words.necessaryOnly}</PillButton>
          <PillButton onClick={() => choose(true, true)}>{words.acceptAll}</PillButton>
          <PillButton tone="quiet" onClick={openPreferences}>
            {words.customize}
          </PillButton>
        </div>
      </div>
    </section>
  )
}

/** Scrolls a focused element out from under the banner (WCAG 2.4.11). */
function useFocusClearOf(box: { readonly current: HTMLElement | null }) {
  useEffect(() => {
    const uncover = ({ target }: FocusEvent) => {
      const banner = box.current
      if (!banner || !(target instanceof Element) || banner.contains(target)) return
      // Dialogs lie above the banner, and `main` is the page itself.
      if (target.matches('main, dialog *')) return
      const over = banner.getBoundingClientRect().top - target.getBoundingClientRect().bottom
      if (over < focusMarginPx) scrollBy({ top: focusMarginPx - over, behavior: 'instant' })
    }
    addEventListener('focusin', uncover)
    return () => removeEventListener('focusin', uncover)
  }, [box])
}

function Preferences({ countsVisits }: CookieBannerProps) {
  const consent = useConsent((state) => state.consent)
  const [analytics, setAnalytics] = useState(consent?.analytics ?? false)
  const [marketing, setMarketing] = useState(consent?.marketing ?? false)
  const words = useContent('cookies.preferences')
  return (
    <Dialog
      title={words.title}
      closeLabel={labels.close}
      onClose={leavePreferences}
      footer={
        <>
          <PillButton tone="quiet" onClick={leavePreferences}>
            {words.cancel}
          </PillButton>
          <PillButton onClick={() => choose(analytics, marketing)}>{words.save}</PillButton>
        </>
      }
    >
      <p>{words.text}</p>
      <Purpose
        title={words.necessaryTitle}
        text={words.necessary}
        label={words.necessaryLabel}
        isOn
      />
      <Purpose
        title={words.analyticsTitle}
        text={countsVisits ? words.analyticsCounted : words.analytics}
        label={words.analyticsLabel}
        isOn={analytics}
        onToggle={setAnalytics}
      />
      <Purpose
        title={words.marketingTitle}
        text={words.marketing}
        label={words.marketingLabel}
        isOn={marketing}
        onToggle={setMarketing}
      />
    </Dialog>
  )
}

type PurposeProps = {
  readonly title: string
  readonly text: string
  readonly label: string
  readonly isOn: boolean
  /** Absent: the visitor cannot change the purpose. */
  readonly onToggle?: (isOn: boolean) => void
}

function Purpose({ title, text, label, isOn, onToggle }: PurposeProps) {
  return (
    <div class={styles.purpose}>
      <h3>{title}</h3>
      <p>{text}</p>
      <label>
        <input
          type="checkbox"
          // biome-ignore lint/a11y/useAriaPropsForRole: `checked` is the state; ARIA in HTML forbids aria-checked beside it
          role="switch"
          checked={isOn}
          disabled={onToggle === undefined}
          onChange={(event) => onToggle?.(event.currentTarget.checked)}
        />
        {label}
      </label>
    </div>
  )
}
