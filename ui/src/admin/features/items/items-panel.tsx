// The list of one kind, the same for every kind: search, add, reorder, edit, delete.

import { CircleAlert, ImagePlus, Plus, RotateCcw, Search } from 'lucide'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { now } from '../../../lib/clock'
import hidden from '../../../primitives/hidden.module.css'
import { Icon } from '../../../primitives/icon'
import { call, isStatus, reasonOf } from '../../api/client'
import { removeItem } from '../../api/item-actions'
import { type List, useItems, useList } from '../../api/items-store'
import { kindLabels } from '../../api/kind-labels'
import { nextMoment } from '../../api/schedule'
import { type Item, type Kind, kindSpecs, titleOf } from '../../api/schema'
import { kindHref, NEW_ITEM, useRoute } from '../../app/routes'
import { useFocusAfter } from '../../hooks/focus-recovery'
import { useDebouncedValue } from '../../hooks/use-debounced-value'
import { useFileDrop } from '../../hooks/use-file-drop'
import { Button } from '../../ui/button'
import { Confirm } from '../../ui/confirm-dialog'
import { lazy, lazyAddition } from '../../ui/lazy'
import { words } from '../../ui/messages'
import field from '../../ui/search-field.module.css'
import { thumbnailUrl } from '../../ui/thumbnail'
import { toastFailed } from '../../ui/toast-store'
import { ItemList } from './item-list'
import styles from './items-panel.module.css'
import { listMessages } from './list-messages'
import { itemMessages } from './messages'
import type { EditorProps } from './use-item-editor'

const ItemEditor = lazy(() => import('./item-editor').then(({ ItemEditor }) => ItemEditor))

const AddPictures = lazy(() =>
  // biome-ignore lint/style/noRestrictedImports: images dropped on a list open the batch form
  import('../media-batch/add-pictures').then(({ AddPictures }) => AddPictures),
)

/** Names the other places of a picture whose item is about to be deleted. */
const PictureElsewhere = lazyAddition(() =>
  // biome-ignore lint/style/noRestrictedImports: an item's picture may be shown by any feature
  import('../pictures/picture-elsewhere').then(({ PictureElsewhere }) => PictureElsewhere),
)

/** Shows the sentences that have the former price or name of a saved item. */
const StaleAfterSave = lazy(() =>
  // biome-ignore lint/style/noRestrictedImports: the texts of the pages are searched after a save
  import('../site-editor/panel/stale-after-save').then(({ StaleAfterSave }) => StaleAfterSave),
)

/** Invitations to write a testimonial, above their list. */
const InvitesBanner = lazy(() =>
  // biome-ignore lint/style/noRestrictedImports: the list of testimonials begins with the invitations
  import('../testimonials/invites-banner').then(({ InvitesBanner }) => InvitesBanner),
)

/** Lists with fewer items have no search field. */
const SEARCH_ITEMS_MIN = 5

type Open =
  | { what: 'add'; files: readonly File[] }
  | { what: 'edit'; item: Item; held?: Readonly<Record<string, string>> | undefined }
  | { what: 'delete'; item: Item }

/** A change of a published item. */
type Changed = Parameters<NonNullable<EditorProps['onChanged']>>[0]

/** Whether items of the kind have a price, as services and packages have. */
function hasPrice(kind: Kind): boolean {
  return Object.values(kindSpecs[kind].fields).some(({ type }) => type === 'price')
}

export function ItemsPanel({ kind, level }: { kind: Kind; level: 1 | 2 }) {
  const own = listMessages[kind]
  const { label } = kindLabels[kind]
  const list = useList(kind)
  const load = useItems((store) => store.load)
  const [open, setOpen] = useState<Open | null>(null)
  const [changed, setChanged] = useState<Changed | null>(null)
  const [search, setSearch] = useSearch(kind)
  const isSearched = useSearchField(list, search)
  const byPictures = own.addBy === 'pictures'

  useEffect(() => {
    if (useItems.getState().lists[kind] === undefined) void load(kind)
  }, [kind, load])
  usePreloadedForms(list)
  useReadingAtPlans(kind, list)
  useNamedItem(kind, (item) =>
    setOpen((now) => now ?? (item === null ? { what: 'add', files: [] } : { what: 'edit', item })),
  )
  useFileDrop(byPictures && open === null, (files) => setOpen({ what: 'add', files }))

  const panel = useRef<HTMLElement>(null)
  const gone = useFocusAfter(() => panel.current, open, open === null)

  const forgetChanged = useCallback(() => setChanged(null), [])
  const add = () => setOpen({ what: 'add', files: [] })
  const Heading = level === 1 ? 'h1' : 'h2'
  return (
    <section className={styles.panel} ref={panel}>
      <div className={styles.head}>
        <div>
          <Heading tabIndex={-1}>{label}</Heading>
          <p>{own.text}</p>
        </div>
        {list.total === 0 ? null : (
          <Button icon={byPictures ? ImagePlus : Plus} onClick={add} className={styles.add ?? ''}>
            {own.add}
          </Button>
        )}
      </div>
      {own.isAsked === true ? (
        <InvitesBanner onRead={(item) => setOpen({ what: 'edit', item })} />
      ) : null}
      {isSearched ? <SearchField value={search} onChange={setSearch} label={label} /> : null}
      {list.stale ? <Stale onRetry={() => void load(kind)} /> : null}
      <Body
        list={list}
        level={level === 1 ? 2 : 3}
        kind={kind}
        onAdd={add}
        onRetry={() => void load(kind)}
        onEdit={(item, held) => setOpen({ what: 'edit', item, held })}
        onDelete={(item) => setOpen({ what: 'delete', item })}
      />
      {open === null ? null : (
        <OpenDialog
          kind={kind}
          open={open}
          onGone={gone}
          onClose={() => setOpen(null)}
          onChanged={hasPrice(kind) ? setChanged : undefined}
        />
      )}
      {changed === null ? null : <StaleAfterSave change={changed} onClose={forgetChanged} />}
    </section>
  )
}

/** Loads the forms once a list is shown: then they open at once, and without a connection. */
function usePreloadedForms({ phase }: List): void {
  useEffect(() => {
    if (phase !== 'ready') return
    ItemEditor.preload()
    AddPictures.preload()
  }, [phase])
}

/** Opens the item that the URL names, null for a new one, then replaces the URL by that of the list. */
function useNamedItem(kind: Kind, show: (item: Item | null) => void): void {
  const id = useRoute().rest.at(kind === 'blog' ? 0 : 1)
  /** Id of the requested item; null once the admin has gone to another list, so that the answer is ignored. */
  const awaited = useRef<string | null>(null)
  useEffect(() => {
    if (id === undefined) return
    history.replaceState(history.state, '', kindHref(kind))
    if (id === NEW_ITEM) {
      show(null)
      return
    }
    awaited.current = id
    call<Item>('GET', `/api/admin/${kind}/${encodeURIComponent(id)}`).then(
      (item) => {
        if (awaited.current === id) show(item)
      },
      (error) => {
        // A deleted item leaves the list open without a message.
        if (awaited.current !== id || isStatus(error, 404)) return
        toastFailed(words.loadError.title, reasonOf(error))
      },
    )
  }, [kind, id])
  useEffect(
    () => () => {
      awaited.current = null
    },
    [kind],
  )
}

/** The server looks for due schedules every 10 s. */
const AFTER_PLAN_MS = 12_000
const TIMER_MS_MAX = 86_400_000

/** Reloads the list after the next scheduled publication or withdrawal of its items. */
function useReadingAtPlans(kind: Kind, { items }: List): void {
  useEffect(() => {
    const next = nextMoment(
      items.map(({ plan }) => plan),
      now(),
    )
    if (next === null) return undefined
    const wait = Math.min(next - now() + AFTER_PLAN_MS, TIMER_MS_MAX)
    const timer = setTimeout(() => void useItems.getState().load(kind, true), wait)
    return () => clearTimeout(timer)
  }, [kind, items])
}

/** Shown above the loaded rows when a reload fails: old rows are more useful than an empty panel. */
function Stale({ onRetry }: { onRetry: () => void }) {
  return (
    <div className={styles.stale} role="status">
      <Icon of={CircleAlert} size={20} />
      <p>{itemMessages.staleList}</p>
      <Button tone="outline" small icon={RotateCcw} onClick={onRetry}>
        {words.retry}
      </Button>
    </div>
  )
}

/** Returns the text of the search field; the list is searched once typing pauses. */
function useSearch(kind: Kind): [string, (words: string) => void] {
  const [text, setText] = useState(useItems.getState().lists[kind]?.search ?? '')
  const words = useDebouncedValue(text)
  useEffect(() => {
    const { lists, search } = useItems.getState()
    if (words !== (lists[kind]?.search ?? '')) void search(kind, words)
  }, [kind, words])
  return [text, setText]
}

/** Once shown the field stays, because a list may be short only while it is filtered. */
function useSearchField({ total, search }: List, typed: string): boolean {
  const isFilled = typed !== '' || search !== ''
  const wasThere = useRef(false)
  wasThere.current = isFilled || total >= SEARCH_ITEMS_MIN || (wasThere.current && total > 0)
  return wasThere.current
}

type BodyProps = {
  list: List
  level: 2 | 3
  kind: Kind
  onAdd: () => void
  onRetry: () => void
  onEdit: (item: Item, held?: Readonly<Record<string, string>>) => void
  onDelete: (item: Item) => void
}

function Body(props: BodyProps) {
  const { kind } = props
  const { phase, items, found, total, search } = props.list
  const own = listMessages[kind]
  if (phase === 'failed') {
    return (
      <div className={`${styles.empty} ${styles.bad}`} role="alert">
        <Icon of={CircleAlert} size={36} />
        <p className={styles.emptyTitle}>{words.loadError.title}</p>
        <p>{words.loadError.text}</p>
        <Button tone="outline" icon={RotateCcw} onClick={props.onRetry}>
          {words.retry}
        </Button>
      </div>
    )
  }
  if (phase !== 'ready') return <Skeleton />
  if (total === 0) {
    return (
      <div className={styles.empty}>
        <EmptyArt />
        <p className={styles.emptyTitle}>{own.empty}</p>
        <p>{own.emptyHint}</p>
        <Button icon={Plus} onClick={props.onAdd}>
          {own.add}
        </Button>
      </div>
    )
  }
  if (items.length === 0) {
    return <p className={styles.nothing}>Qui non c’è nulla con queste parole.</p>
  }
  return (
    <>
      <ItemList
        kind={kind}
        items={items}
        total={total}
        ordered={search === ''}
        level={props.level}
        onEdit={props.onEdit}
        onDelete={props.onDelete}
      />
      {items.length < found ? <More kind={kind} shown={items.length} found={found} /> : null}
    </>
  )
}

/** Loads the next rows when the end of the list comes into view, or at the press of its button. */
function More({ kind, shown, found }: { kind: Kind; shown: number; found: number }) {
  const foot = useRef<HTMLDivElement>(null)
  const loadMore = useItems((store) => store.loadMore)
  useEffect(() => {
    if (foot.current === null) return undefined
    const watcher = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting === true) void loadMore(kind)
      },
      { rootMargin: '600px' },
    )
    watcher.observe(foot.current)
    return () => watcher.disconnect()
  }, [kind, loadMore, shown])
  return (
    <div ref={foot} className={styles.more}>
      <p role="status">{words.more.shown(shown, found)}</p>
      <Button tone="outline" onClick={() => void loadMore(kind)}>
        {words.more.action}
      </Button>
    </div>
  )
}

type OpenDialogProps = {
  kind: Kind
  open: Open
  /** Called with the index of the deleted row. */
  onGone: (index: number) => void
  onClose: () => void
  onChanged: ((change: Changed) => void) | undefined
}

function OpenDialog({ kind, open, onGone, onClose, onChanged }: OpenDialogProps) {
  const own = listMessages[kind]
  if (open.what === 'add' && own.addBy === 'pictures') {
    return <AddPictures kind={kind} files={open.files} onClose={onClose} />
  }
  if (open.what === 'add') return <ItemEditor kind={kind} item={null} onClose={onClose} />
  if (open.what === 'edit') {
    const { item, held } = open
    return <ItemEditor key={item.id} {...{ kind, item, held, onClose, onChanged }} />
  }
  const { item } = open
  return (
    <Confirm
      question={own.confirmDelete}
      picture={thumbnailUrl(item.image, 160)}
      confirm={words.remove}
      busyLabel={words.deleting}
      onClose={onClose}
      onConfirm={async () => {
        const { items = [] } = useItems.getState().lists[kind] ?? {}
        const index = items.findIndex(({ id }) => id === item.id)
        if (await removeItem(kind, item)) onGone(index)
        onClose()
      }}
    >
      <p>
        <b>{titleOf(item, words.untitled)}</b>
      </p>
      <p>{own.staysInTrash}</p>
      {item.image ? <PictureElsewhere path={item.image.url} id={item.id} /> : null}
    </Confirm>
  )
}

type SearchProps = { value: string; onChange: (value: string) => void; label: string }

function SearchField({ value, onChange, label }: SearchProps) {
  return (
    <search className={`${field.field} ${styles.search}`}>
      <Icon size={20} of={Search} />
      <input
        type="search"
        value={value}
        placeholder="Cerca"
        aria-label={`Cerca in ${label}`}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </search>
  )
}

function Skeleton() {
  return (
    <div className={styles.skeletons} role="status">
      <span className={hidden.hidden}>{words.loading}</span>
      {[1, 2, 3].map((one) => (
        <div key={one} className={styles.skeleton} aria-hidden="true">
          <i />
          <div>
            <b />
            <b />
          </div>
        </div>
      ))}
    </div>
  )
}

function EmptyArt() {
  return (
    <svg viewBox="0 0 160 110" aria-hidden="true" className={styles.art}>
      <path d="M30 100V62a50 50 0 0 1 100 0v38Z" className={styles.artPaper} />
      <circle cx="98" cy="52" r="13" className={styles.artSun} />
      <path d="M30 76c14-6 22 6 36 4s20-10 34-8 18 6 30 2v26H30Z" className={styles.artFar} />
      <path d="M30 88c16-5 26 5 42 2s22-6 34-3 16 3 24 1v12H30Z" className={styles.artNear} />
      <path d="M12 100h136" className={styles.artLine} />
    </svg>
  )
}
