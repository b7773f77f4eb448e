// Creates a personal link, after the name of the person and the confirmation that they took part.

import { Link2 } from 'lucide'
import { useState } from 'preact/hooks'
import { testimonialLimits } from '../../../kinds/lazy-constants.gen'
import { createOnce } from '../../api/client'
import { Alert } from '../../auth/sign-in-form'
import { formProblem, useSubmit } from '../../hooks/use-submit'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { TextField } from '../../ui/fields/text-field'
import { type CreatedInvite, REQUESTS_PATH } from './invites-api'
import { inviteMessages } from './messages'
import styles from './testimonials.module.css'

const words = inviteMessages.ask

export function InviteDialog({
  onMade,
  onClose,
}: {
  onMade: (made: CreatedInvite) => void
  onClose: () => void
}) {
  const [name, setName] = useState('')
  const [activity, setActivity] = useState('')
  const [attended, setAttended] = useState(false)
  const sending = useSubmit(async () => {
    onMade(await createOnce<CreatedInvite>(REQUESTS_PATH, { name, activity, attended }))
  })
  const problem = formProblem(sending.error)
  return (
    <Dialog title={words.action} onClose={onClose} size="small">
      <form className={styles.form} {...sending.form}>
        <p>{words.text}</p>
        {problem === null ? null : <Alert text={problem} />}
        <TextField
          id="asked-name"
          label={words.name}
          placeholder={words.namePlaceholder}
          help={words.nameHint}
          value={name}
          max={testimonialLimits.name}
          problem={sending.problems.name}
          onChange={setName}
        />
        <TextField
          id="asked-activity"
          label={words.activity}
          placeholder={words.activityPlaceholder}
          help={words.activityHint}
          value={activity}
          max={testimonialLimits.activity}
          problem={sending.problems.activity}
          onChange={setActivity}
        />
        <Attended checked={attended} problem={sending.problems.attended} onChange={setAttended} />
        <p className={styles.soft}>{words.noReward}</p>
        {isLocal() ? <p className={styles.soft}>{words.local}</p> : null}
        <Button submit icon={Link2} busy={sending.busy}>
          {words.create}
        </Button>
      </form>
    </Dialog>
  )
}

type AttendedProps = {
  checked: boolean
  problem: string | undefined
  onChange: (checked: boolean) => void
}

function Attended({ checked, problem, onChange }: AttendedProps) {
  const id = 'asked-attended-problem'
  return (
    <div>
      <label className={styles.check}>
        <input
          id="asked-attended"
          type="checkbox"
          checked={checked}
          {...(problem === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': id })}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        {words.attended}
      </label>
      {problem === undefined ? null : (
        <p id={id} className={styles.fault} role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

function isLocal(): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname)
}
