// Scheduled publishing and unpublishing of an item, and its texts.
import { answers } from '../../kinds/kinds.gen'
import { withArticle } from '../../lib/date-article'
import { whenText } from '../../lib/rome-time'

export type PublishSchedule = {
  readonly publishAt: string | null
  readonly withdrawAt: string | null
}

export const NO_SCHEDULE: PublishSchedule = { publishAt: null, withdrawAt: null }

export function isUnscheduled({ publishAt, withdrawAt }: PublishSchedule): boolean {
  return publishAt === null && withdrawAt === null
}

/** Lines that describe the pending steps of an item, given whether it is public now. */
export function scheduleLines(
  plan: PublishSchedule | null | undefined,
  published: boolean,
): readonly string[] {
  const { publishAt, withdrawAt } = plan ?? NO_SCHEDULE
  return [
    ...(publishAt === null || published ? [] : [`Programmato per ${whenText(publishAt)}`]),
    ...(withdrawAt === null ? [] : [`Ritiro ${withArticle('il', dayAndTime(withdrawAt))}`]),
    // Unpublished first and published again later.
    ...(publishAt === null || !published ? [] : [`Di nuovo sul sito ${whenText(publishAt)}`]),
  ]
}

/** `24 marzo alle ore 9:00`: after the article that names a day. */
function dayAndTime(moment: string): string {
  const [weekday, ...rest] = whenText(moment).split(' ')
  return rest.length === 0 ? (weekday ?? '') : rest.join(' ')
}

/** Time of the next scheduled step; null when there is none. */
export function nextMoment(
  plans: readonly (PublishSchedule | null | undefined)[],
  now: number,
): number | null {
  const moments = plans
    .flatMap((plan) => [plan?.publishAt, plan?.withdrawAt])
    .map((moment) => (typeof moment === 'string' ? Date.parse(moment) : Number.NaN))
    .filter((moment) => moment > now)
  return moments.length === 0 ? null : Math.min(...moments)
}

/** Validation messages of a schedule, by field. */
export function scheduleProblems(
  { publishAt, withdrawAt }: PublishSchedule,
  published: boolean,
  now: number,
): Readonly<Record<string, string>> {
  const past = (moment: string | null) => moment !== null && Date.parse(moment) <= now
  const { over } = answers
  const found: Record<string, string> = {}
  if (past(publishAt)) found.publishAt = over
  if (past(withdrawAt)) found.withdrawAt = over
  else if (withdrawAt !== null && !published) {
    // An unpublished item cannot be unpublished before it is published.
    if (publishAt === null) found.withdrawAt = 'Scegli anche quando compare: adesso non è sul sito.'
    else if (withdrawAt <= publishAt) {
      found.withdrawAt = 'Il ritiro deve venire dopo la pubblicazione.'
    }
  }
  return found
}
