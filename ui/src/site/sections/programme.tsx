// The text of an event, laid out as a programme where it reads like one.

import { classNames } from '../../lib/class-names'
import { parseLines, parseProgramme } from '../parse-programme'
import styles from './programme.module.css'
import parts from './shared.module.css'

type ProgrammeProps = { readonly content: string }

export function Programme({ content }: ProgrammeProps) {
  return (
    <div class={styles.programme}>
      {parseProgramme(content).map((part, index) => {
        const key = `${index}`
        if (part.kind === 'hours')
          return (
            <ol key={key} class={styles.hours}>
              {part.rows.map(({ hour, text }, row) => (
                <li key={`${row}`}>
                  <span class={styles.hour}>{hour}</span> <span>{text}</span>
                </li>
              ))}
            </ol>
          )
        if (part.kind === 'list')
          return (
            <div key={key} class={parts.points}>
              <ul>
                {part.items.map((item, row) => (
                  <li key={`${row}`}>{item}</li>
                ))}
              </ul>
            </div>
          )
        if (part.kind === 'text') return <p key={key}>{part.text}</p>
        return (
          <h3 key={key} class={part.kind === 'day' ? styles.day : undefined}>
            {part.text}
          </h3>
        )
      })}
    </div>
  )
}

type ShortTextProps = { readonly text: string; readonly look?: string | undefined }

/** A short description: its lines as typed, list lines as a list. */
export function ShortText({ text, look }: ShortTextProps) {
  return parseLines(text).map((part, index) => {
    const key = `${index}`
    if (part.kind === 'text')
      return (
        <p key={key} class={classNames(parts.lines, look)}>
          {part.text}
        </p>
      )
    return (
      <div key={key} class={classNames(parts.points, look)}>
        <ul>
          {part.items.map((item, row) => (
            <li key={`${row}`}>{item}</li>
          ))}
        </ul>
      </div>
    )
  })
}
