// Day and time of a moment in the future, in Rome time.
import { now } from '../../../lib/clock'
import { romeDay, romeFields, romeMoment, whenText } from '../../../lib/rome-time'
import { Button } from '../button'
import styles from './moment-fields.module.css'
import { TextField } from './text-field'

const MORNING = '09:00'

export type Moment = { readonly day: string; readonly time: string }

const EMPTY: Moment = { day: '', time: '' }

export function fieldsOf(moment: string | null): Moment {
  return moment === null ? EMPTY : romeFields(Date.parse(moment))
}

/** RFC 3339 moment of the two fields; null while no day is chosen. */
export function momentOf({ day, time }: Moment): string | null {
  return day === '' ? null : romeMoment(day, time === '' ? MORNING : time)
}

type MomentFieldsProps = {
  name: string
  legend: string
  fields: Moment
  problem: string | undefined
  said: (when: string) => string
  none: string
  onChange: (fields: Moment) => void
}

export function MomentFields(props: MomentFieldsProps) {
  const { name, legend, fields, problem, said, none, onChange } = props
  const moment = momentOf(fields)
  return (
    <fieldset className={styles.moment}>
      <legend>{legend}</legend>
      <div className={styles.fields}>
        <TextField
          id={name}
          label="Giorno"
          type="date"
          value={fields.day}
          problem={problem}
          onChange={(day) =>
            onChange(day === '' ? EMPTY : { day, time: fields.time === '' ? MORNING : fields.time })
          }
        />
        <TextField
          id={`${name}-time`}
          label="Ora"
          type="time"
          value={fields.time}
          onChange={(time) => onChange({ ...fields, time })}
        />
      </div>
      <p role="status">{moment === null ? none : said(whenText(moment))}</p>
      <div className={styles.buttons}>
        <Button
          tone="quiet"
          small
          onClick={() => onChange({ day: romeDay(now(), 1), time: MORNING })}
        >
          Domani alle 9
        </Button>
        {moment === null ? null : (
          <Button tone="quiet" small onClick={() => onChange(EMPTY)}>
            Togli
          </Button>
        )}
      </div>
    </fieldset>
  )
}
