// Asks once about cookies, and again after six months or on request.

import { X } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { IconButton, PillButton } from '../../primitives/actions'
import { Dialog } from '../../primitives/dialog'
import { cookieBanner } from '../content/cookie-banner'
import { TextLink } from '../sections/links'
import {
  choose,
  leavePreferences,
  openPreferences,
  startConsent,
  useConsent,
} from './consent-store'
import styles from './cookie-banner.module.css'

export function CookieBanner() {
  const shown = useConsent((state) => state.shown)
  useEffect(startConsent, [])
  if (shown === 'nothing') return null
  return shown === 'banner' ? <Banner /> : <Preferences />
}

function Banner() {
  const words = cookieBanner.banner
  return (
    <section class={styles.layer} aria-label={words.regionLabel}>
      <div class={styles.banner}>
        <h2>{words.title}</h2>
        <p>{words.text}</p>
        <IconButton
          icon={X}
          extraClass={styles.close}
          aria-label={words.close}
          onClick={() => choose(false, false)}
        />
        <div class={styles.choices}>
          <PillButton onClick={() => choose(false, false)}>
            {words.buttons.necessaryOnly}
          </PillButton>
          <PillButton onClick={() => choose(true, true)}>{words.buttons.acceptAll}</PillButton>
          <PillButton tone="quiet" onClick={openPreferences}>
            {words.buttons.customize}
          </PillButton>
          <TextLink href={words.policyLink.href}>{words.policyLink.label}</TextLink>
        </div>
      </div>
    </section>
  )
}

function Preferences() {
  const consent = useConsent((state) => state.consent)
  const [analytics, setAnalytics] = useState(consent?.analytics ?? false)
  const [marketing, setMarketing] = useState(consent?.marketing ?? false)
  const words = cookieBanner.dialog
  const { necessary, analytics: ofAnalytics, marketing: ofMarketing } = words.categories
  return (
    <Dialog
      title={words.title}
      closeLabel={words.close}
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
      <Purpose title={necessary.title} text={necessary.text} label={necessary.lockedLabel} isOn />
      <Purpose
        title={ofAnalytics.title}
        text={ofAnalytics.text}
        label={ofAnalytics.toggleLabel}
        isOn={analytics}
        onToggle={setAnalytics}
      />
      <Purpose
        title={ofMarketing.title}
        text={ofMarketing.text}
        label={ofMarketing.toggleLabel}
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
  /** Without it the purpose is locked. */
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
          role="switch"
          aria-checked={isOn}
          checked={isOn}
          disabled={onToggle === undefined}
          onChange={(event) => onToggle?.(event.currentTarget.checked)}
        />
        {label}
      </label>
    </div>
  )
}
