// Banner above the list of testimonials: the number of new ones, a button to invite, the list of invitations.
import { Inbox, Send } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useItems } from '../../api/items-store'
import type { Item } from '../../api/schema'
import { useLoad } from '../../api/use-load'
import { Button } from '../../ui/button'
import { InviteDialog } from './invite-dialog'
import { InviteList } from './invite-list'
import { type CreatedInvite, type Invites, REQUESTS_PATH } from './invites-api'
import { inviteMessages as words } from './messages'
import { ShareInviteDialog } from './share-invite'
import styles from './testimonials.module.css'

type Open = 'ask' | 'list' | { readonly made: CreatedInvite } | null

export function InvitesBanner({ onRead }: { onRead: (item: Item) => void }) {
  const { value, reload } = useLoad<Invites>(REQUESTS_PATH)
  const [open, setOpen] = useState<Open>(null)
  const items = useItems(({ lists }) => {
    const list = lists['course-testimonials']
    return list?.phase === 'ready' ? list.items : undefined
  })
  const counted = useRef(items)
  // Publishing or deleting an item of the list changes the number of new testimonials; its first loading does not.
  useEffect(() => {
    if (items === undefined) return
    const isChange = counted.current !== undefined && counted.current !== items
    counted.current = items
    if (isChange) void reload()
  }, [items, reload])
  const done = (made: CreatedInvite) => {
    setOpen({ made })
    void reload()
  }
  return (
    <div className={styles.strip}>
      {value !== null && value.new > 0 ? (
        <p className={styles.news} role="status">
          {words.received.notice(value.new)}
        </p>
      ) : (
        <p className={styles.soft}>{value === null ? '' : words.list.waiting(value.waiting)}</p>
      )}
      <div className={styles.buttons}>
        <Button tone="outline" small icon={Send} onClick={() => setOpen('ask')}>
          {words.ask.action}
        </Button>
        <Button tone="quiet" small icon={Inbox} onClick={() => setOpen('list')}>
          {words.list.title}
        </Button>
      </div>
      {open === 'ask' ? <InviteDialog onMade={done} onClose={() => setOpen(null)} /> : null}
      {open === 'list' ? (
        <InviteList
          asked={value}
          onChanged={reload}
          onMade={done}
          onRead={(item) => {
            setOpen(null)
            onRead(item)
          }}
          onClose={() => setOpen(null)}
        />
      ) : null}
      {open !== null && typeof open === 'object' ? (
        <ShareInviteDialog
          made={open.made}
          mails={value?.mails === true}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </div>
  )
}
