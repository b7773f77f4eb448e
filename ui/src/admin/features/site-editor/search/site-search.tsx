// 'Trova nel sito': searches the whole site; every hit links to its field.

import { Search, X } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { isImeKey } from '../../../../lib/ime-key'
import { fill } from '../../../../lib/interpolate'
import { counted } from '../../../../lib/plural'
import { Icon } from '../../../../primitives/icon'
import { call } from '../../../api/client'
import { CONTENT_KINDS } from '../../../api/kind-labels'
import { type Item, type Kind, SETTING_NAMES, settingSpecs, titleOf } from '../../../api/schema'
import { settingMessages } from '../../../api/setting-messages'
import { itemHref, settingHref } from '../../../app/routes'
import { useDebouncedValue } from '../../../hooks/use-debounced-value'
import { IconButton } from '../../../ui/button'
import { shortcutText } from '../../../ui/shortcut-text'
import { wording } from '../messages'
import { editHref } from '../model/editable-pages'
import { draftOf, useBlocksAndDrafts } from '../model/pages-store'
import type { ChipContext } from '../model/rich-value'
import styles from '../pages/page-list.module.css'
import { itemSearchTexts, kindName } from './item-search-text'
import { excerpt, findIn, LETTERS_MIN, matches } from './search-content'

const { find } = wording
const own = find
const HITS_MAX = 30

export function SiteSearch({
  known,
  children,
}: {
  known: ChipContext
  children: ComponentChildren
}) {
  const [typed, setTyped] = useState('')
  const query = useDebouncedValue(typed)
  const elsewhere = useElsewhere(query !== '')
  const input = useRef<HTMLInputElement>(null)
  useFindKey(() => input.current?.focus())
  return (
    <>
      <div className={styles.find}>
        <Icon of={Search} size={20} />
        <input
          ref={input}
          type="search"
          value={typed}
          aria-label={own.label}
          placeholder={own.placeholder}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Escape' && !isImeKey(event) && setTyped('')}
        />
        {typed === '' ? (
          <kbd>{shortcutText(own.shortcut)}</kbd>
        ) : (
          <IconButton
            label={own.clear}
            icon={X}
            onClick={() => {
              setTyped('')
              input.current?.focus()
            }}
          />
        )}
      </div>
      {query === '' ? children : <Hits {...{ query, known, elsewhere }} />}
    </>
  )
}

type Row = { key: string; href: string; where: string; text: string }
/** The first text that matches the query is shown. */
type Elsewhere = Omit<Row, 'text'> & { texts: readonly string[] }

type HitsProps = { query: string; known: ChipContext; elsewhere: readonly Elsewhere[] }

function Hits({ query, known, elsewhere }: HitsProps) {
  const store = useBlocksAndDrafts()
  /** The query whose hits are all shown. */
  const [all, setAll] = useState<string | null>(null)
  const rows = useMemo((): readonly Row[] => {
    const blocks = (store.blocks ?? []).map((block) => ({ ...block, ...draftOf(store, block) }))
    const hits = findIn(blocks, query, known).map((hit) => ({
      key: hit.place,
      href: editHref(hit.page, hit.place, query),
      where: [
        hit.page.label,
        hit.block.label,
        hit.label,
        ...(hit.block.id in store.drafts ? [own.inDraft] : []),
        ...(hit.block.hidden ? [own.hiddenBlock] : []),
      ].join(' · '),
      text: hit.text,
    }))
    const others = elsewhere.flatMap(({ texts, ...row }): readonly Row[] => {
      const text = texts.find((one) => matches(one, query))
      return text === undefined ? [] : [{ ...row, text }]
    })
    return [...hits, ...others]
  }, [store, query, known, elsewhere])
  if (query.length < LETTERS_MIN) return <p role="status">{own.tooShort}</p>
  if (rows.length === 0) {
    return (
      <div role="status">
        <h2 className={styles.heading}>{fill(own.empty.title, { query })}</h2>
        <p>{own.empty.text}</p>
      </div>
    )
  }
  const shown = all === query ? rows : rows.slice(0, HITS_MAX)
  return (
    <div>
      <p role="status">{counted(rows.length, own.countOne, own.count)}</p>
      <ul className={styles.hits}>
        {shown.map(({ key, href, where, text }) => {
          const [before, hit, after] = excerpt(text, query)
          return (
            <li key={key}>
              <a href={href}>
                <small>{where}</small>
                <span>
                  {before}
                  <mark>{hit}</mark>
                  {after}
                </span>
              </a>
            </li>
          )
        })}
      </ul>
      {rows.length > shown.length ? (
        <button type="button" onClick={() => setAll(query)}>
          {counted(rows.length - shown.length, own.moreOne, own.more)}
        </button>
      ) : null}
    </div>
  )
}

/** Items, articles and settings, loaded once when the search is first used. */
function useElsewhere(isUsed: boolean): readonly Elsewhere[] {
  const [rows, setRows] = useState<readonly Elsewhere[]>([])
  const [isWanted, setWanted] = useState(isUsed)
  if (isUsed && !isWanted) setWanted(true)
  useEffect(() => {
    if (!isWanted) return undefined
    let current = true
    const kinds: readonly Kind[] = [...CONTENT_KINDS, 'blog']
    void Promise.allSettled([...kinds.map(itemsOf), settingRows()]).then((answers) => {
      const read = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
      if (current) setRows(read)
    })
    return () => {
      current = false
    }
  }, [isWanted])
  return rows
}

async function itemsOf(kind: Kind): Promise<readonly Elsewhere[]> {
  const items = await call<readonly Item[]>('GET', `/api/admin/${kind}`)
  return items.map((item) => ({
    key: item.id,
    href: itemHref(kind, item.id),
    where: [kindName(kind), titleOf(item, '')].filter((name) => name !== '').join(' · '),
    texts: itemSearchTexts(kind, item),
  }))
}

async function settingRows(): Promise<readonly Elsewhere[]> {
  const settings = await call<Readonly<Record<string, unknown>>>('GET', '/api/admin/settings')
  return SETTING_NAMES.flatMap((name) => {
    const text = settings[name]
    // The value of a picture setting is only a path.
    if (typeof text !== 'string' || settingSpecs[name].field.type === 'picture') return []
    const { label } = settingMessages[name]
    const where = `${own.groups.settings} · ${label}`
    return [{ key: name, href: settingHref(name), where, texts: [text] }]
  })
}

function useFindKey(act: () => void): void {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      latest.current()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
