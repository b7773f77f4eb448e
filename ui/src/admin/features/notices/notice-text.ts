// Notices in the server's format, and their texts.
import { dayText, momentText, monthText } from '../../../lib/panel-date-format'
import { noticesMessages as words } from './messages'

export type Notice = {
  readonly number: number
  readonly subject:
    | 'testimonial'
    | 'backup'
    | 'offsite'
    | 'certificate'
    | 'device'
    | 'plan'
    | 'signups'
    | 'notStarted'
    | 'access'
    | 'unreadable'
    | 'bounces'
    | 'month'
    | 'copies'
    | 'disk'
    | 'mail'
  readonly firstAt: string
  readonly at: string
  readonly count: number
  /** Reason of the notice. `unreadable`: which sort of rows. `device`: which one signed in. `access`: what happened. `signups`: the limit reached. `month`: one fact a line. `disk`: how much is free. */
  readonly text: string
  readonly moment: string | null
  readonly isRead: boolean
  readonly solvedAt: string | null
  readonly mailedAt: string | null
}

export type Notices = {
  readonly notices: readonly Notice[]
  readonly mails: boolean
  /** The last e-mail that could not be sent, and why. */
  readonly failed: { readonly at: string; readonly reason: string } | null
  /** The account gets a summary of each month. */
  readonly monthly: boolean
}

/** Returns the text of a notice, line by line. */
export function linesOf(notice: Notice, now: number): readonly string[] {
  const { subject, text, moment, solvedAt } = notice
  switch (subject) {
    case 'testimonial':
      return [words.testimonial(notice.count)]
    case 'backup':
      return [
        words.backupFailed(text),
        solvedAt !== null
          ? words.backupSolved
          : moment === null
            ? words.backupNever
            : words.backupLast(dayText(moment)),
      ]
    case 'offsite': {
      const since = Date.parse(moment ?? notice.firstAt)
      const until = solvedAt === null ? now : Date.parse(solvedAt)
      const failed = words.offsiteFailed(words.delay(until - since), text)
      return solvedAt === null ? [failed] : [failed, words.offsiteSolved]
    }
    case 'certificate':
      if (solvedAt !== null) return [words.certificateSolved(dayText(moment ?? solvedAt))]
      return [certificateLine(moment ?? notice.at, text, now)]
    case 'device':
      return [words.device(text)]
    case 'access':
      return [words.access(text)]
    case 'plan':
      return [
        words.planWaits(momentText(moment ?? notice.firstAt), text),
        solvedAt === null ? words.planNext : words.planSolved,
      ]
    case 'notStarted':
      return [words.notStarted(text)]
    case 'unreadable':
      return [
        words.unreadable(text),
        solvedAt === null ? words.unreadableNext : words.unreadableSolved,
      ]
    case 'bounces':
      return [
        words.bounces(momentText(moment ?? notice.firstAt), text),
        solvedAt === null ? words.bouncesNext : words.bouncesSolved,
      ]
    case 'signups':
      return words.signups(text)
    case 'month':
      return [words.month(monthText(moment ?? notice.at)), ...text.split('\n')]
    case 'copies':
      return [
        words.copies,
        solvedAt !== null
          ? words.copiesSolved
          : moment === null
            ? words.backupNever
            : words.backupLast(dayText(moment)),
      ]
    case 'disk':
      return [words.disk(text), solvedAt === null ? words.diskNext : words.diskSolved]
    case 'mail':
      return [words.mail(text), solvedAt === null ? words.mailNext : words.mailSolved]
  }
}

function certificateLine(end: string, reason: string, now: number): string {
  if (Date.parse(end) <= now) return words.certificateExpired
  const midnight = (moment: number) => new Date(moment).setHours(0, 0, 0, 0)
  const days = Math.round((midnight(Date.parse(end)) - midnight(now)) / 86_400_000)
  return words.certificate(days, reason)
}

const FOR_HOST: readonly Notice['subject'][] = [
  'backup',
  'offsite',
  'certificate',
  'plan',
  'unreadable',
  'bounces',
  'copies',
  'disk',
  'mail',
]

/** Whether the operator of the server has to fix the problem. */
export function isForHost(notice: Notice): boolean {
  return notice.solvedAt === null && FOR_HOST.includes(notice.subject)
}

/** Whether the notice asks the admin if a sign-in was theirs. */
export function isQuestion({ subject }: Notice): boolean {
  return subject === 'device' || subject === 'access'
}
