// The history of the site by day: what changed, by whom, and the way back.
import {
  CalendarDays,
  type IconNode,
  Image,
  PanelsTopLeft,
  PenLine,
  Quote,
  RotateCcw,
  Settings,
  Trash2,
} from 'lucide'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { withArticle } from '../../../lib/date-article'
import { dayText, timeText } from '../../../lib/panel-date-format'
import { counted } from '../../../lib/plural'
import { romeDay, romeFields, romeMoment } from '../../../lib/rome-time'
import { Icon } from '../../../primitives/icon'
import { call } from '../../api/client'
import { attempt } from '../../api/item-actions'
import { useLoad } from '../../api/use-load'
import { useSession } from '../../auth/session-store'
import type { Block } from '../../features/site-editor/api/content-api'
import { loadBlocks, usePages } from '../../features/site-editor/model/pages-store'
import type { ChipContext } from '../../features/site-editor/model/rich-value'
import { useChipContext } from '../../features/site-editor/model/use-chip-context'
import { useMediaQuery } from '../../hooks/use-media-query'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import marked from '../../ui/marked-changes.module.css'
import { words } from '../../ui/messages'
import { PageLayout, WhenLoaded } from '../../ui/page-layout'
import { useRoute } from '../routes'
import { ChangeSetDetail, SiteReturn, type SiteTarget } from './change-set-detail'
import { changedFields, nameOf } from './changed-fields'
import styles from './history.module.css'
import { type ChangeSet, type Filter, type HistoryPage, listPath } from './history-api'
import { ACTIONS, historyMessages as own } from './messages'

const KINDS: readonly { readonly kinds: string; readonly label: string }[] = [
  { kinds: '', label: own.everything },
  { kinds: 'words', label: own.pages },
  { kinds: 'events', label: 'Eventi' },
  { kinds: 'blog', label: 'Blog' },
  { kinds: 'course-testimonials,photo-gallery,special-thanks,media-features', label: own.others },
  { kinds: 'settings', label: own.settings },
]
/** Characters of a text that a line shows before and after. */
const SHORT_MAX = 40

export function HistoryArea() {
  const { rest } = useRoute()
  const [filter, setFilter] = useState<Filter>({ kinds: '', account: '', thing: rest[0] ?? '' })
  const data = useLoad<HistoryPage>(listPath(filter))
  const blocks = usePages((store) => store.blocks) ?? []
  const known = useChipContext()
  useEffect(() => void loadBlocks(), [])
  return (
    <PageLayout title={own.title} text={own.text} isWide>
      <WhenLoaded data={data}>
        {(first) => (
          <Loaded
            first={first}
            filter={filter}
            onFilter={setFilter}
            blocks={blocks}
            known={known}
            onReturned={() => void data.reload(true)}
          />
        )}
      </WhenLoaded>
    </PageLayout>
  )
}

type LoadedProps = {
  first: HistoryPage
  filter: Filter
  onFilter: (filter: Filter) => void
  blocks: readonly Block[]
  known: ChipContext
  onReturned: () => void
}

function Loaded({ first, filter, onFilter, blocks, known, onReturned }: LoadedProps) {
  const [later, setLater] = useState<readonly HistoryPage[]>([])
  const [chosen, setChosen] = useState<number | null>(null)
  const [site, setSite] = useState<SiteTarget | null>(null)
  useEffect(() => setLater([]), [first])
  const isWide = useMediaQuery('(width >= 60rem)')
  const pages = [first, ...later]
  const changeSets = pages.flatMap((page) => page.changeSets)
  const more = () =>
    attempt(words.loadError.title, async () => {
      const before = changeSets.at(-1)?.moment
      setLater([...later, await call<HistoryPage>('GET', listPath(filter, before))])
    })
  const changeSet = changeSets.find(({ moment }) => moment === chosen)
  const returned = () => {
    setChosen(null)
    setSite(null)
    onReturned()
  }
  const detail =
    changeSet === undefined ? null : (
      <ChangeSetDetail
        key={changeSet.moment}
        {...{ changeSet, blocks, known, onSite: setSite, onReturned: returned }}
        isSiteKnown={changeSet.moment > Date.parse(first.completeSince)}
      />
    )
  const isFiltered = filter.kinds !== '' || filter.account !== '' || filter.thing !== ''
  return (
    <>
      {changeSets.length > 0 || isFiltered ? (
        <Filters accounts={first.accounts} filter={filter} onFilter={onFilter} />
      ) : null}
      {changeSets.length === 0 ? <Empty isFiltered={isFiltered} /> : null}
      <div className={styles.lay}>
        <div>
          <Days
            {...{ changeSets, blocks, known, chosen }}
            completeSince={Date.parse(first.completeSince)}
            onChoose={setChosen}
            onSite={setSite}
          />
          {pages.at(-1)?.hasMore === true ? (
            <Button tone="outline" onClick={() => void more()}>
              {words.more.action}
            </Button>
          ) : null}
          {first.oldest === null ? null : (
            <p className={styles.reach}>{own.reach(dayText(first.oldest))}</p>
          )}
        </div>
        {isWide && detail !== null ? <aside className={styles.detail}>{detail}</aside> : null}
      </div>
      {!isWide && changeSet !== undefined ? (
        <Dialog title={titleOf(changeSet, blocks)} onClose={() => setChosen(null)} size="large">
          {detail}
        </Dialog>
      ) : null}
      {site === null ? null : (
        <SiteReturn
          target={site}
          blocks={blocks}
          onReturned={returned}
          onClose={() => setSite(null)}
        />
      )}
    </>
  )
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <p className={styles.reach}>{own.empty.filtered}</p>
  return (
    <div className={styles.empty}>
      <h2>{own.empty.title}</h2>
      <p>{own.empty.text}</p>
    </div>
  )
}

type FiltersProps = Pick<LoadedProps, 'filter' | 'onFilter'> & { accounts: readonly string[] }

function Filters({ accounts, filter, onFilter }: FiltersProps) {
  const email = useSession((store) => store.session?.email ?? '')
  return (
    <div className={styles.filters}>
      <fieldset aria-label={own.filters}>
        {KINDS.map(({ kinds, label }) => (
          <button
            key={kinds}
            type="button"
            aria-pressed={filter.thing === '' && filter.kinds === kinds}
            onClick={() => onFilter({ ...filter, kinds, thing: '' })}
          >
            {label}
          </button>
        ))}
      </fieldset>
      {accounts.length < 2 ? null : (
        <select
          aria-label={own.who}
          value={filter.account}
          onChange={({ currentTarget }) => onFilter({ ...filter, account: currentTarget.value })}
        >
          <option value="">{own.everybody}</option>
          {accounts.map((account) => (
            <option key={account} value={account}>
              {account === email ? own.you : account}
            </option>
          ))}
        </select>
      )}
    </div>
  )
}

type DaysProps = Pick<LoadedProps, 'blocks' | 'known'> & {
  changeSets: readonly ChangeSet[]
  chosen: number | null
  completeSince: number
  onChoose: (moment: number) => void
  onSite: (target: SiteTarget) => void
}

function Days({ changeSets, blocks, known, chosen, completeSince, onChoose, onSite }: DaysProps) {
  const days = useMemo(() => byDay(changeSets), [changeSets])
  return (
    <>
      {days.map(([day, list], index) => {
        const end = Date.parse(romeMoment(dayAfter(day), '00:00') ?? '')
        const { name, date } = dayNames(day)
        return (
          <section key={day} className={styles.day} aria-label={`${name} ${date}`.trim()}>
            <header>
              <h2>
                {name} <small>{date}</small>
              </h2>
              {index === 0 || end <= completeSince ? null : (
                <Button
                  tone="quiet"
                  small
                  icon={RotateCcw}
                  label={own.backLabel(date === '' ? name : date)}
                  onClick={() =>
                    onSite({
                      moment: end,
                      when: own.site.endOf(withArticle('del', dayText(`${day}T12:00:00Z`))),
                    })
                  }
                >
                  {own.back}
                </Button>
              )}
            </header>
            <ol>
              {list.map((changeSet) => (
                <Line
                  key={changeSet.moment}
                  {...{ changeSet, blocks, known }}
                  isChosen={changeSet.moment === chosen}
                  onChoose={() => onChoose(changeSet.moment)}
                />
              ))}
            </ol>
          </section>
        )
      })}
    </>
  )
}

type LineProps = Pick<LoadedProps, 'blocks' | 'known'> & {
  changeSet: ChangeSet
  isChosen: boolean
  onChoose: () => void
}

function Line({ changeSet, blocks, known, isChosen, onChoose }: LineProps) {
  const email = useSession((store) => store.session?.email ?? '')
  const [first, ...others] = changeSet.changes
  if (first === undefined) return null
  const fields = others.length > 0 ? [] : changedFields(first, blocks, known)
  const [field] = fields
  const isShort = ({ text, picture }: { text: string; picture: string | null }) =>
    picture === null && text.length <= SHORT_MAX && !text.includes('\n')
  const isOneText =
    first.action === 'changed' &&
    fields.length === 1 &&
    field !== undefined &&
    isShort(field.before) &&
    isShort(field.after)
  const isReturn = changeSet.cause === 'return' || changeSet.cause === 'siteReturn'
  return (
    <li>
      <button type="button" aria-pressed={isChosen} onClick={onChoose}>
        <time dateTime={changeSet.at}>{timeText(new Date(changeSet.at))}</time>
        <span className={isReturn ? `${styles.icon} ${styles.returned}` : styles.icon}>
          <Icon of={isReturn ? RotateCcw : iconOf(first.kind, first.action)} size={18} />
        </span>
        <span className={`${styles.what} ${marked.changes}`}>
          <b>{titleOf(changeSet, blocks)}</b>
          {isOneText ? (
            <>
              : <del>{field.before.text || own.nothing}</del>{' '}
              <ins>{field.after.text || own.nothing}</ins>
            </>
          ) : null}
          <small>{factsOf(changeSet, blocks, email, isOneText).join(' · ')}</small>
        </span>
      </button>
    </li>
  )
}

/** Returns the name of the only changed thing, or of the place that several things share. */
function titleOf(changeSet: ChangeSet, blocks: readonly Block[]): string {
  const { changes, cause, to } = changeSet
  if (cause === 'siteReturn' && to !== null) return own.whole(momentOf(to))
  const [first] = changes
  if (first === undefined) return ''
  if (changes.length === 1) return nameOf(first, blocks).name
  const all = changes.map((change) => nameOf(change, blocks))
  const [place = '', ...others] = new Set(all.map((one) => one.place))
  if (others.length === 0 && place !== '') return place
  return all.length === 2 ? all.map(({ name }) => name).join(', ') : `${all[0]?.name}, …`
}

function factsOf(
  changeSet: ChangeSet,
  blocks: readonly Block[],
  email: string,
  isOneText: boolean,
): readonly string[] {
  const { changes, account, device, cause } = changeSet
  const [first] = changes
  if (first === undefined) return []
  const { place } = nameOf(first, blocks)
  const what =
    changes.length > 1
      ? counted(changes.length, own.count.one, own.count.more)
      : isOneText
        ? ''
        : ACTIONS[first.action]
  const who = account === email ? own.you : account
  const how =
    cause === 'schedule'
      ? own.schedule
      : cause === 'return' || cause === 'siteReturn'
        ? own.done
        : cause === 'unrecorded' && account === ''
          ? own.imported
          : ''
  const where = changes.length > 1 ? '' : place
  return [what, where, how, who, device ?? ''].filter((fact) => fact !== '')
}

export function momentOf(moment: string): string {
  return `${dayText(moment)}, ${timeText(new Date(moment))}`
}

const ICONS: Readonly<Record<string, IconNode>> = {
  words: PanelsTopLeft,
  settings: Settings,
  events: CalendarDays,
  blog: PenLine,
  'course-testimonials': Quote,
}

function iconOf(kind: string, action: string): IconNode {
  return action === 'deleted' || action === 'erased' ? Trash2 : (ICONS[kind] ?? Image)
}

function byDay(changeSets: readonly ChangeSet[]): readonly [string, readonly ChangeSet[]][] {
  const days = new Map<string, ChangeSet[]>()
  for (const changeSet of changeSets) {
    const { day } = romeFields(changeSet.moment)
    const list = days.get(day)
    if (list === undefined) days.set(day, [changeSet])
    else list.push(changeSet)
  }
  return [...days]
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T12:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
}

function dayNames(day: string): { name: string; date: string } {
  const date = dayText(`${day}T12:00:00Z`)
  const now = Date.now()
  if (day === romeDay(now, 0)) return { name: own.today, date }
  if (day === romeDay(now, -1)) return { name: own.yesterday, date }
  return { name: date, date: '' }
}
