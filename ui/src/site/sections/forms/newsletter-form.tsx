// The form that subscribes an email address to the newsletter.

import { useId, useState } from 'preact/hooks'
import { consentText } from '../../../kinds/kinds.gen'
import { classNames } from '../../../lib/class-names'
import { PillButton } from '../../../primitives/buttons'
import { errors } from '../../fixed-messages/errors'
import { useContent } from '../../use-content'
import parts from '../shared.module.css'
import styles from './newsletter-form.module.css'

type Answer = 'success' | 'asked' | 'invalid' | 'failure' | 'network'
type State = 'idle' | 'sending' | Answer

type NewsletterProps = {
  readonly brand: string
  /** Set on a static host, which accepts no addresses: a text says so. */
  readonly isElsewhere?: boolean | undefined
}

export function Newsletter({ brand, isElsewhere = false }: NewsletterProps) {
  const words = useContent('blog.newsletter')
  const [state, setState] = useState<State>('idle')
  const id = useId()
  const { success, asked, invalid, failure } = words
  const { network } = errors
  const answers = { idle: '', sending: '', success, asked, invalid, failure, network }
  const isFault = state === 'invalid' || state === 'failure' || state === 'network'
  return (
    <section class={classNames(parts.band, parts.lake, styles.newsletter)}>
      <div class={classNames(parts.wrap, styles.inside)}>
        <div>
          <h2 class={parts.title}>{words.title}</h2>
          <p class={parts.subtitle}>{words.text}</p>
        </div>
        {isElsewhere ? (
          <p>{words.elsewhere}</p>
        ) : (
          <form
            noValidate
            onSubmit={async (event) => {
              event.preventDefault()
              const form = event.currentTarget
              if (state === 'sending') return
              setState('sending')
              const reached = await subscribe(new FormData(form).get('email'), form.checkValidity())
              setState(reached)
              if (reached === 'success' || reached === 'asked') form.reset()
            }}
          >
            <label htmlFor={`${id}-email`}>{words.emailLabel}</label>
            <div class={styles.row}>
              <input
                id={`${id}-email`}
                name="email"
                type="email"
                // Not `required`: Firefox tells screen readers at once that an empty field is invalid.
                aria-required="true"
                maxLength={254}
                autoComplete="email"
                placeholder={words.emailExample}
                aria-invalid={state === 'invalid' ? 'true' : 'false'}
                aria-describedby={`${id}-answer ${id}-consent`}
                onInput={() => setState('idle')}
              />
              <PillButton type="submit" tone="light" isBusy={state === 'sending'}>
                {words.button}
              </PillButton>
            </div>
            <p
              class={classNames(styles.answer, isFault && styles.fault)}
              id={`${id}-answer`}
              role="status"
            >
              {answers[state]}
            </p>
            <p class={styles.consent} id={`${id}-consent`}>
              {`${consentText.replace('{{brand}}', () => brand)} `}
              <a href={words.privacyLink}>{words.privacy}</a>
            </p>
          </form>
        )}
      </div>
    </section>
  )
}

async function subscribe(email: FormDataEntryValue | null, isValid: boolean): Promise<State> {
  if (!isValid || typeof email !== 'string' || email.trim() === '') return 'invalid'
  try {
    const answer = await fetch('/api/newsletter', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: email.trim(), page: location.pathname }),
    })
    // A response with a body means that a confirmation email is sent.
    if (answer.ok) return (await answer.text()) === '' ? 'success' : 'asked'
    return answer.status === 422 ? 'invalid' : 'failure'
  } catch {
    return 'network'
  }
}
