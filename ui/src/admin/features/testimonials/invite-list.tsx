// The list of personal links, with their recipient, state and actions.
import { useState } from 'preact/hooks'
import { now } from '../../../lib/clock'
import { call, createOnce } from '../../api/client'
import { attempt } from '../../api/item-actions'
import type { Item } from '../../api/schema'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Confirm } from '../../ui/confirm-dialog'
import { Dialog } from '../../ui/dialog'
import { toastDone } from '../../ui/toast-store'
import {
  type CreatedInvite,
  daysLeft,
  type Invite,
  type Invites,
  REQUESTS_PATH,
} from './invites-api'
import { inviteMessages } from './messages'
import styles from './testimonials.module.css'

const words = inviteMessages.list

type ListProps = {
  asked: Invites | null
  onChanged: () => Promise<void>
  onMade: (made: CreatedInvite) => void
  onRead: (item: Item) => void
  onClose: () => void
}

export function InviteList({ asked, onChanged, onMade, onRead, onClose }: ListProps) {
  const [cancelling, setCancelling] = useState<Invite | null>(null)
  const renew = async ({ id }: Invite) => {
    const done = await attempt(inviteMessages.ask.failed, async () => {
      onMade(await createOnce<CreatedInvite>(`${REQUESTS_PATH}/${id}/renew`))
    })
    if (done) toastDone(words.renewed)
  }
  const read = async (itemId: string) => {
    await attempt(words.failed, async () => {
      onRead(await call<Item>('GET', `/api/admin/course-testimonials/${itemId}`))
    })
  }
  const requests = asked?.requests ?? []
  return (
    <Dialog title={words.title} onClose={onClose}>
      {asked === null ? <p role="alert">{words.failed}</p> : null}
      {asked !== null && requests.length === 0 ? <p>{words.empty}</p> : null}
      <ul className={styles.requests}>
        {requests.map((request) => (
          <li key={request.id}>
            <Who request={request} />
            <div className={styles.buttons}>
              {request.itemId === null ? null : (
                <Button tone="outline" small onClick={() => void read(request.itemId ?? '')}>
                  {words.read}
                </Button>
              )}
              {isOpen(request) ? (
                <Button tone="quiet" small onClick={() => setCancelling(request)}>
                  {words.cancel}
                </Button>
              ) : null}
              {request.state === 'received' ? null : (
                <Button tone="quiet" small onClick={() => void renew(request)}>
                  {words.renew}
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {cancelling === null ? null : (
        <Confirm
          question={words.cancelQuestion}
          confirm={words.cancel}
          onClose={() => setCancelling(null)}
          onConfirm={async () => {
            const path = `${REQUESTS_PATH}/${cancelling.id}`
            if (await attempt(words.cancel, () => call('DELETE', path))) toastDone(words.cancelled)
            await onChanged()
            setCancelling(null)
          }}
        >
          <p>{words.cancelNote}</p>
        </Confirm>
      )}
    </Dialog>
  )
}

function isOpen({ state }: Invite): boolean {
  return state === 'waiting' || state === 'opened'
}

function Who({ request }: { request: Invite }) {
  const { name, activity, state, until } = request
  return (
    <div>
      <p className={styles.who}>
        <b>{name || words.unnamed}</b>
        <Badge tone={state === 'received' ? 'good' : 'quiet'}>{words.states[state]}</Badge>
      </p>
      {activity === '' ? null : <p>{activity}</p>}
      {isOpen(request) ? (
        <p
          className={styles.soft}
        >{`${words.until} ${until}. ${words.daysLeft(daysLeft(request, now()))}.`}</p>
      ) : null}
    </div>
  )
}
