// Chooses the event or article that a link leads to, by its title.

import type { RefObject } from 'preact'
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { isImeKey } from '../../../../lib/ime-key'
import { fill } from '../../../../lib/interpolate'
import { dayText } from '../../../../lib/panel-date-format'
import { counted } from '../../../../lib/plural'
import hidden from '../../../../primitives/hidden.module.css'
import { kindLabels } from '../../../api/kind-labels'
import { type Item, kindSpecs, pagePath, textOf, titleOf } from '../../../api/schema'
import { useLoad } from '../../../api/use-load'
import { ariaOf, type ControlProps, FieldShell } from '../../../ui/fields/field-shell'
import fields from '../../../ui/fields/fields.module.css'
import { words } from '../../../ui/messages'
import { wording } from '../messages'
import { foldText } from '../search/search-content'
import styles from './item-picker.module.css'

const { link: own, find } = wording

const KINDS = { event: 'events', article: 'blog' } as const
/** A longer query finds the other ones. */
const SHOWN_MAX = 50

type ItemFieldProps = ControlProps & { kind: keyof typeof KINDS }

type Choice = {
  readonly path: string
  readonly title: string
  /** Date, and whether the item is unpublished; recurring events have the same title. */
  readonly about: string
  readonly isShown: boolean
}

export function ItemField({ kind, ...control }: ItemFieldProps) {
  const { value, onChange } = control
  const name = KINDS[kind]
  const { value: items, error } = useLoad<readonly Item[]>(`/api/admin/${name}`)
  const choices = useMemo(() => items?.map((item) => choiceOf(name, item)) ?? null, [name, items])
  // A query or fragment does not change the page.
  const [path = ''] = value.split(/[?#]/)
  const chosen = choices?.find((one) => one.path === path)
  const isUnknown = choices !== null && chosen === undefined && path !== ''
  const isGone = useIsGone(isUnknown ? path : null)
  const isBroken = chosen === undefined ? isGone : !chosen.isShown
  const isAsked = items === null && error === null
  // A linked item that does not exist is shown by its slug rather than as an empty field.
  const unknown = isAsked ? '' : path.slice((kindSpecs[name].page?.prefix ?? '').length)
  const told = isBroken ? { ...control, help: own.broken } : control
  return (
    <FieldShell control={told}>
      <Combobox
        control={told}
        text={chosen?.title ?? unknown}
        chosen={chosen?.path ?? ''}
        choices={choices ?? []}
        onChoose={onChange}
      />
      {/* A live region, because the answer arrives after the field got the focus. */}
      <p className={hidden.hidden} role="status">
        {isBroken ? own.broken : ''}
      </p>
    </FieldShell>
  )
}

function choiceOf(kind: 'events' | 'blog', item: Item): Choice {
  const day = kind === 'events' ? textOf(item, 'date') : dayText(item.createdAt)
  const state = item.published ? '' : kindLabels[kind].status.off
  return {
    path: pagePath(kind, item) ?? '',
    title: titleOf(item, words.untitled),
    about: [day, state].filter((part) => part !== '').join(' · '),
    isShown: item.published,
  }
}

/** Whether the site answers 404 or 410 for `path`; a renamed item still redirects from its former address. */
function useIsGone(path: string | null): boolean {
  const [gone, setGone] = useState<string | null>(null)
  useEffect(() => {
    if (path === null) return undefined
    let current = true
    const ask = async () => {
      const { status } = await fetch(path, { method: 'HEAD' })
      if (current && (status === 404 || status === 410)) setGone(path)
    }
    // Without a connection nothing is known about the page.
    ask().catch(() => undefined)
    return () => {
      current = false
    }
  }, [path])
  return path !== null && gone === path
}

type ComboboxProps = {
  control: ControlProps
  /** Title of the chosen item. */
  text: string
  chosen: string
  choices: readonly Choice[]
  onChoose: (path: string) => void
}

/** Typing filters the titles. Text that is not chosen from the list is dropped. */
function Combobox(props: ComboboxProps) {
  const { control, text } = props
  const list = useId()
  const box = useRef<HTMLDivElement>(null)
  const combobox = useCombobox(props, box)
  const { typed, isOpen, active, found } = combobox
  return (
    <>
      <input
        id={control.id}
        className={fields.input}
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={list}
        {...(isOpen && active >= 0 ? { 'aria-activedescendant': `${list}-${active}` } : {})}
        {...ariaOf(control)}
        placeholder={own.find}
        value={typed ?? text}
        onClick={(event) => {
          // With the text selected, typing starts a new search.
          if (!isOpen) event.currentTarget.select()
          combobox.open()
        }}
        onKeyDown={combobox.onKey}
        onInput={(event) => combobox.search(event.currentTarget.value)}
        onBlur={combobox.close}
      />
      <Options {...{ list, box, combobox }} label={control.label} chosen={props.chosen} />
      {isOpen && typed !== null && typed !== '' ? (
        <Count found={found.length} query={typed} />
      ) : null}
    </>
  )
}

type Box = { readonly current: HTMLDivElement | null }

function useCombobox({ chosen, choices, onChoose }: ComboboxProps, box: Box) {
  const [typed, setTyped] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const found = useMemo(() => matching(choices, typed ?? ''), [choices, typed])
  const shown = isOpen ? found.slice(0, SHOWN_MAX) : []
  useEffect(() => {
    // At the end of a bottom sheet the list would open below its edge.
    const line = box.current?.querySelector('[aria-selected=true]') ?? box.current
    if (isOpen) line?.scrollIntoView({ block: 'nearest' })
  }, [isOpen, active])
  const open = () => {
    setOpen(true)
    const place = choices.findIndex(({ path }) => path === chosen && chosen !== '')
    setActive(place < SHOWN_MAX ? place : -1)
  }
  const close = () => {
    setOpen(false)
    setTyped(null)
    setActive(-1)
  }
  const choose = ({ path }: Choice) => {
    onChoose(path)
    close()
  }
  const search = (query: string) => {
    setTyped(query)
    setOpen(true)
    setActive(query === '' ? -1 : 0)
  }
  const onKey = (event: KeyboardEvent) => {
    if (isImeKey(event)) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const one = shown[active]
    if (event.key === 'Escape' && isOpen) close()
    else if (event.key === 'Enter' && one !== undefined) choose(one)
    else if (step !== undefined && !isOpen) open()
    else if (step !== undefined && shown.length > 0) {
      setActive(
        active < 0 && step < 0 ? shown.length - 1 : (active + step + shown.length) % shown.length,
      )
    } else return
    // The sheet and the page must not handle the key too.
    event.preventDefault()
    event.stopPropagation()
  }
  return { typed, isOpen, active, found, shown, open, close, choose, search, onKey }
}

type OptionsProps = {
  list: string
  box: RefObject<HTMLDivElement | null>
  combobox: ReturnType<typeof useCombobox>
  label: string
  chosen: string
}

function Options({ list, box, combobox: { shown, active, choose }, label, chosen }: OptionsProps) {
  return (
    <div
      ref={box}
      id={list}
      role="listbox"
      tabIndex={-1}
      className={styles.list}
      aria-label={label}
      hidden={shown.length === 0}
      // Keeps the focus in the field.
      onMouseDown={(event) => event.preventDefault()}
    >
      {shown.map((one, place) => (
        <div
          key={one.path}
          id={`${list}-${place}`}
          role="option"
          tabIndex={-1}
          aria-selected={place === active}
          {...(one.path === chosen ? { 'data-chosen': '' } : {})}
          onMouseUp={() => choose(one)}
        >
          {one.title}
          {one.about === '' ? null : <small>{one.about}</small>}
        </div>
      ))}
    </div>
  )
}

function Count({ found, query }: { found: number; query: string }) {
  const text =
    found === 0 ? fill(find.empty.title, { query }) : counted(found, find.countOne, find.count)
  return (
    <p className={fields.hint} role="status">
      {text}
    </p>
  )
}

/** Returns the choices whose title or date contains every word of the query. */
export function matching(choices: readonly Choice[], query: string): readonly Choice[] {
  const wanted = foldText(query)
    .split(' ')
    .filter((word) => word !== '')
  return choices.filter(({ title, about }) => {
    const text = foldText(`${title} ${about}`)
    return wanted.every((word) => text.includes(word))
  })
}
