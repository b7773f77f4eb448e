// The items deleted in the last thirty days, to restore or to delete for good.
import { ImageOff, Trash2, Undo2 } from 'lucide'
import { useState } from 'preact/hooks'
import { withArticle } from '../../../lib/date-article'
import { momentText } from '../../../lib/panel-date-format'
import { Icon } from '../../../primitives/icon'
import { call } from '../../api/client'
import { attempt, restore } from '../../api/item-actions'
import { kindLabels } from '../../api/kind-labels'
import { type Item, type Kind, kindSpecs, titleOf } from '../../api/schema'
import { useLoad } from '../../api/use-load'
import { useIsOwner } from '../../auth/session-store'
import { useFocusAfter } from '../../hooks/focus-recovery'
import { Button, IconButton } from '../../ui/button'
import { Confirm } from '../../ui/confirm-dialog'
import { words } from '../../ui/messages'
import { PageLayout, WhenLoaded } from '../../ui/page-layout'
import styles from '../../ui/page-layout.module.css'
import { thumbnailUrl } from '../../ui/thumbnail'
import { toastDone } from '../../ui/toast-store'
import { listMessages } from './list-messages'

type Trashed = {
  readonly id: string
  readonly kind: Kind
  readonly deletedAt: string
  readonly item: Item
}

type Asking = { what: 'empty' } | { what: 'one'; trashed: Trashed }

export function TrashArea() {
  const data = useLoad<readonly Trashed[]>('/api/admin/trash')
  const [asking, setAsking] = useState<Asking | null>(null)
  const main = () => document.querySelector('main')
  const gone = useFocusAfter(main, data.value, data.value !== null)
  const rowIndexOf = (id: string) => data.value?.findIndex((one) => one.id === id) ?? 0
  const forget = async (path: string, done: string, index: number) => {
    const isDone = await attempt(words.toasts.remove, () => call('DELETE', path))
    if (isDone) {
      toastDone(done)
      gone(index)
    }
    setAsking(null)
    await data.reload()
  }
  const putBack = async ({ kind, id }: Trashed) => {
    const index = rowIndexOf(id)
    if (await restore(kind, id)) gone(index, 'first')
    await data.reload()
  }
  const isOwner = useIsOwner()
  const count = data.value?.length ?? 0
  return (
    <PageLayout
      title="Cestino"
      text="Quello che elimini resta qui 30 giorni, foto comprese. Poi sparisce per sempre."
      actions={
        count === 0 || !isOwner ? null : (
          <Button tone="outline" icon={Trash2} onClick={() => setAsking({ what: 'empty' })}>
            Svuota adesso
          </Button>
        )
      }
    >
      <WhenLoaded data={data}>
        {(list) =>
          list.length === 0 ? (
            <p className={styles.quiet}>Il cestino è vuoto.</p>
          ) : (
            <ul className={styles.rows}>
              {list.map((trashed) => (
                <Row
                  key={trashed.id}
                  trashed={trashed}
                  onRestore={() => void putBack(trashed)}
                  onForget={isOwner ? () => setAsking({ what: 'one', trashed }) : null}
                />
              ))}
            </ul>
          )
        }
      </WhenLoaded>
      {asking?.what === 'empty' ? (
        <Confirm
          question="Vuoi svuotare il cestino?"
          confirm="Svuota"
          onClose={() => setAsking(null)}
          onConfirm={() => forget('/api/admin/trash', 'Cestino svuotato', 0)}
        >
          <p>Non si può tornare indietro.</p>
        </Confirm>
      ) : null}
      {asking?.what === 'one' ? (
        <Confirm
          question={listMessages[asking.trashed.kind].confirmDelete}
          confirm="Elimina per sempre"
          onClose={() => setAsking(null)}
          onConfirm={() =>
            forget(
              `/api/admin/trash/${asking.trashed.id}`,
              kindLabels[asking.trashed.kind].deleted,
              rowIndexOf(asking.trashed.id),
            )
          }
        >
          <p>
            <b>{titleOf(asking.trashed.item, words.untitled)}</b>
          </p>
          <p>Non si può tornare indietro.</p>
        </Confirm>
      ) : null}
    </PageLayout>
  )
}

type RowProps = { trashed: Trashed; onRestore: () => void; onForget: (() => void) | null }

function Row({ trashed, onRestore, onForget }: RowProps) {
  const title = titleOf(trashed.item, words.untitled)
  const src = thumbnailUrl(trashed.item.image, 64)
  const [broken, setBroken] = useState(false)
  return (
    <li data-item={trashed.id}>
      {!kindSpecs[trashed.kind].picture ? null : src === null || broken ? (
        <span className={styles.thumb}>
          <Icon size={20} of={ImageOff} />
        </span>
      ) : (
        <img src={src} alt="" className={styles.thumb} onError={() => setBroken(true)} />
      )}
      <div className={styles.grow}>
        <b>{title}</b>
        <small>
          {kindLabels[trashed.kind].label} · nel cestino{' '}
          {withArticle('dal', momentText(trashed.deletedAt))}
        </small>
      </div>
      <Button tone="outline" small icon={Undo2} label={`Ripristina: ${title}`} onClick={onRestore}>
        Ripristina
      </Button>
      {onForget === null ? null : (
        <IconButton
          label={`Elimina per sempre: ${title}`}
          icon={Trash2}
          danger
          onClick={onForget}
        />
      )}
    </li>
  )
}
