// The page behind a personal link: the form, the thanks, or the reason why the link has no form.

import { useEffect, useRef, useState } from 'preact/hooks'
import { PillButton } from '../../primitives/buttons'
import { testimonial as words } from '../fixed-messages/testimonial'
import { defaultImage, type PageMeta } from '../meta'
import { type Input, type SiteData, siteOf } from '../page-data'
import { ExpiredLinkDraft } from '../sections/forms/expired-link-draft'
import { TestimonialForm } from '../sections/forms/testimonial-form'
import formStyles from '../sections/forms/testimonial-form.module.css'
import {
  type FormState,
  forgetDraft,
  getLocalStorage,
  type Sent,
} from '../sections/forms/testimonial-form-state'
import { MessageScreen } from '../sections/message-screen'
import { setting } from '../settings'

type Ended = keyof typeof words.ended
type Screen = 'write' | 'thanks' | Ended
type Shown =
  | { readonly screen: 'write'; readonly given: FormState }
  | { readonly screen: 'thanks'; readonly name: string }
  | { readonly screen: Ended }
type Data = SiteData & { readonly shown: Shown }

export function slice(input: Input, key: string): Data {
  if (!isScreen(key)) throw new Error(`no testimonial screen ${key}`)
  return { ...siteOf(input), shown: shownOf(key, input.given) }
}

function shownOf(screen: Screen, given: unknown): Shown {
  switch (screen) {
    case 'write':
      // The page is published without data; no visitor gets that version.
      return given === undefined ? { screen: 'broken' } : { screen, given: given as FormState }
    case 'thanks':
      return { screen, name: (given as { readonly name: string } | undefined)?.name ?? '' }
    default:
      return { screen }
  }
}

function isScreen(key: string): key is Screen {
  return key === 'write' || key === 'thanks' || key in words.ended
}

export function meta(data: Data): PageMeta {
  return {
    title: words.documentTitle,
    description: words.page.textUnnamed,
    keywords: [],
    ogImage: defaultImage(data),
    canonical: null,
    noindex: true,
  }
}

export function Page({ data }: { readonly data: Data }) {
  const [shown, setShown] = useState(data.shown)
  switch (shown.screen) {
    case 'write':
      return (
        <TestimonialForm
          given={shown.given}
          settings={data.settings}
          onSent={(sent) => setShown(afterSending(sent))}
        />
      )
    case 'thanks':
      return <Thanks name={shown.name} data={data} />
    default:
      return <EndedScreen screen={shown.screen} />
  }
}

/** Returns the screen to show after sending; the form itself shows its faults. */
function afterSending(sent: Sent): Shown {
  const key = sent.screen.split('/').at(-1) ?? ''
  return isScreen(key) ? shownOf(key, sent) : { screen: 'broken' }
}

function Thanks({ name, data }: { readonly name: string; readonly data: Data }) {
  const { title, unnamedTitle, text, change, changeUnnamed, siteAction } = words.thanks
  const email = setting('email', data.settings)
  const focused = useArrival()
  useEffect(() => forgetDraft(getLocalStorage(), location.pathname), [])
  const screen = {
    title: name === '' ? unnamedTitle : title.replace('{name}', () => name),
    text,
    button: { label: siteAction, href: '/' },
  }
  return (
    <div ref={focused} tabIndex={-1} class={formStyles.arrival}>
      <MessageScreen words={screen}>
        <p>{email === '' ? changeUnnamed : change.replace('{email}', () => email)}</p>
      </MessageScreen>
    </div>
  )
}

/** Focuses the screen that replaces a form sent by script, so that screen readers announce it. */
function useArrival() {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (document.activeElement === document.body) element.current?.focus({ preventScroll: true })
    scrollTo({ top: 0, behavior: 'instant' })
  }, [])
  return element
}

function EndedScreen({ screen }: { readonly screen: Ended }) {
  const home = { label: words.thanks.siteAction, href: '/' }
  const button = screen === 'withdrawn' ? { button: home } : {}
  return (
    <MessageScreen words={{ ...words.ended[screen], ...button }}>
      {screen === 'used' && <Withdraw />}
      {(screen === 'expired' || screen === 'cancelled') && <ExpiredLinkDraft />}
    </MessageScreen>
  )
}

/** The link that gave the consent also withdraws it; no script is needed. */
function Withdraw() {
  const { action, title, text, confirmAction } = words.withdraw
  return (
    <details class={formStyles.withdraw}>
      <summary>{action}</summary>
      <form method="post">
        <h2>{title}</h2>
        <p>{text}</p>
        <PillButton type="submit" name="withdraw" value="1" tone="outline">
          {confirmAction}
        </PillButton>
      </form>
    </details>
  )
}
