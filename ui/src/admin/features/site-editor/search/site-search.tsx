// 'Trova nel sito': searches the whole site; every hit links to its field.

import { Search, X } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { isImeKey } from '../../../../lib/ime-key'
import { fill } from '../../../../lib/interpolate'
import { counted } from '../../../../lib/plural'
import { Icon } from '../../../../primitives/icon'
import { useDebouncedValue } from '../../../hooks/use-debounced-value'
import { IconButton } from '../../../ui/button'
import field from '../../../ui/search-field.module.css'
import { shortcutText } from '../../../ui/shortcut-text'
import { wording } from '../messages'
import { useBlocksAndDrafts } from '../model/pages-store'
import type { ChipContext } from '../model/rich-value'
import styles from '../pages/page-list.module.css'
import { excerpt, LETTERS_MIN } from './search-content'
import { type Elsewhere, searchRows, useElsewhere } from './search-rows'

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
      <div className={`${field.field} ${styles.find}`}>
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

type HitsProps = { query: string; known: ChipContext; elsewhere: readonly Elsewhere[] }

function Hits({ query, known, elsewhere }: HitsProps) {
  const store = useBlocksAndDrafts()
  /** The query whose hits are all shown. */
  const [all, setAll] = useState<string | null>(null)
  const rows = useMemo(
    () => searchRows(store, query, known, elsewhere),
    [store, query, known, elsewhere],
  )
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

/** Ctrl or Cmd with K. */
export function useFindKey(act: () => void): void {
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
