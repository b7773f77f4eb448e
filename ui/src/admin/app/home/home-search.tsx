// One search over everything: texts, items and settings, areas of the panel, and the guide.
import { BookOpen, PanelsTopLeft, Search, Settings } from 'lucide'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { isImeKey } from '../../../lib/ime-key'
import { fill } from '../../../lib/interpolate'
import { counted } from '../../../lib/plural'
import hidden from '../../../primitives/hidden.module.css'
import { Icon } from '../../../primitives/icon'
import { HostHelp } from '../../auth/host-contact'
import { useIsOwner } from '../../auth/session-store'
import { loadBlocks, useBlocksAndDrafts } from '../../features/site-editor/model/pages-store'
import { useChipContext } from '../../features/site-editor/model/use-chip-context'
import { excerpt, LETTERS_MIN } from '../../features/site-editor/search/search-content'
import { searchRows, useElsewhere } from '../../features/site-editor/search/search-rows'
import { useFindKey } from '../../features/site-editor/search/site-search'
import { useDebouncedValue } from '../../hooks/use-debounced-value'
import { useGuide } from '../../hooks/use-guide'
import field from '../../ui/search-field.module.css'
import { shortcutText } from '../../ui/shortcut-text'
import { goTo } from '../routes'
import styles from './home-search.module.css'
import { homeMessages } from './messages'
import { type Hit, panelHits, useGuideSections } from './search-panel'

const own = homeMessages.search
const SITE_HITS_MAX = 6
const PANEL_HITS_MAX = 5

export function HomeSearch() {
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(0)
  const query = useDebouncedValue(typed).trim()
  const box = useRef<HTMLElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const { groups, total, isReady } = useHits(query)
  const hits = groups.flatMap(({ rows }) => rows)
  const isShown = isOpen && query.length >= LETTERS_MIN
  // The types allow the role only together with a `<datalist>`.
  const combobox: object = { role: 'combobox', 'aria-expanded': isShown && hits.length > 0 }
  useFindKey(() => input.current?.focus())
  // The first hit of the present query.
  useEffect(() => setActive(0), [query])
  const onKeyDown = (event: KeyboardEvent) => {
    if (isImeKey(event)) return
    if (event.key === 'Escape') setTyped('')
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const hit = hits[active]
    if (!isShown || hit === undefined) return
    if (step !== 0) setActive((active + step + hits.length) % hits.length)
    if (event.key === 'Enter') goTo(hit.href)
    if (step !== 0 || event.key === 'Enter') event.preventDefault()
  }
  return (
    <search
      ref={box}
      className={`${field.field} ${styles.find}`}
      onFocusOut={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node && box.current?.contains(relatedTarget))) setOpen(false)
      }}
    >
      <Icon of={Search} size={20} />
      <input
        ref={input}
        type="search"
        {...combobox}
        autocomplete="off"
        value={typed}
        aria-label={own.label}
        placeholder={own.placeholder}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        {...(isShown && hits.length > 0 ? { 'aria-activedescendant': `${id}-${active}` } : {})}
        onInput={(event) => {
          setTyped(event.currentTarget.value)
          setOpen(true)
        }}
        onFocus={() => {
          void loadBlocks()
          setOpen(true)
        }}
        onKeyDown={onKeyDown}
      />
      {typed === '' ? <kbd>{shortcutText(own.shortcut)}</kbd> : null}
      <p className={hidden.hidden} role="status">
        {isShown && isReady
          ? hits.length === 0
            ? fill(own.nothing, { query })
            : counted(total, own.countOne, own.count)
          : ''}
      </p>
      {!isShown ? null : hits.length > 0 ? (
        <div className={styles.hits} role="listbox" id={`${id}-list`} aria-label={own.results}>
          {groups.map(({ name, rows, first }) => (
            <fieldset key={name}>
              <legend>{name}</legend>
              {rows.map((hit, index) => (
                <Option
                  key={hit.key}
                  id={`${id}-${first + index}`}
                  hit={hit}
                  query={query}
                  isActive={first + index === active}
                />
              ))}
            </fieldset>
          ))}
        </div>
      ) : isReady ? (
        <div className={styles.hits}>
          <p>{fill(own.nothing, { query })}</p>
          <button type="button" onClick={() => useGuide.getState().open(query)}>
            <Icon of={BookOpen} size={20} />
            <span>{own.ask}</span>
          </button>
          <HostHelp />
        </div>
      ) : null}
    </search>
  )
}

type OptionProps = { id: string; hit: Hit; query: string; isActive: boolean }

const ICONS = { site: PanelsTopLeft, setting: Settings, guide: BookOpen } as const

function Option({ id, hit, query, isActive }: OptionProps) {
  const option = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isActive) option.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  const [before, found, after] = excerpt(hit.text, query)
  return (
    // The combobox keeps the focus; a press follows the link.
    <a
      ref={option}
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      href={hit.href}
      className={isActive ? styles.active : undefined}
    >
      <Icon of={ICONS[hit.is]} size={20} />
      <span>
        {before}
        <mark>{found}</mark>
        {after}
        <small>{hit.where}</small>
      </span>
    </a>
  )
}

type Group = { readonly name: string; readonly rows: readonly Hit[]; readonly first: number }

function useHits(query: string): {
  groups: readonly Group[]
  total: number
  isReady: boolean
} {
  const store = useBlocksAndDrafts()
  const known = useChipContext()
  const elsewhere = useElsewhere(query.length >= LETTERS_MIN)
  const isOwner = useIsOwner()
  const sections = useGuideSections(query.length >= LETTERS_MIN)
  if (query.length < LETTERS_MIN) return { groups: [], total: 0, isReady: false }
  const found = searchRows(store, query, known, elsewhere)
  const isSetting = ({ href }: { href: string }) => href.startsWith('#/impostazioni/')
  const site = found.filter((row) => !isSetting(row)).map((row): Hit => ({ ...row, is: 'site' }))
  const values = found.filter(isSetting).map((row): Hit => ({ ...row, is: 'setting' }))
  const panel = [...panelHits(query, sections ?? [], isOwner), ...values]
  const settings = new Map(panel.map((hit) => [hit.href, hit]))
  const shown = site.slice(0, SITE_HITS_MAX)
  const groups = [
    { name: own.onSite, rows: shown, first: 0 },
    {
      name: own.inPanel,
      rows: [...settings.values()].slice(0, PANEL_HITS_MAX),
      first: shown.length,
    },
  ]
  return {
    groups: groups.filter(({ rows }) => rows.length > 0),
    total: site.length + settings.size,
    isReady: store.blocks !== null && sections !== null,
  }
}
