// Drafts that wait on the server, from any device: where she left off.
import { CalendarDays, ChevronRight, type IconNode, PanelsTopLeft, PenLine } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { fill } from '../../../lib/interpolate'
import { counted } from '../../../lib/plural'
import { Icon } from '../../../primitives/icon'
import { call } from '../../api/client'
import { type Kind, kindSpecs } from '../../api/schema'
import { type ListedDraft, refreshDraftList, useDraftSync } from '../../drafts/draft-sync'
import { editHref, homeOf } from '../../features/site-editor/model/editable-pages'
import { loadBlocks, usePages } from '../../features/site-editor/model/pages-store'
import { areaHref, itemHref, NEW_ITEM } from '../routes'
import styles from './home.module.css'
import { whenText } from './home-data'
import { homeMessages } from './messages'

const own = homeMessages.drafts
const SHOWN_MAX = 4

/** The item, content block or setting that a draft's place on the server (`events:ID@mark`) names. */
type Subject =
  | { readonly is: 'item'; readonly kind: Kind; readonly id: string }
  | { readonly is: 'block'; readonly id: string }
  | { readonly is: 'settings'; readonly label: string }

export function useOpenDrafts(): readonly ListedDraft[] {
  const drafts = useDraftSync((store) => store.drafts)
  useEffect(() => void refreshDraftList(), [])
  return drafts.filter(({ place }) => subjectOf(place) !== null)
}

function subjectOf(place: string): Subject | null {
  const [form = ''] = place.split('@')
  const [name = '', ...rest] = form.split(':')
  const id = rest.join(':')
  if (name === 'words') return { is: 'block', id }
  if (name === 'settings') return { is: 'settings', label: own.settings }
  if (name === 'first-steps') return { is: 'settings', label: own.firstSteps }
  return name in kindSpecs && id !== '' ? { is: 'item', kind: name as Kind, id } : null
}

type Row = {
  readonly key: string
  readonly title: string
  readonly what: string
  readonly href: string
  readonly icon: IconNode
  readonly latest: ListedDraft
}

export function OpenDrafts({ drafts }: { drafts: readonly ListedDraft[] }) {
  const rows = useRows(drafts)
  const left = rows.length - SHOWN_MAX
  return (
    <section className={styles.card} aria-labelledby="home-drafts">
      <header>
        <h2 id="home-drafts">{own.title}</h2>
      </header>
      <ul className={styles.drafts}>
        {rows.slice(0, SHOWN_MAX).map(({ key, title, what, href, icon, latest }) => (
          <li key={key}>
            <a href={href}>
              <span className={styles.badge}>
                <Icon of={icon} size={20} />
              </span>
              <span>
                <b>{title}</b>
                <small>
                  {what}, {latest.isThisDevice ? own.here : latest.device},{' '}
                  {whenText(latest.savedAt)}
                </small>
              </span>
              <Icon of={ChevronRight} size={18} />
            </a>
          </li>
        ))}
      </ul>
      {left > 0 ? (
        <p className={styles.soft}>{counted(left, own.others.one, own.others.more)}</p>
      ) : null}
    </section>
  )
}

/** The newest first; changes of texts by the page that shows them. */
function useRows(drafts: readonly ListedDraft[]): readonly Row[] {
  const blocks = usePages((store) => store.blocks)
  const titles = useTitles(drafts)
  const hasBlocks = drafts.some(({ place }) => subjectOf(place)?.is === 'block')
  useEffect(() => {
    if (hasBlocks) void loadBlocks()
  }, [hasBlocks])
  const rows = new Map<string, Row & { readonly subjects: ReadonlySet<string> }>()
  for (const latest of [...drafts].sort((one, other) => other.savedAt.localeCompare(one.savedAt))) {
    const subject = subjectOf(latest.place)
    if (subject === null) continue
    const row = rowOf(subject, latest, titles)
    const before = rows.get(row.key)
    const place = latest.place.split('@')[0] ?? ''
    if (before === undefined) rows.set(row.key, { ...row, subjects: new Set([place]) })
    else {
      const subjects = new Set([...before.subjects, place])
      const title = subject.is === 'block' ? pageTitle(subject.id, subjects.size) : before.title
      rows.set(row.key, { ...before, title, subjects })
    }
  }
  return [...rows.values()]

  function pageTitle(id: string, count: number): string {
    const block = blocks?.find((one) => one.id === id)
    const page = block === undefined ? own.pages : homeOf(block).label
    return fill(counted(count, own.page.one, own.page.more), { page })
  }

  function rowOf(subject: Subject, latest: ListedDraft, known: ReadonlyMap<string, string>): Row {
    switch (subject.is) {
      case 'settings':
        return {
          key: 'settings',
          title: subject.label,
          what: own.notPublished,
          href: areaHref('impostazioni'),
          icon: PenLine,
          latest,
        }
      case 'block': {
        const block = blocks?.find((one) => one.id === subject.id)
        const page = block === undefined ? null : homeOf(block)
        return {
          key: `page ${page?.name ?? ''}`,
          title: pageTitle(subject.id, 1),
          what: own.notPublished,
          href: page === null ? areaHref('pagine') : editHref(page, `${subject.id}:`),
          icon: PanelsTopLeft,
          latest,
        }
      }
      case 'item': {
        const { kind, id } = subject
        const isNew = id === 'new'
        const href = itemHref(kind, isNew ? NEW_ITEM : id)
        return {
          key: isNew ? latest.place : `${kind} ${id}`,
          title: known.get(latest.place) ?? own.kinds[kind],
          what: own.kinds[kind],
          // The area of newsletters has no form for a new one in its address.
          href: kind === 'newsletters' ? `${areaHref('newsletter')}/${isNew ? '' : id}` : href,
          icon: kind === 'events' ? CalendarDays : PenLine,
          latest,
        }
      }
    }
  }
}

type Content = { readonly content: { readonly fields?: Readonly<Record<string, unknown>> } }

/** The titles as they are typed in the newest drafts of items, by place. */
function useTitles(drafts: readonly ListedDraft[]): ReadonlyMap<string, string> {
  const [titles, setTitles] = useState<ReadonlyMap<string, string>>(new Map())
  const places = [...drafts]
    .sort((one, other) => other.savedAt.localeCompare(one.savedAt))
    .map(({ place }) => place)
    .filter((place) => subjectOf(place)?.is === 'item')
    .slice(0, SHOWN_MAX)
    .join('\n')
  useEffect(() => {
    if (places === '') return undefined
    let current = true
    const read = async (place: string) => {
      const { content } = await call<Content>('GET', `/api/admin/drafts/${place}`, undefined, true)
      const { title, name } = content.fields ?? {}
      const typed = [title, name].find((text) => typeof text === 'string' && text.trim() !== '')
      return [place, typeof typed === 'string' ? typed : own.untitled] as const
    }
    void Promise.allSettled(places.split('\n').map(read)).then((answers) => {
      const found = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      if (current) setTitles(new Map(found))
    })
    return () => {
      current = false
    }
  }, [places])
  return titles
}
