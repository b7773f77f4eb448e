// Preview of a newsletter in mail programs, with the warnings before it is sent.
import { useState } from 'preact/hooks'
import { Button } from '../../ui/button'
import { newsletterMessages as words } from './messages'
import styles from './newsletter.module.css'
import { type Preview, sendingPath } from './newsletter-api'

type Mode = keyof typeof words.preview.modes

const MODES = Object.keys(words.preview.modes).filter(
  (mode): mode is Mode => mode in words.preview.modes,
)

export function NewsletterPreview({ id, preview }: { id: string; preview: Preview }) {
  const [mode, setMode] = useState<Mode>('wide')
  const size = `${Math.max(1, Math.round(preview.bytes / 1000))} KB`
  return (
    <section className={styles.preview}>
      <h3>{words.preview.title}</h3>
      <p>{words.preview.text}</p>
      <dl className={styles.inbox}>
        <dt>{words.preview.inbox}</dt>
        <dd>
          <b>{preview.sender}</b>
          <span>
            {preview.subject || words.untitled} <i>{preview.preheader}</i>
          </span>
        </dd>
      </dl>
      <fieldset className={styles.modes} aria-label={words.preview.tabsAria}>
        {MODES.map((one) => (
          <Button
            key={one}
            tone={one === mode ? 'primary' : 'outline'}
            small
            pressed={one === mode}
            onClick={() => setMode(one)}
          >
            {words.preview.modes[one]}
          </Button>
        ))}
      </fieldset>
      {mode === 'plain' ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text must scroll without a mouse
        <pre tabIndex={0}>{preview.text}</pre>
      ) : (
        <iframe
          className={mode === 'phone' ? styles.phone : ''}
          title={words.preview.frame(preview.subject)}
          src={sendingPath(id, `/preview.html?mode=${mode}`)}
          sandbox=""
        />
      )}
      <p className={styles.soft}>{words.preview.size(size, Math.round(preview.bytesMax / 1000))}</p>
    </section>
  )
}

export function Checks({ preview }: { preview: Preview }) {
  const notes: Readonly<Record<string, string>> = words.checks.notes
  const lines = [
    ...preview.faults.map(({ code, text }) => ({ code, text, isFault: true })),
    ...preview.notes.map((code) => ({ code, text: notes[code] ?? code, isFault: false })),
  ]
  return (
    <section>
      <h3>{words.checks.title}</h3>
      {lines.length === 0 ? <p>{words.checks.ok}</p> : null}
      <ul className={styles.checks}>
        {lines.map(({ code, text, isFault }) => (
          <li key={code} className={isFault ? styles.fault : ''}>
            {text}
          </li>
        ))}
      </ul>
    </section>
  )
}
