// Removes the examples of a new site that the admin has not changed.
import { Trash2 } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { counted } from '../../../lib/plural'
import { call } from '../../api/client'
import { attempt } from '../../api/item-actions'
import { useSiteStatus } from '../../api/site-status'
import { Button } from '../../ui/button'
import { Confirm } from '../../ui/confirm-dialog'
import { words as panel } from '../../ui/messages'
import { Card } from '../../ui/page-layout'
import areas from '../../ui/page-layout.module.css'
import { toastDone } from '../../ui/toast-store'

const PATH = '/api/admin/examples'

const words = {
  title: 'Contenuti di esempio',
  text: 'Quelli che hai già cambiato restano: sono tuoi.',
  remove: 'Togli tutti gli esempi',
  question: 'Togliere tutti gli esempi?',
  trash: 'Vanno nel cestino, e da lì si possono rimettere per 30 giorni.',
  removed: 'Esempi tolti',
  restored: 'Esempi rimessi',
} as const

/** Shown while there are any. */
export function ExamplesCard() {
  const count = useSiteStatus((store) => store.status?.examples) ?? 0
  const load = useSiteStatus((store) => store.load)
  const [asks, setAsks] = useState(false)
  useEffect(() => void load(), [load])
  const restore = async (ids: readonly string[]) => {
    const done = await attempt(panel.toasts.update, () => call('POST', `${PATH}/restore`, { ids }))
    if (done) toastDone(words.restored)
    await load()
  }
  const remove = async () => {
    await attempt(panel.toasts.remove, async () => {
      const { ids } = await call<{ ids: readonly string[] }>('DELETE', PATH)
      toastDone(words.removed, () => void restore(ids))
    })
    setAsks(false)
    await load()
  }
  if (count === 0) return null
  return (
    <Card title={words.title}>
      <p className={areas.soft}>
        {counted(
          count,
          'C’è ancora un contenuto di esempio, com’era all’inizio.',
          'Ci sono ancora {n} contenuti di esempio, com’erano all’inizio.',
        )}{' '}
        {words.text}
      </p>
      <div className={areas.buttons}>
        <Button tone="outline" icon={Trash2} onClick={() => setAsks(true)}>
          {words.remove}
        </Button>
      </div>
      {asks ? (
        <Confirm
          question={words.question}
          confirm={words.remove}
          onConfirm={remove}
          onClose={() => setAsks(false)}
        >
          <p>{words.trash}</p>
        </Confirm>
      ) : null}
    </Card>
  )
}
