// Telephone field that shows how the server parses the number, with a link to test it.
import { useState } from 'preact/hooks'
import hidden from '../../../primitives/hidden.module.css'
import { usePhonePreview } from '../../hooks/use-phone-preview'
import { Button } from '../button'
import type { ControlProps } from './field-shell'
import styles from './fields.module.css'
import { TextField } from './text-field'

const TRY = 'Prova il link'

type PhoneFieldProps = ControlProps & { tries: 'call' | 'message' }

export function PhoneField({ tries, ...control }: PhoneFieldProps) {
  const { value, onChange } = control
  // The text as typed while the field has the focus: formatting would move the caret.
  const [written, setWritten] = useState<string | null>(null)
  const answer = usePhonePreview(value)
  const reading = answer?.reading ?? null
  const choices = answer?.choices ?? []
  const shown = written ?? reading?.text ?? value
  return (
    <div className={styles.withReading}>
      <TextField
        {...control}
        type="tel"
        value={shown}
        autoComplete="tel"
        onFocus={() => setWritten(shown)}
        onBlur={() => setWritten(null)}
        onChange={(text) => {
          setWritten(text)
          onChange(text)
        }}
      />
      <div className={styles.reading} aria-live="polite">
        {reading === null ? null : (
          <>
            <span>{`Si legge ${reading.text}`}</span>
            <TryLink number={reading.number} tries={tries} />
          </>
        )}
        {choices.length === 0 ? null : (
          <>
            <span>{answer?.question}</span>
            {choices.map(({ number, text }) => (
              <Button key={number} tone="outline" small onClick={() => onChange(number)}>
                {text}
              </Button>
            ))}
          </>
        )}
      </div>
    </div>
  )
}

function TryLink({ number, tries }: { number: string; tries: 'call' | 'message' }) {
  if (tries === 'call') return <a href={`tel:${number}`}>{TRY}</a>
  return (
    <a href={`https://wa.me/${number.slice(1)}`} target="_blank" rel="noopener noreferrer">
      {TRY}
      <span className={hidden.hidden}> (si apre in una nuova scheda)</span>
    </a>
  )
}
